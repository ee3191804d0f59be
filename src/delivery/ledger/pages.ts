// Stores the recipients of a piece in the ledger: leases the piece to one fetch, stages the recipients as they arrive, and
// queues the messages when the page is complete.
import type { Channel } from '../contract.ts'
import type { Definition } from '../definition.ts'
import { isPieceOf, itemsIn, piecesIn, type Range } from '../range.ts'
import { readDefinition } from './changes.ts'
import { count } from './counts.ts'
import { channelsIn, readHead, saveHead } from './head.ts'
import { attemptOf, backoffAfter, Outlets } from './outlets.ts'
import { deleteRecipientsOf } from './settlement.ts'
import { closePiece } from './step.ts'
import type { LedgerHead, PieceRow } from './tables.ts'

/**
 * A piece is failed after the first number of failed attempts, or after the second number of attempts that never ended, as
 * crashes leave them.
 */
const maxTries = 5
const maxAttempts = 20

/** Pause in milliseconds after the first failed attempt. It doubles with each further one. */
const firstRetryMs = 5_000

/** What a call for a piece has to do. `over`: nothing. `later`: nothing for `wait` milliseconds. `fetch`: fetch the page. */
export type PageLease =
  | { state: 'over' }
  | { state: 'later'; wait: number }
  | ({ state: 'fetch'; attempt: number; channels: Channel[] } & Pick<Definition, 'data_url' | 'filters'>)

const noWork: PageLease = { state: 'over' }

/**
 * Leases a piece to one caller, which must fetch the page within `leaseMs` milliseconds. After that time another call may fetch
 * it.
 */
export function beginPage(sql: SqlStorage, piece: Range, leaseMs: number, now: number): PageLease {
  const head = readHead(sql)
  if (head?.status !== 'started' || !isPieceOf(head, piece)) return noWork
  const row = findPiece(sql, piece.min)
  if (row && !isOpen(row)) return noWork
  if (head.is_paused) return { state: 'later', wait: firstRetryMs }
  if (row && row.at > now) return { state: 'later', wait: row.at - now }
  const outlets = new Outlets(sql)
  const sourceAt = outlets.sourceAt(now)
  if (sourceAt > now) return { state: 'later', wait: Math.min(sourceAt - now, firstRetryMs) }
  if (row && row.attempts - row.ended >= maxAttempts) {
    failPiece(sql, head, row, 'interrupted', now)
    return noWork
  }
  deleteStaged(sql, piece.min)
  const { attempts } = sql
    .exec<PieceRow>(
      `INSERT INTO pieces (min, max, state, attempts, at) VALUES (?1, ?2, 'fetching', 1, ?3)
       ON CONFLICT DO UPDATE SET state = 'fetching', attempts = attempts + 1, at = ?3 RETURNING *`,
      piece.min,
      piece.max,
      now + leaseMs,
    )
    .one()
  outlets.begin('data_url', [attemptOf({ id: piece.min, claim: attempts })], now, leaseMs)
  outlets.save()
  const { data_url, filters } = readDefinition(sql)
  return { state: 'fetch', attempt: attempts, channels: channelsIn(head), data_url, filters }
}

const findPiece = (sql: SqlStorage, min: number): PieceRow | undefined =>
  sql.exec<PieceRow>('SELECT * FROM pieces WHERE min = ?', min).toArray()[0]

const isOpen = ({ state }: PieceRow) => state === 'fetching' || state === 'waiting'

/**
 * A recipient of a page, with one message per channel: the hash of its target, or the reason why it is skipped. `place` is the
 * recipient's index in the page.
 */
export interface StagedRecipient {
  place: number
  data: string
  messages: { channel: Channel; hash: string | null; reason: string | null }[]
}

/** An attempt to fetch the page of a piece. A later attempt makes it outdated. */
export interface PageAttempt {
  piece: number
  attempt: number
}

/**
 * Stages a part of a page. Staged messages are not sent before the page is complete. Returns false if the attempt is outdated.
 */
export function stagePage(sql: SqlStorage, { piece, attempt }: PageAttempt, recipients: StagedRecipient[]): boolean {
  if (!findAttempt(sql, { piece, attempt })) return false
  for (const { place, data, messages } of recipients) {
    const sendable = messages.filter(({ hash }) => hash !== null).length
    const id = sendable > 0 ? insertRecipient(sql, data, sendable) : null
    for (const { channel, hash, reason } of messages)
      sql.exec(
        `INSERT INTO messages (piece, place, channel, state, reason, recipient, hash) VALUES (?, ?, ?, 'staged', ?, ?, ?)`,
        ...[piece, place, channel, reason, hash === null ? null : id, hash],
      )
  }
  return true
}

const insertRecipient = (sql: SqlStorage, data: string, open: number): number =>
  sql.exec<{ id: number }>('INSERT INTO recipients (data, open) VALUES (?, ?) RETURNING id', data, open).one().id

/**
 * The piece of an attempt. Undefined if a later attempt has begun or the delivery is not started: the attempt must then change
 * nothing.
 */
function findAttempt(sql: SqlStorage, { piece, attempt }: PageAttempt): PieceRow | undefined {
  const row = findPiece(sql, piece)
  const isCurrent = row?.state === 'fetching' && row.attempts === attempt
  return isCurrent && readHead(sql)?.status === 'started' ? row : undefined
}

function deleteStaged(sql: SqlStorage, piece: number): void {
  const staged = `FROM messages WHERE piece = ? AND state = 'staged'`
  sql.exec(`DELETE FROM recipients WHERE id IN (SELECT recipient ${staged})`, piece)
  sql.exec(`DELETE ${staged}`, piece)
}

