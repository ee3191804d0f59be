// Plans the load of a chaos run of the queue: tasks with every behavior for each worker, and fractions between them.
import type { Random } from '../../lib/random.ts'
import type { Behavior, TaskOrder } from './record.ts'

/** Number of daemons of each worker. */
export const daemons = { one: 1, two: 2, many: 8, ordered: 4 }

/** Maximum number of concurrent tasks with one flow key, in the worker `many`. */
export const keyConcurrency = 2

/** Workers with `serial: strict`, whose daemons wait for the deadline of an interrupted request. */
export const strictWorkers = ['one', 'ordered']

/** Value of the variable `QUEUE_WORKERS`, which configures the workers of the run, except `ordered`. */
export const workersVariable = {
  one: daemons.one,
  two: daemons.two,
  many: { daemons: daemons.many, per_key: { concurrency: keyConcurrency } },
}

/** Settings for `PUT /worker`: the tasks of a key run strictly one after the other. */
export const orderedWorker = {
  ...{ name: 'ordered', daemons: daemons.ordered, serial: 'strict', per_key: { order: true } },
}

/** Keys of the worker `ordered`. A key that fails repeatedly is paused: with several keys, the others continue. */
const orderedKeys = 12

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
  ['ordered', 1],
]

/** Makes the orders of `size` tasks, with fractions among the first half of them. */
export function planOf(size: number, random: Random): TaskOrder[] {
  const tasks = Array.from({ length: size }, () => ({
    worker: random.oneOf(workers),
    behavior: random.oneOf(behaviors),
    retries: random.share() < 0.4 ? random.between(1, 3) : 0,
    delay: random.share() < 0.05 ? random.between(1, 5) : 0,
  }))
  const all: Omit<TaskOrder, 'number'>[] = [...tasks]
  for (const fraction of fractionsOf(size)) all.splice(random.between(0, size / 2), 0, fraction)
  return all.map((order, number) => ({ ...order, number, ...keyOf(order.worker, number) }))
}

/** The flow key of a task: half of the tasks of `many` have one of five keys, and all tasks of `ordered` have one. */
function keyOf(worker: string, number: number) {
  if (worker === 'ordered') return { key: `order-${number % orderedKeys}` }
  return worker === 'many' && number % 2 === 0 ? { key: `key-${number % 5}` } : {}
}

/**
 * The fractions of a run: three small ones and, for a large run, three more: with many pieces, with a long range, and
 * below zero.
 */
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

/**
 * One task per worker that becomes due two seconds later, after the next kill. Its request shows that the worker
 * resumes without a call.
 */
export const reminders = (from: number): TaskOrder[] =>
  Object.keys(daemons).map((worker, i) => ({ number: from + i, worker, behavior: 'at_once', retries: 0, delay: 2 }))

/** Approximate number of requests that these orders cause, as the total work of the run. */
export const requestsOf = (orders: TaskOrder[]) =>
  orders.reduce((sum, { range }) => sum + (range ? Math.ceil((range.max - range.min + 1) / range.gap) : 1.1), 0)
