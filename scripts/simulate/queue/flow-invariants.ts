// The invariants of a simulated queue about several tasks: concurrency limits, order, and progress.
import { type Entry, type QueueRecord, rowsOf, slackMs, type TargetArrival } from './record.ts'

/** The target never works on more requests of a key, or of a serial worker, than may run at a time, also after crashes. */
export function overlapViolations({ plan, arrivals, entries }: QueueRecord): string[] {
  // A clock step moves the deadlines of lost requests.
  if (plan.clockSteps.length > 0) return []
  const { daemons, keyConcurrency } = plan.worker
  const keys = new Map(entries.map(({ n, key }) => [n, key]))
  const groups = [...Map.groupBy(arrivals, ({ n }) => keys.get(n))]
  return [
    ...(daemons === 1 ? overlaps(arrivals, 1, 'the serial worker') : []),
    ...groups.flatMap(([key, those]) =>
      key === undefined || keyConcurrency === undefined ? [] : overlaps(those, keyConcurrency, `key ${key}`),
    ),
  ]
}

function overlaps(arrivals: TargetArrival[], limit: number, name: string): string[] {
  const edges = arrivals.flatMap(({ at, worked }) => [
    { at, step: 1 },
    { at: worked, step: -1 },
  ])
  edges.sort((a, b) => a.at - b.at || a.step - b.step)
  let open = 0
  for (const { at, step } of edges) {
    open += step
    if (open > limit) return [`${name}: ${open} requests at once at ${at}, ${limit} allowed`]
  }
  return []
}

/**
 * First attempts of tasks that are due at once come in the order of their creation, for each key: if the worker is serial, or runs one
 * task of a key at a time.
 */
export function orderViolations(record: QueueRecord): string[] {
  const { plan, arrivals, entries } = record
  if (plan.clockSteps.length > 0) return []
  if (plan.worker.daemons > 1 && plan.worker.keyConcurrency !== 1) return []
  const begun = new Map<number, number>()
  for (const { n, attempt, at } of arrivals) if (attempt === 1) begun.set(n, Math.min(at, begun.get(n) ?? at))
  const plain = entries.filter(
    (entry) => !entry.range && !entry.isSchedule && entry.delay === 0 && entry.number !== undefined,
  )
  const flows = Map.groupBy(plain, ({ key }) => key)
  return [...flows].flatMap(([key, flow]) =>
    key === undefined && plan.worker.daemons > 1 ? [] : misplaced(record, flow, begun),
  )
}

/** With `order`, no other task of a key starts between the first and the last attempt of a task. */
export function interleavings({ plan, entries, arrivals }: QueueRecord): string[] {
  if (!plan.worker.isOrdered || plan.clockSteps.length > 0) return []
  const keyed = new Map(entries.flatMap((entry) => (entry.key === undefined ? [] : [[entry.n, entry]])))
  const flows = Map.groupBy(arrivals, ({ n }) => keyed.get(n)?.key)
  return [...flows].flatMap(([key, flow]) => (key === undefined ? [] : intruders(flow, keyed)))
}

function intruders(flow: TargetArrival[], entries: Map<number, Entry>): string[] {
  const inTurn = flow.toSorted((one, other) => one.at - other.at)
  return [...Map.groupBy(inTurn, ({ id }) => id)].flatMap(([id, own]) => {
    const { n, cancels, retryCalls, range } = entries.get(own[0]!.n)!
    // A task that a caller has canceled or retried starts again, behind the others.
    if (range || cancels.length + retryCalls.length > 0) return []
    const between = inTurn.slice(inTurn.indexOf(own[0]!), inTurn.indexOf(own.at(-1)!))
    const others = between.filter((arrival) => arrival.id !== id)
    return others.map((other) => `task ${other.n} started at ${other.at}, between two attempts of task ${n}`)
  })
}

/** A worker with a rate limit never starts more requests than two whole periods allow in the time of one. */
export function rateViolations({ plan, arrivals }: QueueRecord): string[] {
  const { rate } = plan.worker
  if (!rate || plan.clockSteps.length > 0) return []
  const times = arrivals.map(({ at }) => at).sort((a, b) => a - b)
  const at = times.find(
    (time, i) => (times[i + 2 * rate.limit] ?? Number.POSITIVE_INFINITY) - time < rate.periodMs - slackMs,
  )
  return at === undefined ? [] : [`more than ${2 * rate.limit} requests from ${at} on in ${rate.periodMs} ms`]
}

function misplaced(record: QueueRecord, flow: Entry[], begun: Map<number, number>): string[] {
  const due = new Map(flow.map((entry) => [entry.n, entry.created.sent]))
  return flow.flatMap((later) => {
    const start = begun.get(later.n)
    if (start === undefined) return []
    const overtaken = flow.filter((entry) => {
      const own = begun.get(entry.n)
      const isSame = (entry.priority ?? 5) === (later.priority ?? 5)
      const isBefore = isSame && due.get(entry.n)! + 1 < due.get(later.n)! && entry.created.acked! + slackMs < start
      // A retry by a caller makes a task due again.
      return own !== undefined && isBefore && own > start && entry.retryCalls.length === 0
    })
    return overtaken
      .filter((entry) => rowsOf(record, entry).length > 0)
      .map((entry) => `task ${later.n} started at ${start}, before task ${entry.n}, which was created earlier`)
  })
}

/** Share of a worker's daemons that keys with failing targets may take. */
const maxWaitMs = 10_000

/** While some keys fail or are slow, the healthy tasks of other keys start soon. */
export function progressViolations({ plan, entries, arrivals, pauses, crashes }: QueueRecord): string[] {
  const { daemons, keyConcurrency } = plan.worker
  if (keyConcurrency === undefined || crashes.length + pauses.length + plan.clockSteps.length > 0) return []
  const isHealthy = ({ behavior, sleep, key, range }: Entry) =>
    behavior === 'good' && sleep === 0 && key !== undefined && !range
  const sick = new Set(entries.filter((entry) => !isHealthy(entry)).map(({ key }) => key))
  // Tasks without a key have no limit, so that they may take all daemons.
  if (sick.has(undefined) || sick.size * keyConcurrency >= daemons) return []
  return entries
    .filter((entry) => isHealthy(entry) && !sick.has(entry.key) && entry.cancels.length === 0 && !entry.isSchedule)
    .flatMap((entry) => {
      const first = arrivals.find(({ n }) => n === entry.n)
      const due = (entry.created.acked ?? Number.POSITIVE_INFINITY) + entry.delay
      const isLate = entry.expires === undefined && (first?.at ?? Number.POSITIVE_INFINITY) > due + maxWaitMs
      return isLate
        ? [`healthy task ${entry.n} of key ${entry.key} was due at ${due}, and started at ${first?.at}`]
        : []
    })
}
