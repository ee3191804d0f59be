// npm run chaos <component>: works it hard while it is killed again and again, then holds what was recorded to its laws.
// CHAOS_SIZE: how many tasks, documents or recipients; CHAOS_KILLS; CHAOS_SEED: the same seed draws the same work and the same kills.
import { existsSync, globSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Chaos, LawVerdict } from './chaos/law.ts'

/** How many breaches of a law are printed. */
const shown = 20

const [component = ''] = process.argv.slice(2)
const module = resolve('scripts/chaos', component, 'run.ts')
if (!component || !existsSync(module)) {
  const known = globSync('scripts/chaos/*/run.ts').map((file) => basename(dirname(file)))
  console.error(`Say which: ${known.sort().join(', ')}`)
  process.exit(1)
}

const { long, run } = (await import(module)) as Chaos
const {
  CHAOS_SIZE = long.size,
  CHAOS_KILLS = long.kills,
  CHAOS_SEED = Math.floor(Math.random() * 2 ** 31),
} = process.env
console.log(`CHAOS_SEED=${CHAOS_SEED}`)

const began = performance.now()
const seconds = () => ((performance.now() - began) / 1_000).toFixed(1).padStart(6)
const { figures, verdicts } = await run({
  size: Number(CHAOS_SIZE),
  kills: Number(CHAOS_KILLS),
  seed: Number(CHAOS_SEED),
  log: (line) => console.log(`${seconds()} s  ${line}`),
})

console.log(`\n${component}, after ${seconds().trim()} s`)
for (const [name, figure] of Object.entries(figures)) console.log(`${String(figure).padStart(8)}  ${name}`)
console.log('')
for (const verdict of verdicts) console.log(linesOf(verdict).join('\n'))
process.exitCode = verdicts.some(({ breaches }) => breaches.length > 0) ? 1 : 0

function linesOf({ name, breaches }: LawVerdict): string[] {
  if (breaches.length === 0) return [`   holds  ${name}`]
  const more = breaches.length > shown ? [`          and ${breaches.length - shown} more`] : []
  return [`  BROKEN  ${name}`, ...breaches.slice(0, shown).map((line) => `          ${line}`), ...more]
}
