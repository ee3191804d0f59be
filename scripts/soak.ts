// npm run soak [-- minutes]: loads all components with a realistic mix from a second process, and checks that latency and
// memory stay flat. SOAK_SECONDS sets the duration in seconds, SOAK_RATE the operations a second, SOAK_ONLY the components
// under load (comma-separated), SOAK_PLOT the path of the picture. The components get all other variables, and those of
// .dev.vars.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { faultsOf } from './soak/faults.ts'
import { mix } from './soak/mix/mix.ts'
import { plotOf } from './soak/plot/plot.ts'
import { reportOf } from './soak/report.ts'
import { soak } from './soak/run.ts'
import { variablesOf } from './stack/variables.ts'

const [minutes = '10'] = process.argv.slice(2)
const { SOAK_SECONDS, SOAK_RATE = '20', SOAK_ONLY = '', SOAK_PLOT = '.build/soak.svg' } = process.env
const seconds = Number(SOAK_SECONDS ?? Number(minutes) * 60)
const rate = Number(SOAK_RATE)
const only = SOAK_ONLY.split(',').filter(Boolean)

const unknown = only.filter((name) => !(name in mix))
if (unknown.length > 0) refuse(`SOAK_ONLY has ${unknown.join(', ')}; there are ${Object.keys(mix).join(', ')}`)
if (!(seconds > 0 && rate > 0)) refuse('The minutes, and SOAK_RATE, must be numbers above 0')

const stop = new AbortController()
let interrupted: number | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    // At Ctrl-C both the terminal and npm send a signal, so a second one within a second is ignored. A later one ends
    // the process at once.
    if (interrupted !== undefined && performance.now() - interrupted > 1_000) process.exit(130)
    interrupted ??= performance.now()
    stop.abort()
  })

const components = only.length > 0 ? only : Object.keys(mix)
console.log(`${rate} operations a second for ${seconds} s over ${components.join(', ')}`)
const variables = variablesOf(process.env)
const result = await soak({ seconds, rate, components, variables, signal: stop.signal })
console.log(`\n${reportOf(result)}`)
if (result.calls.length > 0) {
  await mkdir(dirname(SOAK_PLOT), { recursive: true })
  await writeFile(SOAK_PLOT, plotOf(result, `Soak of ${seconds} s at ${rate} operations a second`))
  console.log(`\n${SOAK_PLOT}`)
}
process.exit(interrupted !== undefined ? 130 : faultsOf(result).length > 0 ? 1 : 0)

function refuse(message: string): never {
  console.error(message)
  process.exit(1)
}
