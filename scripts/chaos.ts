// npm run chaos <component>: puts a component under load, kills its processes repeatedly, and then checks that the
// recorded run violates no invariant, such as "no message is sent twice". CHAOS_SIZE is the number of tasks, documents,
// payments or recipients, CHAOS_KILLS the number of kills. CHAOS_SEED is the random seed: the same seed gives the same
// load and the same kills.
import { existsSync, globSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { ChaosModule, InvariantResult } from './chaos/invariant.ts'

/** Maximum number of violations printed per invariant, so that a systematic error does not flood the terminal. */
const maxPrinted = 20

const [component = ''] = process.argv.slice(2)
const module = resolve('scripts/chaos', component, 'run.ts')
if (!component || !existsSync(module)) {
  const known = globSync('scripts/chaos/*/run.ts').map((file) => basename(dirname(file)))
  console.error(`Name a component: ${known.sort().join(', ')}`)
  process.exit(1)
}

const { long, run } = (await import(module)) as ChaosModule
const {
  CHAOS_SIZE = long.size,
  CHAOS_KILLS = long.kills,
  CHAOS_SEED = Math.floor(Math.random() * 2 ** 31),
} = process.env
console.log(`CHAOS_SEED=${CHAOS_SEED}`)

const began = performance.now()
const seconds = () => ((performance.now() - began) / 1_000).toFixed(1).padStart(6)
const { figures, results } = await run({
  size: Number(CHAOS_SIZE),
  kills: Number(CHAOS_KILLS),
  seed: Number(CHAOS_SEED),
  log: (line) => console.log(`${seconds()} s  ${line}`),
})

console.log(`\n${component}, after ${seconds().trim()} s`)
for (const [name, figure] of Object.entries(figures)) console.log(`${String(figure).padStart(8)}  ${name}`)
console.log('')
for (const result of results) console.log(linesOf(result).join('\n'))
process.exitCode = results.some(({ violations }) => violations.length > 0) ? 1 : 0

function linesOf({ name, violations }: InvariantResult): string[] {
  if (violations.length === 0) return [`   holds  ${name}`]
  const more = violations.length > maxPrinted ? [`          and ${violations.length - maxPrinted} more`] : []
  return [`  BROKEN  ${name}`, ...violations.slice(0, maxPrinted).map((line) => `          ${line}`), ...more]
}
