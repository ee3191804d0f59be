// The invariants of a chaos run of the queue about concurrent requests: by the work at the target, which continues after its
// connection has broken.
import type { Invariant } from '../invariant.ts'
import type { Arrival, QueueRun } from './record.ts'

/** The keys that more than one item has. */
export const repeated = <Item>(items: Item[], keyOf: (item: Item) => string): string[] =>
  [...Map.groupBy(items, keyOf)].flatMap(([key, same]) => (same.length > 1 ? [key] : []))

export const noMoreThanDaemons: Invariant<QueueRun> = {
  name: 'a worker never has more requests open than it has daemons; a strictly serial one gives the target no more work at a time, also after kills',
  violations: ({ arrivals, daemons, strictWorkers }) =>
    Object.entries(daemons).flatMap(([worker, allowed]) => {
      const spans = arrivals.filter((arrival) => arrival.worker === worker)
      const max = maxConcurrent(strictWorkers.includes(worker) ? spans.map(workOf) : spans)
      return max > allowed ? [`${worker}: ${max} at once with ${allowed} daemons`] : []
    }),
}

const workOf = ({ began, worked }: Arrival) => ({ began, ended: worked })

export const noMoreThanPerKey: Invariant<QueueRun> = {
  name: 'the target never works on more tasks of a key than may run at a time, also after kills',
  violations: ({ arrivals, keyConcurrency }) =>
    [...Map.groupBy(arrivals, ({ key }) => key)].flatMap(([key, spans]) => {
      const max = key === undefined ? 0 : maxConcurrent(spans.map(workOf))
      const allowed = spans[0]!.worker === 'ordered' ? 1 : keyConcurrency
      return max > allowed ? [`${key}: ${max} at once, ${allowed} allowed`] : []
    }),
}

/** Checks that all attempts of a task of the worker `ordered` come before those of the next task of its key. */
export const strictOrder: Invariant<QueueRun> = {
  name: 'with order, no task of a key comes between two attempts of another one',
  violations: ({ arrivals }) => {
    const ordered = arrivals.filter(({ worker, key }) => worker === 'ordered' && key !== undefined)
    return [...Map.groupBy(ordered, ({ key }) => key)].flatMap(([key, those]) => {
      const numbers = those.toSorted((a, b) => a.began - b.began).map(({ number }) => number)
      const turns = numbers.filter((number, at) => number !== numbers[at - 1])
      return repeated(turns, String).map((number) => `${key}: another task came before number ${number} had ended`)
    })
  },
}

/** The maximum number of time spans that overlap. Spans that only touch do not overlap. */
function maxConcurrent(spans: { began: number; ended: number }[]): number {
  const edges = spans.flatMap(({ began, ended }) => [
    { at: began, step: 1 },
    { at: ended, step: -1 },
  ])
  edges.sort((a, b) => a.at - b.at || a.step - b.step)
  let open = 0
  let max = 0
  for (const { step } of edges) {
    open += step
    max = Math.max(max, open)
  }
  return max
}
