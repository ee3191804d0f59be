// npm run types: writes each Worker's env.d.ts from its wrangler.toml, if the configuration changed.
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { typesOf as generateTypes } from './stack/platform.ts'

/** Has the state of each Worker's files when its types were written last. */
const statesFile = '.build/types/workers.json'

const pascal = (name: string) => name.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())

// Wrangler says that `process.env` has a Worker's secrets; the scripts of this repository share a compiler with all Workers.
const ofProcess = /^type StringifyValues<.*?^};\n|^declare namespace NodeJS \{.*?^\}\n/gms

const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

const configOf = (name: string) => `workers/${name}/wrangler.toml`
const typesOf = (name: string) => `workers/${name}/env.d.ts`

/** Changes whenever the types of a Worker have to be written again. */
const stateOf = (name: string) =>
  hash('sha256', ['scripts/types.ts', 'package-lock.json', configOf(name), typesOf(name)].map(read).join('\0'))

async function writeTypes(name: string) {
  const path = typesOf(name)
  const written = await generateTypes(configOf(name), path, `${pascal(name)}Env`)
  const types = `// Written by npm run types from wrangler.toml.\n${written.replace(ofProcess, '').trimEnd()}\n`
  // The compiler checks everything again when such a file is new.
  if (types !== read(path)) writeFileSync(path, types)
}

const names = readdirSync('workers', { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
)
const states: Record<string, string> = JSON.parse(read(statesFile) || '{}')
for (const name of names) if (states[name] !== stateOf(name)) await writeTypes(name)
mkdirSync(dirname(statesFile), { recursive: true })
writeFileSync(statesFile, JSON.stringify(Object.fromEntries(names.map((name) => [name, stateOf(name)]))))
