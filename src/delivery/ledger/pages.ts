import type { Channel } from '../contract.ts'
import type { Definition } from '../definition.ts'
import { isPieceOf, itemsIn, piecesIn, type Range } from '../range.ts'
import { readDefinition } from './changes.ts'
import { count } from './counts.ts'
import { channelsIn, readHead, saveHead } from './head.ts'
import { attemptOf, backoffAfter, Outlets } from './outlets.ts'
import { forgetAll } from './settling.ts'
import { closePiece } from './step.ts'
import type { LedgerHead, PieceRow } from './tables.ts'

/** A page cannot be had so often, and then its piece is given up; or it was begun so often and never ended. */
const mostTries = 5
const mostAttempts = 20

/** After the first time, in milliseconds; twice as long each time. */
const firstPause = 5_000

/** What there is to do about a piece: nothing any more, nothing before so many milliseconds, or to fetch its page. */
export type Begun =
  | { state: 'over' }
  | { state: 'later'; wait: number }
  | ({ state: 'fetch'; attempt: number; channels: Channel[] } & Pick<Definition, 'data_url' | 'filters'>)

const over: Begun = { state: 'over' }

/** Lets a caller fetch the page of a piece, for so many milliseconds: one at a time, and none once it is in. */
export function beginPage(sql: SqlStorage, piece: Range, lease: number, now: number): Begun {
  const head = readHead(sql)
  if (head?.status !== 'started' || !isPieceOf(head, piece)) return over
  const row = findPiece(sql, piece.min)
  if (row && !isOpen(row)) return over
  if (head.is_paused) return { state: 'later', wait: firstPause }
  if (row && row.at > now) return { state: 'later', wait: row.at - now }
  const outlets = new Outlets(sql)
  const sourceAt = outlets.sourceAt(now)
  if (sourceAt > now) return { state: 'later', wait: Math.min(sourceAt - now, firstPause) }
  if (row && row.attempts - row.ended >= mostAttempts) {
    giveUp(sql, head, row, 'interrupted', now)
    return over
  }
  dropStaged(sql, piece.min)
  const { attempts } = sql
    .exec<PieceRow>(
      `INSERT INTO pieces (min, max, state, attempts, at) VALUES (?1, ?2, 'fetching', 1, ?3)
       ON CONFLICT DO UPDATE SET state = 'fetching', attempts = attempts + 1, at = ?3 RETURNING *`,
      piece.min,
      piece.max,
      now + lease,
    )
    .one()
  outlets.begin('data_url', [attemptOf({ id: piece.min, claim: attempts })], now, lease)
  outlets.save()
  const { data_url, filters } = readDefinition(sql)
  return { state: 'fetch', attempt: attempts, channels: channelsIn(head), data_url, filters }
}

const findPiece = (sql: SqlStorage, min: number): PieceRow | undefined =>
  sql.exec<PieceRow>('SELECT * FROM pieces WHERE min = ?', min).toArray()[0]

const isOpen = ({ state }: PieceRow) => state === 'fetching' || state === 'waiting'

/** A recipient as a page has it, with the message of each channel: whom it goes to, by a hash, or why it goes to nobody. */
export interface Staged {
  place: number
  data: string
  messages: { channel: Channel; hash: string | null; reason: string | null }[]
}

/** Which page it is about, and whose attempt. */
export interface Attempt {
  piece: number
  attempt: number
}

