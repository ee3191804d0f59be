// npm run types: generates each Worker's env.d.ts from its wrangler.toml, if that changed.
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { typesOf as generateTypes } from './stack/platform.ts'

/** File with a hash of each Worker's files at the last run, so that unchanged Workers are skipped. */
const statesFile = '.build/types/workers.json'

const pascal = (name: string) => name.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())

// Matches the part of wrangler's output that declares a Worker's secrets on `process.env`. It is removed: the scripts
// are compiled together with all Workers, and would see these secrets too.
const ofProcess = /^type StringifyValues<.*?^};\n|^declare namespace NodeJS \{.*?^\}\n/gms

const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

const configOf = (name: string) => `workers/${name}/wrangler.toml`
const typesOf = (name: string) => `workers/${name}/env.d.ts`

/** A hash that changes if the types must be generated again. */
const stateOf = (name: string) =>
  hash('sha256', ['scripts/types.ts', 'package-lock.json', configOf(name), typesOf(name)].map(read).join('\0'))

async function writeTypes(name: string) {
  const path = typesOf(name)
  const written = await generateTypes(configOf(name), path, `${pascal(name)}Env`)
  const types = `// Types of the variables and bindings of the Worker ${name}. Written by npm run types from wrangler.toml.\n${written.replace(ofProcess, '').trimEnd()}\n`
  // An unchanged file is not written, because the compiler would check everything again after a write.
  if (types !== read(path)) writeFileSync(path, types)
}

const names = readdirSync('workers', { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
)
const states: Record<string, string> = JSON.parse(read(statesFile) || '{}')
for (const name of names) if (states[name] !== stateOf(name)) await writeTypes(name)
mkdirSync(dirname(statesFile), { recursive: true })
writeFileSync(statesFile, JSON.stringify(Object.fromEntries(names.map((name) => [name, stateOf(name)]))))
