import type { Head, MessageRow, State } from './tables.ts'
import { type Tally, tallied } from './tally.ts'

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
  tallied(sql, now, (head, tally) => settle(sql, head, tally, settled, now))
}

/** The same as a part of a step. */
export function settle(sql: SqlStorage, head: Head, tally: Tally, settled: Settled[], now: number): void {
  for (const outcome of settled) {
    const isOver = outcome.state !== 'again' && outcome.state !== 'released'
    const row = isOver ? undefined : findClaimed(sql, outcome)
    if (!isOver && !row) continue
    const next = nextOf(head, row, outcome, now)
    const ended = write(sql, outcome, next)
    if (!ended) continue
    tally.move(ended.channel, 'claimed', next.state, next.reason)
    if (next.state === 'queued') continue
    tally.settle(ended.piece)
    forget(sql, ended)
  }
}

const isClaimed = `id = ? AND state = 'claimed' AND claims = ?`

const findClaimed = (sql: SqlStorage, { id, claim }: Settled): MessageRow | undefined =>
  sql.exec<MessageRow>(`SELECT * FROM messages WHERE ${isClaimed}`, id, claim).toArray()[0]

interface Next {
  state: State
  reason: string | null
  at: number
  tries: number
}

/** `row` is that of a message which may go back in line. */
function nextOf(head: Head, row: MessageRow | undefined, { state, ...told }: Settled, now: number): Next {
  const { status, channels } = head
  const reason = told.reason ?? null
  if (!row || (state !== 'again' && state !== 'released')) return { state: state as State, reason, at: now, tries: 0 }
  const tries = row.tries + Number(state === 'again')
  const pause = state === 'again' ? pauses[row.tries] : 0
  if (status === 'canceled') return { state: 'skipped', reason: 'canceled', at: now, tries }
  if (!channels.split(',').includes(row.channel)) return { state: 'skipped', reason: 'channel_off', at: now, tries }
  if (pause === undefined) return { state: 'failed', reason, at: now, tries }
  return { state: 'queued', reason: null, at: now + pause, tries }
}

function write(sql: SqlStorage, { id, claim }: Settled, { state, reason, at, tries }: Next): MessageRow | undefined {
  return sql
    .exec<MessageRow>(
      `UPDATE messages SET state = ?, reason = ?, at = ?, tries = max(tries, ?) WHERE ${isClaimed} RETURNING *`,
      ...[state, reason, at, tries, id, claim],
    )
    .toArray()[0]
}

/** With its last message a recipient goes. */
function forget(sql: SqlStorage, { recipient }: MessageRow): void {
  sql.exec(
    `DELETE FROM recipients WHERE id = ?1
       AND NOT EXISTS (SELECT 1 FROM messages WHERE recipient = ?1 AND state IN ('staged', 'queued', 'claimed'))`,
    recipient,
  )
}

/** Skips what is in line, of one channel or of all. */
export function dropQueued(sql: SqlStorage, tally: Tally, reason: string, now: number, channel?: string): void {
  const queued = `state = 'queued' AND channel = coalesce(?1, channel)`
  const groups = sql.exec<MessageRow & { n: number }>(
    `SELECT piece, channel, count(*) AS n FROM messages WHERE ${queued} GROUP BY piece, channel`,
    channel ?? null,
  )
  for (const row of groups) {
    tally.move(row.channel, 'queued', 'skipped', reason, row.n)
    tally.settle(row.piece, row.n)
  }
  sql.exec(
    `UPDATE messages SET state = 'skipped', reason = ?2, at = ?3 WHERE ${queued}`,
    ...[channel ?? null, reason, now],
  )
  sql.exec(
    `DELETE FROM recipients WHERE NOT EXISTS (
       SELECT 1 FROM messages WHERE recipient = recipients.id AND state IN ('staged', 'queued', 'claimed'))`,
  )
}
