// npm run soak [-- minutes]: a realistic mix over all components at once, from a second process, and whether latency and
// memory stay flat. SOAK_SECONDS in place of minutes; SOAK_RATE: operations a second; SOAK_ONLY: the components that are
// worked, separated by commas; SOAK_PLOT: where the picture goes. What else is set, and .dev.vars, is for the components.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { faultsOf } from './soak/judge.ts'
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
    // npm passes on what the terminal has told this process already.
    if (interrupted !== undefined && performance.now() - interrupted > 1_000) process.exit(130)
    interrupted ??= performance.now()
    stop.abort()
  })

const components = only.length > 0 ? only : Object.keys(mix)
console.log(`${rate} operations a second for ${seconds} s over ${components.join(', ')}`)
const variables = variablesOf(process.env)
const seen = await soak({ seconds, rate, components, variables, signal: stop.signal })
console.log(`\n${reportOf(seen)}`)
if (seen.calls.length > 0) {
  await mkdir(dirname(SOAK_PLOT), { recursive: true })
  await writeFile(SOAK_PLOT, plotOf(seen, `Soak of ${seconds} s at ${rate} operations a second`))
  console.log(`\n${SOAK_PLOT}`)
}
process.exit(interrupted !== undefined ? 130 : faultsOf(seen).length > 0 ? 1 : 0)

function refuse(message: string): never {
  console.error(message)
  process.exit(1)
}
