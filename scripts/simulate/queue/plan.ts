// Makes the random scenario of a seed: a worker, the calls of its clients, the behavior of the target, and the faults.
import type { Random } from '../../lib/random.ts'

/** How the target answers the requests of a task. `good` always succeeds, `dead` never, `flaky` sometimes. */
type TargetBehavior = 'good' | 'slow' | 'flaky' | 'dead'

/** A task or a fraction to create. Times are milliseconds. */
export interface TaskPlan {
  /** Number of the task within the scenario, which its requests carry. */
  n: number
  behavior: TargetBehavior
  key?: string
  retries: number
  retryDelay: number
  timeout: number
  delay: number
  expires?: number
  sleep: number
  method: 'POST' | 'GET'
  /** Whether the task is stored like one with secrets. */
  isSealed: boolean
  /** Repeats the call with the same idempotency key until there is a reply. */
  isIdempotent: boolean
  priority?: number
  range?: { min: number; max: number; gap: number }
}

/** A call of a client. */
export type Call =
  | { does: 'create'; at: number; task: TaskPlan }
  | { does: 'cancel' | 'retry' | 'read'; at: number; n: number }
  | { does: 'pause'; at: number; duration: number }
  | { does: 'schedule'; at: number; duration: number; task: TaskPlan; everySeconds: number }
  | { does: 'list' | 'measure' | 'configure'; at: number }

/** A worker of the queue: its settings as `PUT /worker` gets them, and the limits that follow from them. */
interface WorkerPlan {
  name: string
  daemons: number
  keyConcurrency?: number
  isOrdered?: boolean
  /** Maximum number of requests that start per period. */
  rate?: { limit: number; periodMs: number }
  settings: object
}

export interface QueuePlan {
  worker: WorkerPlan
  calls: Call[]
  /** Numbers of storage operations before the next crash. */
  crashes: number[]
  /** Times of crashes between two events. */
  crashTimes: { at: number; isRegistry: boolean }[]
  /** Steps of the wall clock. */
  clockSteps: { at: number; by: number }[]
  /** Maximum milliseconds until writes are durable. */
  maxCommitDelay: number
  maxLatency: number
  isLossy: boolean
}

const workerOf = (name: string, { rate, ...limits }: Omit<WorkerPlan, 'name' | 'settings'>): WorkerPlan => {
  const { daemons, keyConcurrency, isOrdered } = limits
  const per_key = { ...(isOrdered ? { order: true } : keyConcurrency && { concurrency: keyConcurrency }) }
  const settings = { daemons, per_key, ...(rate && { rate: { limit: rate.limit, period: rate.periodMs / 1_000 } }) }
  return { name, ...limits, ...(rate && { rate }), settings }
}

/** The workers of all scenarios. */
const workers: readonly WorkerPlan[] = [
  workerOf('serial', { daemons: 1 }),
  workerOf('turns', { daemons: 3, keyConcurrency: 1 }),
  workerOf('limited', { daemons: 5, keyConcurrency: 2 }),
  workerOf('free', { daemons: 3 }),
  workerOf('wide', { daemons: 12, keyConcurrency: 3 }),
  workerOf('ordered', { daemons: 4, keyConcurrency: 1, isOrdered: true }),
  workerOf('paced', { daemons: 4, keyConcurrency: 2, rate: { limit: 3, periodMs: 1_000 } }),
]

const keys = ['a', 'b', 'c', 'd']

/** Duration of the calls of a scenario. */
const callsMs = 20_000

