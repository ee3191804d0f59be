// npm run new -- hello [--database] ["What it does"]: generates a component that passes every rule and test.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { describeComponent } from './new/openapi.ts'
import { validationErrorOf } from './new/validation.ts'
import { templateFiles, writeComponent } from './new/write.ts'

const { positionals, values } = parseArgs({ allowPositionals: true, options: { database: { type: 'boolean' } } })
const [name = '', summary = 'An example of a component'] = positionals
const template = { name, summary, hasDatabase: values.database === true }

const validationError = validationErrorOf(template)
if (validationError) {
  console.error(`${validationError}\nUsage: npm run new -- <name> [--database] ["What it does"]`)
  process.exit(1)
}

writeComponent(template)
run('biome', 'check', '--write', '--log-level=error', 'src/manifests.ts', ...filesOf('ts'), ...filesOf('tsx'))
run('node', 'scripts/manifests.ts')
if (template.hasDatabase) run('node', 'migrations/generate.ts', name, 'init')
run('node', 'scripts/types.ts')
await describeComponent(name)
run('node', 'scripts/client.ts')

const migrations = template.hasDatabase ? [`migrations/${name}`] : []
const made = [...templateFiles(template).keys(), `workers/${name}/env.d.ts`, `src/client/api/${name}.ts`, ...migrations]
console.log(`\nWritten:\n${made.map((file) => `  ${file}`).join('\n')}

Extended: src/manifests.ts, README.md, docs/console.md, docs/openapi.json, and what npm run manifests and npm run client write.

Next:
  1. Declare your endpoints in src/${name}/index.ts, with the schemas in contract.ts and the errors in errors.ts.
  2. Write the summary in src/${name}/manifest.ts, choose the group, and run npm run manifests.
  3. Adapt the tests, docs/${name}.md, the call in README.md and the page of the console.
  4. Add a line to CHANGELOG.md.
  5. Run npm run types, npx vitest run tests/${name} and npx vitest run tests/stack/rules.test.ts.
     After each change of the API: npx vitest run tests/stack/openapi.test.ts -u && npm run client.`)

function filesOf(extension: string): string[] {
  return [...templateFiles(template).keys()].filter((file) => file.endsWith(`.${extension}`))
}

/** Runs a program of the project, such as a generator. Exits with the program's status if it fails. */
function run(program: string, ...parameters: string[]): void {
  console.log(`$ ${[program, ...parameters].join(' ').slice(0, 100)}`)
  const file = program === 'node' ? process.execPath : `node_modules/.bin/${program}`
  const { status } = spawnSync(existsSync(file) ? file : program, parameters, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
