import type { Channel } from '../contract.ts'
import { move } from './counts.ts'
import { channelsIn } from './head.ts'
import { type Closed, close, inStep } from './step.ts'
import type { Head, MessageRow, State } from './tables.ts'

/**
 * What became of a message. `again`: it was certainly not sent, and may be later. `released`: nobody has tried to send it.
 */
export interface Outcome {
  state: 'sent' | 'skipped' | 'failed' | 'unknown' | 'again' | 'released'
  reason?: string | undefined
}

/** The outcome of a claim. */
export interface Settled extends Outcome {
  id: number
  claim: number
}

/** Pauses before what was certainly not sent is sent again, in milliseconds; after the last one it has failed. */
const pauses = [10_000, 60_000, 300_000]

/** Records what became of claimed messages. A claim is settled once: what comes later, or is not claimed so, is left out. */
export function settleMessages(sql: SqlStorage, settled: Settled[], now: number): void {
  inStep(sql, now, (head, closed) => settle(sql, head, closed, settled, now))
}

/** The same as a part of a step. */
export function settle(sql: SqlStorage, head: Head, closed: Closed, settled: Settled[], now: number): void {
  for (const outcome of settled) {
    const row = findClaimed(sql, outcome)
    if (!row) continue
    const { state, reason, at, tries } = nextOf(head, row, outcome, now)
    sql.exec(
      'UPDATE messages SET state = ?, reason = ?, at = ?, tries = ? WHERE id = ?',
      state,
      reason,
      at,
      tries,
      row.id,
    )
    move(head, row.channel, 'claimed', state, reason)
    if (state === 'queued') continue
    close(closed, row.piece)
    forget(sql, row.recipient)
  }
}

const findClaimed = (sql: SqlStorage, { id, claim }: Settled): MessageRow | undefined =>
  sql
    .exec<MessageRow>(`SELECT * FROM messages WHERE id = ? AND state = 'claimed' AND claims = ?`, id, claim)
    .toArray()[0]

interface Next {
  state: State
  reason: string | null
  at: number
  tries: number
}

function nextOf(head: Head, row: MessageRow, { state, ...told }: Settled, now: number): Next {
  const reason = told.reason ?? null
  if (state !== 'again' && state !== 'released') return { state, reason, at: now, tries: row.tries }
  const tries = row.tries + Number(state === 'again')
  const pause = state === 'again' ? pauses[row.tries] : 0
  if (head.status === 'canceled') return { state: 'skipped', reason: 'canceled', at: now, tries }
  if (!channelsIn(head).includes(row.channel)) return { state: 'skipped', reason: 'channel_off', at: now, tries }
  if (pause === undefined) return { state: 'failed', reason, at: now, tries }
  return { state: 'queued', reason: null, at: now + pause, tries }
}

/** With its last message a recipient goes. */
function forget(sql: SqlStorage, recipient: number | null): void {
  const { rowsWritten } = sql.exec('DELETE FROM recipients WHERE id = ? AND open = 1', recipient)
  if (rowsWritten === 0) sql.exec('UPDATE recipients SET open = open - 1 WHERE id = ?', recipient)
}

/** Skips what is in line, of one channel or of all. */
export function dropQueued(
  sql: SqlStorage,
  { head, closed }: { head: Head; closed: Closed },
  { reason, channel, now }: { reason: string; channel?: Channel; now: number },
): void {
  const queued = `state = 'queued' AND channel = coalesce(?1, channel)`
  const one = channel ?? null
  const groups = sql.exec<MessageRow & { n: number }>(
    `SELECT piece, channel, count(*) AS n FROM messages WHERE ${queued} GROUP BY piece, channel`,
    one,
  )
  for (const row of groups) {
    move(head, row.channel, 'queued', 'skipped', reason, row.n)
    close(closed, row.piece, row.n)
  }
  forgetAll(sql, queued, one)
  sql.exec(`UPDATE messages SET state = 'skipped', reason = ?2, at = ?3 WHERE ${queued}`, one, reason, now)
}

/** Recipients to whom nothing is left to send but messages that are chosen so go; `?1` is the parameter of the condition. */
export function forgetAll(sql: SqlStorage, chosen: string, parameter: SqlStorageValue): void {
  sql.exec(
    `UPDATE recipients SET open = open - gone.n
     FROM (SELECT recipient, count(*) AS n FROM messages WHERE ${chosen} AND recipient IS NOT NULL GROUP BY recipient) AS gone
     WHERE id = gone.recipient`,
    parameter,
  )
  sql.exec('DELETE FROM recipients WHERE open = 0')
}