/** Keeps a part of a page until all of it is there; false where it is not wanted any more. */
export function stagePage(sql: SqlStorage, { piece, attempt }: Attempt, recipients: Staged[]): boolean {
  if (!findAttempt(sql, { piece, attempt })) return false
  for (const { place, data, messages } of recipients) {
    const wanted = messages.filter(({ hash }) => hash !== null).length
    const id = wanted > 0 ? insertRecipient(sql, data, wanted) : null
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

/** The piece of an attempt that is still the last one, of a delivery that goes on. */
function findAttempt(sql: SqlStorage, { piece, attempt }: Attempt): PieceRow | undefined {
  const row = findPiece(sql, piece)
  const isCurrent = row?.state === 'fetching' && row.attempts === attempt
  return isCurrent && readHead(sql)?.status === 'started' ? row : undefined
}

function dropStaged(sql: SqlStorage, piece: number): void {
  const staged = `FROM messages WHERE piece = ? AND state = 'staged'`
  sql.exec(`DELETE FROM recipients WHERE id IN (SELECT recipient ${staged})`, piece)
  sql.exec(`DELETE ${staged}`, piece)
}

/** Puts in line what a page that has come to its end is to send: each target once in the whole delivery. */
export function commitPage(sql: SqlStorage, attempt: Attempt, recipients: number, now: number): void {
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
  reachSource(sql, attempt)
  head.fetched++
  head.recipients += recipients
  head.open += queued
  if (queued === 0) closePiece(head, row)
  saveHead(sql, head, now)
}

/** Counts what is staged as what it becomes; gives how much of it is to be sent. */
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
  forgetAll(sql, `${staged} AND reason IS NOT NULL`, piece)
  const state = `CASE WHEN reason IS NULL THEN 'queued' ELSE 'skipped' END`
  sql.exec(`UPDATE messages SET at = ?2, hash = NULL, state = ${state} WHERE ${staged}`, piece, now)
}

const sourceAttempt = ({ piece, attempt }: Attempt) => attemptOf({ id: piece, claim: attempt })

/** The source has answered. */
function reachSource(sql: SqlStorage, attempt: Attempt): void {
  const outlets = new Outlets(sql)
  outlets.reach('data_url', sourceAttempt(attempt))
  outlets.save()
}

/**
 * Records that the source of recipients is down, which is no try of the piece: milliseconds until it may be tried again.
 * Another piece goes first then, if there is one, so that one for which the source always fails does not stop the others.
 */
export function holdPage(sql: SqlStorage, attempt: Attempt, reason: string, now: number): number | undefined {
  const row = findAttempt(sql, attempt)
  const head = readHead(sql)
  if (!row || !head) return undefined
  dropStaged(sql, row.min)
  const outlets = new Outlets(sql)
  outlets.hold('data_url', { reason: 'data_url_unavailable' }, sourceAttempt(attempt), now)
  outlets.save()
  const isLast = piecesIn(head) - head.fetched === 1
  const at = isLast ? outlets.sourceHeldUntil : now + backoffAfter(row.outages + 1) + firstPause
  sql.exec(
    `UPDATE pieces SET state = 'waiting', reason = ?, at = ?, ended = ended + 1, outages = outages + 1 WHERE min = ?`,
    ...[reason, at, row.min],
  )
  saveHead(sql, head, now)
  return Math.max(1, at - now)
}

/**
 * Records that a page could not be had: milliseconds until it may be tried again, or nothing where it is given up, or
 * nobody's any more.
 */
export function failPage(sql: SqlStorage, attempt: Attempt, reason: string, now: number): number | undefined {
  const row = findAttempt(sql, attempt)
  const head = readHead(sql)
  if (!row || !head) return undefined
  reachSource(sql, attempt)
  row.tries++
  if (row.tries >= mostTries) {
    giveUp(sql, head, row, reason, now)
    return undefined
  }
  dropStaged(sql, row.min)
  const wait = firstPause * 2 ** (row.tries - 1)
  sql.exec(
    `UPDATE pieces SET state = 'waiting', tries = ?, reason = ?, at = ?, ended = ended + 1 WHERE min = ?`,
    ...[row.tries, reason, now + wait, row.min],
  )
  saveHead(sql, head, now)
  return wait
}

function giveUp(sql: SqlStorage, head: LedgerHead, { min, max, tries }: PieceRow, reason: string, now: number): void {
  dropStaged(sql, min)
  sql.exec(`UPDATE pieces SET state = 'failed', tries = ?, reason = ?, at = ? WHERE min = ?`, tries, reason, now, min)
  head.fetched++
  head.failed++
  head.items += itemsIn({ min, max })
  saveHead(sql, head, now)
}
