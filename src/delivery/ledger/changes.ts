// Operations on a whole delivery in the SQLite of its ledger: start, change, pause and cancel. `retries.ts` has the retry.
import type { Changes } from '../contract.ts'
import { amend, channelsOf, type Definition } from '../definition.ts'
import { failure } from '../errors.ts'
import { isSameRange } from '../range.ts'
import { channelsIn, readHead } from './head.ts'
import { deleteOutlets, probeOutlets } from './outlets.ts'
import { deleteRetryRecipients, skipQueued } from './settlement.ts'
import { inStep } from './step.ts'
import type { LedgerHead } from './tables.ts'

/**
 * Stores a new delivery in its ledger. Has no effect if the ledger already has a delivery, so that an interrupted start can be
 * repeated.
 */
export function openLedger(sql: SqlStorage, ledger: string, definition: Definition, now: number): void {
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

/**
 * Changes a delivery for the messages that are still to be sent. Throws 409 if the delivery has ended, or if the range changes
 * after the first piece was fetched.
 */
export function amendLedger(sql: SqlStorage, changes: Changes, now: number): void {
  inStep(sql, now, (head, settledCounts) => {
    requireStarted(head)
    const hasBegun = sql.exec('SELECT 1 FROM pieces LIMIT 1').toArray().length > 0
    const definition = amend(readDefinition(sql), changes, hasBegun)
    sql.exec('UPDATE definition SET json = ?', JSON.stringify(definition))
    if (!isSameRange(head, definition)) withdrawFraction(sql, head)
    const { min, max, gap, max_per_second } = definition
    if (max_per_second !== head.max_per_second) restartRate(sql, head)
    const channels = channelsOf(definition)
    const dropped = channelsIn(head).filter((channel) => !channels.includes(channel))
    deleteOutlets(sql, dropped)
    for (const channel of dropped) skipQueued(sql, { head, settledCounts }, { reason: 'channel_off', channel, now })
    Object.assign(head, { min, max, gap, max_per_second, channels: channels.join(','), updated_at: now, is_amended: 1 })
    head.version++
  })
}

/**
 * Applies a new rate limit at once. The queue may have slices with a long delay, which an earlier lower rate required: forgets
 * them, so that the outbox creates new ones.
 */
function restartRate(sql: SqlStorage, head: LedgerHead): void {
  head.next_at = 0
  sql.exec('DELETE FROM slices')
}

/**
 * Marks the fraction's task for deletion, and lets the outbox create another one. The increased number also replaces a fraction
 * whose creation the queue has not confirmed yet.
 */
export function withdrawFraction(sql: SqlStorage, head: LedgerHead): void {
  if (head.fraction !== null) sql.exec('INSERT OR IGNORE INTO stale VALUES (?)', head.fraction)
  Object.assign(head, { fraction: null, fraction_from: null, fraction_number: head.fraction_number + 1 })
}

/**
 * Pauses a delivery, or resumes it and makes the next attempt of held outlets due at once. Idempotent. Throws 409 if the
 * delivery has ended.
 */
export function pauseLedger(sql: SqlStorage, isPaused: boolean, now: number): void {
  inStep(sql, now, (head) => {
    requireStarted(head)
    if (!isPaused) probeOutlets(sql, now)
    if (head.is_paused !== Number(isPaused)) Object.assign(head, { is_paused: Number(isPaused), updated_at: now })
  })
}

/**
 * Cancels a delivery: no queued message is sent. The outcomes of messages that are being sent are still recorded. Idempotent.
 * Throws 409 if the delivery has finished.
 */
export function cancelLedger(sql: SqlStorage, now: number): void {
  inStep(sql, now, (head, settledCounts) => {
    if (head.status === 'canceled') return
    requireStarted(head)
    Object.assign(head, { status: 'canceled', is_paused: 0, updated_at: now })
    sql.exec(`DELETE FROM recipients WHERE id IN (SELECT recipient FROM messages WHERE state = 'staged')`)
    sql.exec(`DELETE FROM messages WHERE state = 'staged'`)
    sql.exec('DELETE FROM targets')
    deleteOutlets(sql)
    skipQueued(sql, { head, settledCounts }, { reason: 'canceled', now })
    deleteRetryRecipients(sql)
  })
}

function requireStarted({ status }: LedgerHead): void {
  if (status !== 'started') throw failure(`delivery_${status}`)
}
