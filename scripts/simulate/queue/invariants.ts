// The invariants of a simulated scenario of the queue.
import type { TaskRow } from '#queue/tables'
import {
  interleavings,
  orderViolations,
  overlapViolations,
  progressViolations,
  rateViolations,
} from './flow-invariants.ts'
import { type Entry, markerOf, type QueueRecord, rowsOf, slackMs, type TargetArrival } from './record.ts'

/** The queue rounds its times to milliseconds. */
const roundingMs = 2

const endStates = ['done', 'failed', 'lost', 'canceled']

/** Everything that is wrong in a record, one line each. */
export function violationsOf(record: QueueRecord): string[] {
  return [
    ...record.faults.map((fault) => `fault: ${fault}`),
    ...(record.isAtRest ? [] : ['some tasks have not ended']),
    ...record.entries.flatMap((entry) => entryViolations(record, entry)),
    ...record.rows.flatMap((row) => rowViolations(record, row)),
    ...foreignRows(record),
    ...pauseViolations(record),
    ...overlapViolations(record),
    ...orderViolations(record),
    ...interleavings(record),
    ...rateViolations(record),
    ...progressViolations(record),
  ]
}

const nameOf = ({ n, retries, behavior }: Entry) => `task ${n} (${behavior}, ${retries} retries)`

function entryViolations(record: QueueRecord, entry: Entry): string[] {
  const rows = rowsOf(record, entry)
  const arrivals = record.arrivals.filter(({ n }) => n === entry.n)
  const name = nameOf(entry)
  const problems: string[] = []
  const say = (text: string) => problems.push(`${name}: ${text}`)
  if (!entry.isSchedule) {
    if (entry.number !== undefined && rows[0]?.id !== entry.number)
      say(`the acknowledged row ${entry.number} is missing`)
    if (rows.length > 1) say(`${rows.length} rows for one call`)
    if (entry.created.acked === undefined && entry.isIdempotent) say('its creation was never acknowledged')
  }
  const attempts = Map.groupBy(arrivals, ({ id, piece, attempt }) => `${id} ${piece} attempt ${attempt}`)
  for (const [attempt, same] of attempts) if (same.length > 1) say(`${attempt} reached the target ${same.length} times`)
  const rounds = 1 + entry.retryCalls.length
  for (const [piece, tried] of Map.groupBy(arrivals, ({ id, piece }) => `${id} ${piece}`))
    if (tried.length > rounds * (entry.retries + 1)) say(`${piece} reached the target ${tried.length} times`)
  for (const text of expiryViolations(record, entry, arrivals)) say(text)
  for (const text of retryAfterViolations(record, entry, arrivals)) say(text)
  for (const text of cancelViolations(entry, arrivals)) say(text)
  return problems
}

/** A request that arrives after the expiry of its task. A caller's retry ends the expiry; a clock step moves it. */
function expiryViolations({ plan }: QueueRecord, entry: Entry, arrivals: TargetArrival[]): string[] {
  if (entry.expires === undefined || entry.retryCalls.length > 0 || plan.clockSteps.length > 0) return []
  if (entry.isSchedule) return []
  const end = (entry.created.acked ?? entry.created.sent + 5_000) + entry.delay + entry.expires + slackMs
  return arrivals.filter(({ at }) => at > end).map(({ at }) => `a request arrived at ${at}, after its expiry at ${end}`)
}

/** An attempt that arrives before the time in the `Retry-After` of the one before it. */
function retryAfterViolations({ plan, crashes }: QueueRecord, entry: Entry, arrivals: TargetArrival[]): string[] {
  // After a crash the queue may not know the response. A caller's retry is due at once.
  if (plan.clockSteps.length > 0 || crashes.length > 0 || entry.retryCalls.length > 0) return []
  return arrivals.flatMap(({ worked, retryAfter, id, piece, attempt }) => {
    const next = arrivals.find((one) => one.id === id && one.piece === piece && one.attempt === attempt + 1)
    return next && next.at < worked + retryAfter - roundingMs
      ? [`attempt ${next.attempt} arrived before Retry-After`]
      : []
  })
}

