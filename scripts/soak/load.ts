// The process that asks, and that the components call: node scripts/soak/load.ts, as the child of soak.ts.

import { clientOf } from '../lib/http-client.ts'
import { randomOf } from '../lib/random.ts'
import { startTarget } from '../lib/target.ts'
import { arrive, type ScheduledCall } from './arrivals.ts'
import { mix } from './mix/mix.ts'
import type { SoakWorld } from './mix/operation.ts'

/** What the parent says. */
export type Order = { stop: true } | Begin

export interface Begin {
  url: string
  /** Names of components. */
  components: string[]
  rate: number
  seconds: number
}

/** What the child says: where it listens, that it is about to begin, and what came of it. */
export type News = { listening: string } | { began: true } | LoadResult

export interface LoadResult {
  /** Names. */
  operations: string[]
  calls: ScheduledCall[]
  /** What did not hold in the end. */
  broken: string[]
}

const tell = (news: News) => process.send!(news)

const stop = new AbortController()
// A terminal tells all processes, and the runtime ends then: what fails from now on is nobody's fault.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort())
process.on('disconnect', () => process.exit())
process.on('message', async (order: Order) => {
  if ('stop' in order) stop.abort()
  else tell(await work(order))
})

const target = await startTarget()
tell({ listening: target.url })

async function work({ url, components, rate, seconds }: Begin): Promise<LoadResult> {
  const random = randomOf(Date.now())
  let count = 0
  const run = random.between(0, 2 ** 31).toString(36)
  const world: SoakWorld = { ...clientOf(url), url, random, target, unique: () => `s${run}-${count++}` }
  const parts = components.map((name) => mix[name]!)
  for (const part of parts) await part.prepare?.(world)
  tell({ began: true })
  const began = performance.now()
  const operations = parts.flatMap((part) => part.operations)
  const make = (operation: (typeof operations)[number]) => operation.run(world)
  const calls = await arrive({ operations, rate, seconds, random, signal: stop.signal, make })
  const broken: string[] = []
  for (const part of stop.signal.aborted ? [] : parts)
    await part.check?.(world, performance.now() - began).catch((error: Error) => broken.push(error.message))
  return { operations: operations.map(({ name }) => name), calls, broken }
}
