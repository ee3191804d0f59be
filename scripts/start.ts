// npm start: all components at http://localhost:8787/<component>/…, with their data under .state.
// PORT and STATE_DIR move them; the environment and .dev.vars go to every component.
import { ownPrefixOf } from '#manifests'
import { endWithNpm } from './stack/parents.ts'
import { startStack } from './stack/stack.ts'
import { variablesOf } from './stack/variables.ts'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(0))
endWithNpm()

const began = performance.now()
const { PORT = '8787', STATE_DIR = '.state' } = process.env

console.log('Building and starting all components, which takes up to a minute the first time.')
try {
  const stack = await startStack({ port: Number(PORT), stateDir: STATE_DIR, variables: variablesOf(process.env) })
  const { host } = new URL(stack.url)
  const width = Math.max(...stack.components.map((name) => name.length))
  const lines = stack.components.map((name) => {
    const docs = `${stack.url}/${name}${ownPrefixOf(name)}/_docs`
    return `  ${name.padEnd(width)}  ${stack.url}/${name}  http://${name}.${host}  docs: ${docs}`
  })
  console.log(`Quartermaster: ${stack.url} (${Math.round(performance.now() - began)} ms)`)
  console.log(lines.join('\n'))
  console.log(`Console: ${stack.url}/console/  Guide: ${stack.url}/docs/`)
  if (stack.migrated.length > 0) console.log(`Migrations applied: ${stack.migrated.length}`)
  if (stack.secrets.names.length > 0)
    console.log(`Secrets made: ${stack.secrets.names.join(', ')}, in ${stack.secrets.file}`)
  console.log(`Data: ${stack.stateDir}`)
  // What was left over when it last ended is taken up at once. The runtime may be starting again after a crash.
  const sweep = () => void stack.sweep().catch(() => undefined)
  sweep()
  setInterval(sweep, 60_000)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
