import type { Changes } from '../contract.ts'
import { amend, channelsOf, type Definition } from '../definition.ts'
import { failure } from '../errors.ts'
import { isSameRange } from '../range.ts'
import { channelsIn, readHead } from './head.ts'
import { forgetOutlets, tryOutlets } from './outlets.ts'
import { dropQueued, forgetRetryable } from './settling.ts'
import { inStep } from './step.ts'
import type { LedgerHead } from './tables.ts'

/** Opens the books of a delivery; nothing where they are open. */
export function openBooks(sql: SqlStorage, ledger: string, definition: Definition, now: number): void {
  if (readHead(sql)) return
  const { min, max, gap, max_per_second } = definition
  sql.exec(
    `INSERT INTO head (one, ledger, status, is_paused, min, max, gap, channels, max_per_second, version, revision, copied, is_amended, updated_at)
     VALUES (1, ?, 'started', 0, ?, ?, ?, ?, ?, 1, 1, 0, 0, ?)`,
    ...[ledger, min, max, gap, channelsOf(definition).join(','), max_per_second, now],
  )
  sql.exec('INSERT INTO definition (one, json) VALUES (1, ?)', JSON.stringify(definition))
}

export const readDefinition = (sql: SqlStorage): Definition =>
  JSON.parse(sql.exec<{ json: string }>('SELECT json FROM definition').one().json) as Definition

/** Changes what is still to be sent. 409 where the delivery has ended, or the range would change after its first piece. */
export function amendBooks(sql: SqlStorage, changes: Changes, now: number): void {
  inStep(sql, now, (head, closed) => {
    requireStarted(head)
    const hasBegun = sql.exec('SELECT 1 FROM pieces LIMIT 1').toArray().length > 0
    const definition = amend(readDefinition(sql), changes, hasBegun)
    sql.exec('UPDATE definition SET json = ?', JSON.stringify(definition))
    if (!isSameRange(head, definition)) withdrawFraction(sql, head)
    const { min, max, gap, max_per_second } = definition
    if (max_per_second !== head.max_per_second) restartRate(sql, head)
    const channels = channelsOf(definition)
    const dropped = channelsIn(head).filter((channel) => !channels.includes(channel))
    forgetOutlets(sql, dropped)
    for (const channel of dropped) dropQueued(sql, { head, closed }, { reason: 'channel_off', channel, now })
    Object.assign(head, { min, max, gap, max_per_second, channels: channels.join(','), updated_at: now, is_amended: 1 })
    head.version++
  })
}

/** What waits for its time by another rate may wait for long: the queue is told anew. */
function restartRate(sql: SqlStorage, head: LedgerHead): void {
  head.next_at = 0
  sql.exec('DELETE FROM slices')
}

/** Another one takes its place; so it does with one that the queue is just being told of. */
export function withdrawFraction(sql: SqlStorage, head: LedgerHead): void {
  if (head.fraction !== null) sql.exec('INSERT OR IGNORE INTO stale VALUES (?)', head.fraction)
  Object.assign(head, { fraction: null, fraction_from: null, fraction_number: head.fraction_number + 1 })
}

/** Lets nothing more be claimed, or resumes and tries each held outlet at once. Fine where it is so already; 409 for what has ended. */
export function pauseBooks(sql: SqlStorage, isPaused: boolean, now: number): void {
  inStep(sql, now, (head) => {
    requireStarted(head)
    if (!isPaused) tryOutlets(sql, now)
    if (head.is_paused !== Number(isPaused)) Object.assign(head, { is_paused: Number(isPaused), updated_at: now })
  })
}

/** Ends a delivery at once. What is under way is still recorded. Fine twice; 409 for one that is finished. */
export function cancelBooks(sql: SqlStorage, now: number): void {
  inStep(sql, now, (head, closed) => {
    if (head.status === 'canceled') return
    requireStarted(head)
    Object.assign(head, { status: 'canceled', is_paused: 0, updated_at: now })
    sql.exec(`DELETE FROM recipients WHERE id IN (SELECT recipient FROM messages WHERE state = 'staged')`)
    sql.exec(`DELETE FROM messages WHERE state = 'staged'`)
    sql.exec('DELETE FROM targets')
    forgetOutlets(sql)
    dropQueued(sql, { head, closed }, { reason: 'canceled', now })
    forgetRetryable(sql)
  })
}

function requireStarted({ status }: LedgerHead): void {
  if (status !== 'started') throw failure(`delivery_${status}`)
}
