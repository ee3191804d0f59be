// The figures of the queue benchmark, which are measured for each queue.
import type { Measured } from '../load.ts'
import type { QueueContender } from './contender.ts'
import type { Remote } from './remote.ts'
import type { BenchTarget } from './target.ts'

/** A figure that is measured for each queue. */
export interface Figure {
  name: string
  measure(contender: Remote<QueueContender>, target: Remote<BenchTarget>, seconds: number): Promise<Partial<Measured>>
  /** The goal for our queue, which must also be ahead of each peer. */
  goal?: { rate: number } | { p99: number }
}

export const figures: Figure[] = [
  { name: 'dispatch, 1 daemon', measure: dispatchBy(1), goal: { rate: 1_500 } },
  { name: 'dispatch, 8 daemons', measure: dispatchBy(8), goal: { rate: 3_000 } },
  { name: 'dispatch, 64 daemons', measure: dispatchBy(64) },
  { name: 'lateness, 1 idle daemon', measure: lateness, goal: { p99: 15 } },
  {
    name: 'enqueue, 16 at a time',
    measure: async (contender, _, seconds) => ({ rate: await contender.enqueue(seconds) }),
  },
]

/** Measures how many tasks a second reach the target if many are waiting when the daemons start. */
function dispatchBy(daemons: number): Figure['measure'] {
  return async (contender, target, seconds) => {
    const count = Math.ceil(seconds * 3_333)
    await target.reset()
    await contender.fill(count, daemons)
    await contender.start(daemons)
    const rate = await target.rate(count)
    await contender.stop()
    return { rate }
  }
}

/** Measures the delay between the due time of a task and its arrival, without other load. */
async function lateness(contender: Remote<QueueContender>, target: Remote<BenchTarget>, seconds: number) {
  const count = Math.ceil(seconds * 100)
  await target.reset()
  await contender.start(1)
  let due = Date.now() + 1_500
  await contender.schedule(Array.from({ length: count }, () => (due += 10 + Math.floor(Math.random() * 20))))
  const late = (await target.lateness(count)).sort((a, b) => a - b)
  await contender.stop()
  const at = (share: number) => late[Math.floor(late.length * share)]!
  return { p50: at(0.5), p99: at(0.99) }
}
