import { readHead } from './head.ts'
import type { Head, MessageRow, State } from './tables.ts'
import { Tally } from './tally.ts'

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
  const head = readHead(sql)
  if (!head) return
  const tally = new Tally()
  for (const outcome of settled) {
    const row = findClaimed(sql, outcome)
    if (!row) continue
    const next = nextOf(head, row, outcome, now)
    tally.move(row.channel, 'claimed', next.state, next.reason)
    if (next.state === 'queued') requeue(sql, row, next)
    else end(sql, tally, row, { ...next, at: now })
  }
  tally.write(sql, head, now)
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

function nextOf({ status, channels }: Head, row: MessageRow, { state, ...told }: Settled, now: number): Next {
  const reason = told.reason ?? null
  if (state !== 'again' && state !== 'released') return { state, reason, at: now, tries: row.tries }
  const tries = row.tries + Number(state === 'again')
  const pause = state === 'again' ? pauses[row.tries] : 0
  if (status === 'canceled') return { state: 'skipped', reason: 'canceled', at: now, tries }
  if (!channels.split(',').includes(row.channel)) return { state: 'skipped', reason: 'channel_off', at: now, tries }
  if (pause === undefined) return { state: 'failed', reason, at: now, tries }
  return { state: 'queued', reason: null, at: now + pause, tries }
}

function requeue(sql: SqlStorage, { id }: MessageRow, { at, tries }: Next): void {
  sql.exec(`UPDATE messages SET state = 'queued', at = ?, tries = ? WHERE id = ?`, at, tries, id)
}

/** With its last message a recipient is forgotten. */
function end(
  sql: SqlStorage,
  tally: Tally,
  { id, piece, recipient }: MessageRow,
  { state, reason, at, tries }: Next,
): void {
  sql.exec(
    'UPDATE messages SET state = ?, reason = ?, at = ?, tries = ?, recipient = NULL WHERE id = ?',
    ...[state, reason, at, tries, id],
  )
  sql.exec(
    'DELETE FROM recipients WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM messages WHERE recipient = ?1)',
    recipient,
  )
  tally.settle(piece)
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
    `UPDATE messages SET state = 'skipped', reason = ?2, at = ?3, recipient = NULL WHERE ${queued}`,
    ...[channel ?? null, reason, now],
  )
  sql.exec('DELETE FROM recipients WHERE NOT EXISTS (SELECT 1 FROM messages WHERE recipient = recipients.id)')
}