/** Queues the messages of a complete page. A target that already gets a message on the channel is skipped as a duplicate. */
export function commitPage(sql: SqlStorage, attempt: PageAttempt, recipients: number, now: number): void {
  const row = findAttempt(sql, attempt)
  const head = readHead(sql)
  if (!row || !head) return
  const { piece } = attempt
  const staged = `piece = ?1 AND state = 'staged'`
  const isOff = `channel NOT IN (${channelsIn(head).map((channel) => `'${channel}'`)})`
  sql.exec(`UPDATE messages SET reason = 'channel_off' WHERE ${staged} AND reason IS NULL AND ${isOff}`, piece)
  sql.exec(
    `INSERT OR IGNORE INTO targets (channel, hash, message)
     SELECT channel, hash, id FROM messages WHERE ${staged} AND reason IS NULL ORDER BY id`,
    piece,
  )
  const isFirst = `EXISTS (SELECT 1 FROM targets WHERE channel = messages.channel AND hash = messages.hash AND message = messages.id)`
  sql.exec(`UPDATE messages SET reason = 'duplicate' WHERE ${staged} AND reason IS NULL AND NOT ${isFirst}`, piece)
  const queued = countStaged(sql, head, piece)
  enqueueStaged(sql, piece, now)
  const state = queued > 0 ? 'sending' : 'processed'
  sql.exec(
    'UPDATE pieces SET state = ?, recipients = ?, messages = ?, open = ?, reason = NULL WHERE min = ?',
    ...[state, recipients, queued, queued, piece],
  )
  recordSourceReply(sql, attempt)
  head.fetched++
  head.recipients += recipients
  head.open += queued
  if (queued === 0) closePiece(head, row)
  saveHead(sql, head, now)
}

/** Counts the staged messages as queued or skipped. Returns the number of queued messages. */
function countStaged(sql: SqlStorage, head: LedgerHead, piece: number): number {
  const groups = sql
    .exec<{ channel: Channel; reason: string | null; n: number }>(
      `SELECT channel, reason, count(*) AS n FROM messages WHERE piece = ? AND state = 'staged' GROUP BY channel, reason`,
      piece,
    )
    .toArray()
  for (const { channel, reason, n } of groups) count(head, channel, reason === null ? 'queued' : 'skipped', reason, n)
  return groups.reduce((sum, { reason, n }) => sum + (reason === null ? n : 0), 0)
}

function enqueueStaged(sql: SqlStorage, piece: number, now: number): void {
  const staged = `piece = ?1 AND state = 'staged'`
  deleteRecipientsOf(sql, `${staged} AND reason IS NOT NULL`, piece)
  const state = `CASE WHEN reason IS NULL THEN 'queued' ELSE 'skipped' END`
  sql.exec(`UPDATE messages SET at = ?2, hash = NULL, state = ${state} WHERE ${staged}`, piece, now)
}

const sourceAttempt = ({ piece, attempt }: PageAttempt) => attemptOf({ id: piece, claim: attempt })

/** Records that the source of recipients has replied, which closes its circuit. */
function recordSourceReply(sql: SqlStorage, attempt: PageAttempt): void {
  const outlets = new Outlets(sql)
  outlets.recordReply('data_url', sourceAttempt(attempt))
  outlets.save()
}

/**
 * Records that the source of recipients is down, and holds it. This does not count as a failed attempt of the piece. Returns
 * milliseconds until the next attempt. Other pieces are tried before this one, so that a piece for which the source always
 * fails does not block them.
 */
export function holdPage(sql: SqlStorage, attempt: PageAttempt, reason: string, now: number): number | undefined {
  const row = findAttempt(sql, attempt)
  const head = readHead(sql)
  if (!row || !head) return undefined
  deleteStaged(sql, row.min)
  const outlets = new Outlets(sql)
  outlets.hold('data_url', { reason: 'data_url_unavailable' }, sourceAttempt(attempt), now)
  outlets.save()
  const isLast = piecesIn(head) - head.fetched === 1
  const at = isLast ? outlets.sourceHeldUntil : now + backoffAfter(row.outages + 1) + firstRetryMs
  sql.exec(
    `UPDATE pieces SET state = 'waiting', reason = ?, at = ?, ended = ended + 1, outages = outages + 1 WHERE min = ?`,
    ...[reason, at, row.min],
  )
  saveHead(sql, head, now)
  return Math.max(1, at - now)
}

/**
 * Records a failed attempt of the piece. Returns milliseconds until the next attempt, or undefined if the piece has failed or
 * the attempt is outdated.
 */
export function failPage(sql: SqlStorage, attempt: PageAttempt, reason: string, now: number): number | undefined {
  const row = findAttempt(sql, attempt)
  const head = readHead(sql)
  if (!row || !head) return undefined
  recordSourceReply(sql, attempt)
  row.tries++
  if (row.tries >= maxTries) {
    failPiece(sql, head, row, reason, now)
    return undefined
  }
  deleteStaged(sql, row.min)
  const wait = firstRetryMs * 2 ** (row.tries - 1)
  sql.exec(
    `UPDATE pieces SET state = 'waiting', tries = ?, reason = ?, at = ?, ended = ended + 1 WHERE min = ?`,
    ...[row.tries, reason, now + wait, row.min],
  )
  saveHead(sql, head, now)
  return wait
}

function failPiece(
  sql: SqlStorage,
  head: LedgerHead,
  { min, max, tries }: PieceRow,
  reason: string,
  now: number,
): void {
  deleteStaged(sql, min)
  sql.exec(`UPDATE pieces SET state = 'failed', tries = ?, reason = ?, at = ? WHERE min = ?`, tries, reason, now, min)
  head.fetched++
  head.failed++
  head.items += itemsIn({ min, max })
  saveHead(sql, head, now)
}