export function planOf(random: Random): QueuePlan {
  const worker = random.oneOf(workers.map((one) => [one, 1] as const))
  const isFaulty = random.share() < 0.75
  const tasks = random.between(3, 22)
  // Only with many requests at once do daemons send from separate invocations.
  const habit = { ...habitOf(random), ...(worker.daemons > 6 && { pace: burstPace }) }
  const calls: Call[] = [{ does: 'configure', at: 0 }]
  if (random.share() < 0.2) calls.push({ does: 'configure', at: timeOf(random) })
  for (let n = 0; n < tasks; n++)
    calls.push({ does: 'create', at: 500 + random.share() * callsMs * habit.pace, task: taskPlan(random, n, habit) })
  for (let i = random.between(0, 12); i > 0; i--) calls.push(otherCall(random, tasks))
  if (random.share() < 0.2) calls.push(schedulePlan(random, tasks))
  if (random.share() < 0.2) calls.push({ does: 'pause', at: timeOf(random), duration: random.between(1, 6_000) })
  return {
    worker,
    calls,
    crashes: isFaulty ? Array.from({ length: random.between(0, 3) }, () => random.between(20, 600)) : [],
    crashTimes: isFaulty
      ? Array.from({ length: random.between(0, 2) }, () => ({ at: timeOf(random), isRegistry: random.share() < 0.2 }))
      : [],
    clockSteps: random.share() < 0.1 ? [{ at: timeOf(random), by: random.between(-300_000, 600_000) }] : [],
    maxCommitDelay: random.oneOf([
      [0, 2],
      [8, 1],
    ]),
    maxLatency: random.oneOf([
      [1, 1],
      [10, 2],
    ]),
    isLossy: isFaulty && random.share() < 0.5,
  }
}

/** A time after the worker was created. */
const timeOf = (random: Random) => 500 + random.share() * callsMs

/** The share of the scenario's time in which the tasks of a burst are created. */
const burstPace = 0.05

/** The mix of tasks of one scenario, so that scenarios differ. */
const habitOf = (random: Random) => ({
  prioritized: random.oneOf([
    [0, 3],
    [0.5, 1],
  ]),
  keyed: random.oneOf([
    [0, 1],
    [0.7, 2],
    [1, 1],
  ]),
  pace: random.oneOf([
    [1, 2],
    [burstPace, 1],
  ]),
  behaviors: random.oneOf<(readonly [TargetBehavior, number])[]>([
    [[['good', 1]], 1],
    [
      [
        ['good', 3],
        ['slow', 1],
        ['flaky', 3],
        ['dead', 1],
      ],
      4,
    ],
    [[['flaky', 1]], 2],
  ]),
})

function taskPlan(random: Random, n: number, { keyed, prioritized, behaviors }: ReturnType<typeof habitOf>): TaskPlan {
  const key = random.share() < keyed ? random.oneOf(keys.map((one) => [one, 1] as const)) : undefined
  const isFraction = random.share() < 0.15
  const min = random.between(-5, 5)
  return {
    n,
    behavior: random.oneOf(behaviors),
    ...(key !== undefined && { key }),
    retries: random.oneOf([
      [0, 3],
      [1, 1],
      [2, 2],
      [4, 1],
    ]),
    retryDelay: random.oneOf([
      [0, 1],
      [300, 1],
      [2_000, 2],
    ]),
    timeout: random.oneOf([
      [1_000, 1],
      [2_000, 1],
      [5_000, 1],
    ]),
    delay: random.oneOf([
      [0, 6],
      [random.between(1, 3_000), 1],
      [random.between(3_000, 30_000), 1],
    ]),
    ...(!isFraction && random.share() < 0.15 && { expires: random.between(1_000, 8_000) }),
    ...(random.share() < prioritized && {
      priority: random.oneOf([
        [0, 1],
        [5, 1],
        [9, 1],
      ]),
    }),
    sleep: random.oneOf([
      [0, 8],
      [random.between(1, 1_500), 1],
    ]),
    method: random.oneOf([
      ['POST', 9],
      ['GET', 1],
    ]),
    isSealed: !isFraction && random.share() < 0.1,
    isIdempotent: random.share() < 0.4,
    ...(isFraction && { range: { min, max: min + random.between(0, 9), gap: random.between(1, 4) } }),
  }
}

function otherCall(random: Random, tasks: number): Call {
  const at = timeOf(random)
  const n = random.between(0, tasks - 1)
  return random.oneOf<Call>([
    [{ does: 'cancel', at, n }, 3],
    [{ does: 'retry', at: at + random.between(0, 10_000), n }, 3],
    [{ does: 'read', at, n }, 2],
    [{ does: 'list', at }, 1],
    [{ does: 'measure', at }, 1],
  ])
}

function schedulePlan(random: Random, n: number): Call {
  const task = { ...taskPlan(random, n, habitOf(random)), delay: 0, isIdempotent: true }
  const { range: _, ...plain } = task
  return {
    does: 'schedule',
    at: timeOf(random) / 2,
    duration: random.between(5_000, 20_000),
    task: plain,
    everySeconds: random.oneOf([
      [1, 1],
      [3, 1],
      [5, 1],
    ]),
  }
}
