// node workers/types.ts: writes each Worker's env.d.ts from its wrangler.toml.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

const pascal = (name: string) => name.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())

for (const { name } of readdirSync('workers', { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
  const flags = [
    '-c',
    `workers/${name}/wrangler.toml`,
    '--env-interface',
    `${pascal(name)}Env`,
    '--include-runtime=false',
  ]
  execFileSync('wrangler', ['types', `workers/${name}/env.d.ts`, ...flags])
}
