// node scripts/chaos/serve.ts <component> …: runs the gateway and these components, without the console and the guide,
// as the process that a chaos run kills. Reads PORT and STATE_DIR.
import { components } from '../stack/components.ts'
import { startStack } from '../stack/stack.ts'
import { variablesOf } from '../stack/variables.ts'

// Ends this process when its stdin closes, so that it does not survive a chaos run that is killed.
process.stdin.resume().once('end', () => process.exit())

const names = process.argv.slice(2)
const { PORT, STATE_DIR } = process.env

const stack = await startStack({
  port: Number(PORT),
  stateDir: STATE_DIR!,
  variables: variablesOf(process.env),
  components: components().filter(({ name }) => names.includes(name)),
})
// `npm start` sweeps at once; a deployed cron trigger does not, so the first sweep comes after a minute here too.
setInterval(() => stack.sweep().catch(() => undefined), 60_000) // Fails while the runtime restarts after a crash.
