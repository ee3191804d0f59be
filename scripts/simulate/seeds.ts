// Runs the scenarios of many seeds of a simulation on several threads.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Defect } from './module-hooks.ts'

/** The seeds to run, and where to stop. */
interface SeedRange {
  component: string
  /** The first seed. */
  from: number
  count: number
  /** Failed seeds after which no further ones run. */
  maxFailures: number
  /** A defect to plant in the code under test. */
  defect?: Defect
  threads?: number
}

/** A seed whose scenario violated an invariant. */
interface FailedSeed {
  seed: number
  violations: string[]
}

/** What a thread, or all threads, found. */
export interface SeedResults {
  failed: FailedSeed[]
  /** A hash of all that happened in the scenario of each seed, by seed. Equal seeds must have equal hashes. */
  hashes: Map<number, string>
}

/** What one thread runs: every `step`th seed. */
export interface ThreadTask extends Omit<SeedRange, 'threads'> {
  step: number
}

/** The module of a simulation, `scripts/simulate/<component>/simulation.ts`. */
export interface SimulationModule {
  /** Runs the scenario of a seed. Returns the violated invariants, and all that happened as text. */
  simulate(seed: number): Promise<{ violations: string[]; trace: string }>
}

/** Runs the seeds. The failed ones are in their order. */
export async function runSeeds({ threads = availableParallelism(), ...range }: SeedRange): Promise<SeedResults> {
  const used = Math.min(threads, range.count)
  const results = await Promise.all(
    Array.from({ length: used }, (_, i) =>
      runThread({ ...range, from: range.from + i, count: range.count - i, step: used }),
    ),
  )
  return {
    failed: results.flatMap(({ failed }) => failed).sort((a, b) => a.seed - b.seed),
    hashes: new Map(results.flatMap(({ hashes }) => [...hashes])),
  }
}

function runThread(task: ThreadTask): Promise<SeedResults> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(join(import.meta.dirname, 'thread.ts'), { workerData: task, execArgv: [] })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('A thread of the simulation has ended without a result')))
  })
}

/** The command that runs one seed again. */
const replayOf = (component: string, { seed }: Pick<FailedSeed, 'seed'>) => `SEED=${seed} npm run simulate ${component}`

/** Violations of one seed that are shown, since one defect may cause many. */
const maxShown = 8

/** A failed seed as text: the command to replay it, and the first violated invariants. */
export const textOf = (component: string, failed: FailedSeed) =>
  [replayOf(component, failed), ...[...new Set(failed.violations)].slice(0, maxShown).map((line) => `  ${line}`)].join(
    '\n',
  )
