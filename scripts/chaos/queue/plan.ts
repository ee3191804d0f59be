// Plans the load of a run: tasks with every behavior for each worker, and fractions between them.
import type { Random } from '../../lib/random.ts'
import type { Behavior, TaskOrder } from './record.ts'

/** Number of daemons of each worker. */
export const daemons = { one: 1, two: 2, many: 8 }

/** Maximum number of concurrent tasks of one key, in the worker `many`. */
export const keyConcurrency = 2

/** Value of `QUEUE_WORKERS`. */
export const workersVariable = { ...daemons, many: { daemons: daemons.many, per_key: { concurrency: keyConcurrency } } }

const behaviors: [Behavior, number][] = [
  ['at_once', 74],
  ['slowly', 8],
  ['error', 7],
  ['cut', 4],
  ['torn', 3],
  ['recovers', 4],
]
const workers: [keyof typeof daemons, number][] = [
  ['one', 1],
  ['two', 1],
  ['many', 8],
]

/** `size` tasks, and fractions among the first half of them. */
export function planOf(size: number, random: Random): TaskOrder[] {
  const tasks = Array.from({ length: size }, () => ({
    worker: random.oneOf(workers),
    behavior: random.oneOf(behaviors),
    retries: random.share() < 0.4 ? random.between(2, 4) : 0,
    delay: random.share() < 0.05 ? random.between(1, 5) : 0,
  }))
  const all: Omit<TaskOrder, 'number'>[] = [...tasks]
  for (const fraction of fractionsOf(size)) all.splice(random.between(0, size / 2), 0, fraction)
  return all.map((order, number) => ({ ...order, number, ...keyOf(order.worker, number) }))
}

/** Half of the tasks of `many` have one of five keys. */
const keyOf = (worker: string, number: number) =>
  worker === 'many' && number % 2 === 0 ? { key: `key-${number % 5}` } : {}

/** Three small fractions, and for a large run three more: with many pieces, with a long range, and below zero. */
function fractionsOf(size: number): Omit<TaskOrder, 'number'>[] {
  const fraction = (worker: keyof typeof daemons, retries: number, min: number, max: number, gap: number) => {
    return { worker, behavior: 'mixed' as const, retries, delay: 0, range: { min, max, gap } }
  }
  const small = [fraction('two', 0, 1, 1_000, 7), fraction('many', 3, -50, 5_000, 100), fraction('one', 0, 0, 200, 10)]
  if (size < 10_000) return small
  return [
    ...small,
    fraction('many', 0, 1, 1_000_000, 100),
    fraction('many', 2, 0, 999_999_999_999, 1_000_000_007),
    fraction('two', 0, -1_000, -1, 3),
  ]
}

/** A task for each worker that is due two seconds later, after the kill that follows at once. */
export const reminders = (from: number): TaskOrder[] =>
  Object.keys(daemons).map((worker, i) => ({ number: from + i, worker, behavior: 'at_once', retries: 0, delay: 2 }))

/** Approximate number of requests of these tasks. */
export const requestsOf = (orders: TaskOrder[]) =>
  orders.reduce((sum, { range }) => sum + (range ? Math.ceil((range.max - range.min + 1) / range.gap) : 1.1), 0)
