// npm start: runs all components at http://localhost:8787/<component>/…, with their data under .state. PORT and
// STATE_DIR change these; all other variables of the environment and of .dev.vars are passed to every component.
import { announce, keepSweeping } from './stack/announce.ts'
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
  announce(stack, performance.now() - began)
  keepSweeping(stack)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