function cancelViolations({ cancels, retryCalls }: Entry, arrivals: TargetArrival[]): string[] {
  if (retryCalls.length > 0) return []
  return cancels.flatMap(({ acked }) => {
    const late = acked === undefined ? [] : arrivals.filter(({ at }) => at > acked + slackMs)
    return late.map(({ at }) => `a request arrived at ${at}, after the task was canceled at ${acked}`)
  })
}

function rowViolations(record: QueueRecord, row: TaskRow): string[] {
  const problems: string[] = []
  const say = (text: string) =>
    problems.push(`row ${row.id} (task ${markerOf(row)}, ${row.kind}, ${row.state}): ${text}`)
  if (!endStates.includes(row.state)) say('has not ended')
  if ((row.ended_at !== null) !== endStates.includes(row.state)) say(`its end is ${row.ended_at}`)
  if (row.tries > row.retries + 1) say(`${row.tries} attempts with ${row.retries} retries`)
  if (row.state === 'lost' && record.crashes.length === 0) say('is lost without a crash')
  if (row.kind === 'fraction') return [...problems, ...fractionViolations(record, row)]
  if (row.kind === 'task') for (const text of resultViolations(record, row)) say(text)
  return problems
}

/** The result of a task must be what the target answered to its last attempt. */
function resultViolations({ arrivals, plan }: QueueRecord, row: TaskRow): string[] {
  const id = `${plan.worker.name}-${row.id}`
  const own = arrivals.filter((arrival) => arrival.id === id)
  const last = own.find(({ attempt }) => attempt === row.attempts)
  const newest = Math.max(0, ...own.map(({ attempt }) => attempt))
  if (newest > row.attempts) return [`attempt ${newest} reached the target, of ${row.attempts} stored`]
  if (row.state === 'done') return last?.answer === row.status ? [] : [`its last answer is ${last?.answer}`]
  if (row.state === 'failed' && row.error === null && last?.answer !== row.status)
    return [`its status is ${row.status}, its last answer ${last?.answer}`]
  if (row.state === 'failed' && row.error !== 'expired' && row.attempts === 0) return ['failed without an attempt']
  return []
}

/** The pieces of a fraction must cover its range: each has ended, and those that are done have reached the target. */
function fractionViolations(record: QueueRecord, row: TaskRow): string[] {
  const { min, max, gap, done, failed, lost, next } = row
  const total = Math.ceil((max! - min! + 1) / gap!)
  const started = next === null ? total : (next - min!) / gap!
  const name = `fraction ${row.id}`
  const problems: string[] = []
  if (done + failed + lost !== started)
    problems.push(`${name}: ${done} + ${failed} + ${lost} pieces of ${started} ended`)
  if (row.state !== 'canceled' && started !== total)
    problems.push(`${name}: ${started} of ${total} pieces have started`)
  const id = `${record.plan.worker.name}-${row.id}`
  const good = record.arrivals.filter((one) => one.id === id && (one.answer === 200 || one.answer === 204))
  const succeeded = new Set(good.map(({ piece }) => piece)).size
  if (done > succeeded) problems.push(`${name}: ${done} pieces are done, ${succeeded} succeeded`)
  return problems
}

/** Rows that belong to no call, or to a call that the client could not have made. */
const foreignRows = ({ rows, entries }: QueueRecord) =>
  rows
    .filter((row) => !entries.some(({ n }) => n === markerOf(row)))
    .map((row) => `row ${row.id} belongs to no call of a client`)

const pauseViolations = ({ pauses, arrivals }: QueueRecord) =>
  pauses.flatMap(({ from, until }) =>
    arrivals
      .filter(({ at }) => at > from + slackMs && at < until)
      .map(({ n, at }) => `task ${n}: a request arrived at ${at}, in the pause from ${from} to ${until}`),
  )
