// One thread of a simulation: runs its seeds one after the other, with the globals of the platform replaced.
import { hash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { hookModules } from './module-hooks.ts'
import './platform/bytes.ts'
import type { SeedResults, SimulationModule, ThreadTask } from './seeds.ts'

const { component, from, count, step, maxFailures, defect } = workerData as ThreadTask

hookModules(defect)
const { simulate } = (await import(`./${component}/simulation.ts`)) as SimulationModule

const results: SeedResults = { failed: [], hashes: new Map() }
for (let at = 0; at < count && results.failed.length < maxFailures; at += step) {
  const seed = from + at
  const { violations, trace } = await simulate(seed)
  if (violations.length > 0) results.failed.push({ seed, violations })
  results.hashes.set(seed, hash('sha256', trace))
}
parentPort!.postMessage(results)
