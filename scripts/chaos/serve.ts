// What a chaos run kills: the gateway and the named components, as `npm start` runs them, without what else there is.
// node scripts/chaos/serve.ts <component> …, with PORT and STATE_DIR
import { components } from '../stack/components.ts'
import { startStack } from '../stack/stack.ts'
import { variablesOf } from '../stack/variables.ts'

// The other end of this pipe closes when the run is gone, however that came about.
process.stdin.resume().once('end', () => process.exit())

const names = process.argv.slice(2)
const { PORT, STATE_DIR } = process.env

const stack = await startStack({
  port: Number(PORT),
  stateDir: STATE_DIR!,
  variables: variablesOf(process.env),
  components: components().filter(({ name }) => names.includes(name)),
})
// Not at once, as `npm start` does: the gateway's clock, where it is deployed, does not start with the components either.
setInterval(() => stack.sweep().catch(() => undefined), 60_000) // The runtime may be starting again after a crash.
