// npm run simulate <component>: runs random scenarios of a component in a deterministic simulation, with a virtual clock, a
// scripted network and crashes, and checks invariants such as "no task is sent twice". SEEDS is the number of scenarios, SEED runs
// one of them again: the same seed gives the same scenario.
import { existsSync, globSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { runSeeds, textOf } from './simulate/seeds.ts'

const [component = ''] = process.argv.slice(2)
if (!component || !existsSync(resolve('scripts/simulate', component, 'simulation.ts'))) {
  const known = globSync('scripts/simulate/*/simulation.ts').map((file) => basename(dirname(file)))
  console.error(`Name a component: ${known.sort().join(', ')}`)
  process.exit(1)
}

/** Failed seeds that are printed. */
const maxFailures = 5

const { SEED, SEEDS = '10000' } = process.env
const seeds = SEED === undefined ? { from: 1, count: Number(SEEDS) } : { from: Number(SEED), count: 1 }

const began = performance.now()
const { failed } = await runSeeds({ component, ...seeds, maxFailures })
const seconds = ((performance.now() - began) / 1_000).toFixed(1)
for (const one of failed.slice(0, maxFailures)) console.log(textOf(component, one))
console.log(
  `${component}: ${seeds.count} scenarios in ${seconds} s, ${failed.length === 0 ? 'all invariants hold' : 'FAILED'}`,
)
process.exitCode = failed.length === 0 ? 0 : 1
