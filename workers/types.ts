// node workers/types.ts: writes each Worker's env.d.ts from its wrangler.toml.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const pascal = (name: string) => name.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())

// Wrangler says that `process.env` has a Worker's secrets; the scripts of this repository share a compiler with all Workers.
const ofProcess = /^type StringifyValues<.*?^};\n|^declare namespace NodeJS \{.*?^\}\n/gms

for (const { name } of readdirSync('workers', { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
  const file = `workers/${name}/env.d.ts`
  const flags = [
    '-c',
    `workers/${name}/wrangler.toml`,
    '--env-interface',
    `${pascal(name)}Env`,
    '--include-runtime=false',
  ]
  execFileSync('wrangler', ['types', file, ...flags])
  writeFileSync(file, readFileSync(file, 'utf8').replace(ofProcess, ''))
}
