// Retries a finished delivery, and deletes the data that a retry needs when its retention ends. `settlement.ts` retries single
// messages while a delivery runs.
import type { Channel, Retried, Retry } from '../contract.ts'
import { channels } from '../definition.ts'
import { failure } from '../errors.ts'
import { itemsIn } from '../range.ts'
import { withdrawFraction } from './changes.ts'
import { count } from './counts.ts'
import { channelsIn, readHead, saveHead } from './head.ts'
import { keysKnownSince, type Retention } from './keys.ts'
import { isRetryableSql } from './settlement.ts'
import type { LedgerHead, MessageState, PieceRow } from './tables.ts'

/**
 * Reopens a finished delivery: queues the chosen messages again, and has the failed pieces fetched again. Throws 409 if the
 * delivery has not finished, or if the recipients of all chosen messages are deleted.
 */
export function retryLedger(
  sql: SqlStorage,
  { states, allow_duplicates }: Pick<Retry, 'states' | 'allow_duplicates'>,
  retention: Retention,
  now: number,
): Retried {
  const head = readHead(sql)
  if (head?.status !== 'finished') throw failure(`delivery_${head?.status ?? 'started'}`)
  const condition = `${isRetryableSql} AND state IN (${quoted(states)}) AND channel IN (${quoted(channelsIn(head))})`
  const pieces = states.includes('failed') ? head.failed : 0
  const matching = countWhere(sql, condition)
  const isDeleted = head.ended_at === null || now - head.ended_at >= retention.recipientsMs
  if (isDeleted && pieces + matching > 0) throw recipientsDeleted()
  const withRecipient = `${condition} AND recipient IN (SELECT id FROM recipients)`
  const usable = allow_duplicates ? '1' : `(state <> 'unknown' OR ${hasKey(retention, now)})`
  const messages = countWhere(sql, `${withRecipient} AND ${usable}`)
  const expired = countWhere(sql, withRecipient) - messages
  if (messages + expired + pieces === 0 && matching > 0) throw recipientsDeleted()
  if (messages + pieces === 0) return { messages, pieces, expired }
  Object.assign(head, { status: 'started', updated_at: now, ended_at: null })
  reopenMessages(sql, head, `${withRecipient} AND ${usable}`, allow_duplicates, now)
  if (pieces > 0) reopenPieces(sql, head, now)
  withdrawFraction(sql, head)
  head.progress = 0
  saveHead(sql, head, now)
  return { messages, pieces, expired }
}

const recipientsDeleted = () => failure('recipients_deleted')

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ')

const countWhere = (sql: SqlStorage, condition: string): number =>
  sql.exec<{ n: number }>(`SELECT count(*) AS n FROM messages WHERE ${condition}`).one().n

/** SQL condition: the channel still has the message's idempotency key, so sending the message again cannot send it twice. */
const hasKey = ({ keysMs }: Retention, now: number) =>
  `key_at > CASE channel ${channels
    .map((channel) => `WHEN '${channel}' THEN ${keysKnownSince(keysMs, channel, now)}`)
    .join(' ')} ELSE ${now} END`

type MessageGroup = { piece: number; channel: Channel; state: MessageState; reason: string | null; n: number }

function reopenMessages(
  sql: SqlStorage,
  head: LedgerHead,
  condition: string,
  allowsDuplicates: boolean,
  now: number,
): void {
  const groups = sql
    .exec<MessageGroup>(
      `SELECT piece, channel, state, reason, count(*) AS n FROM messages WHERE ${condition} GROUP BY piece, channel, state, reason`,
    )
    .toArray()
  for (const { piece, channel, state, reason, n } of groups) {
    count(head, channel, state, reason, -n)
    count(head, channel, 'queued', null, n)
    reopenPiece(sql, head, piece, n)
  }
  // Only messages that may have been sent keep their idempotency key. The others get a new key: the channel would answer the
  // old one with its earlier error.
  sql.exec(
    `UPDATE messages SET tries = 0, refused_at = 0, at = ?1, reason = NULL, state = 'queued',
       may_duplicate = CASE WHEN state = 'unknown' THEN ?2 ELSE 0 END,
       epoch = CASE WHEN state = 'unknown' AND key_at > 0 THEN epoch ELSE epoch + 1 END,
       key_at = CASE WHEN state = 'unknown' THEN key_at ELSE 0 END
     WHERE ${condition}`,
    ...[now, Number(allowsDuplicates)],
  )
}

/**
 * Reopens the piece that starts at `min`, because `n` of its messages are to be settled again. Subtracts their share from the
 * progress.
 */
function reopenPiece(sql: SqlStorage, head: LedgerHead, min: number, n: number): void {
  const piece = sql
    .exec<PieceRow>(`UPDATE pieces SET open = open + ?1, state = 'sending' WHERE min = ?2 RETURNING *`, n, min)
    .one()
  const share = itemsIn(piece) / piece.messages
  if (piece.open === n) {
    head.processed--
    head.items -= itemsIn(piece)
    head.share += piece.messages * share
  }
  head.open += n
  head.share -= n * share
}

function reopenPieces(sql: SqlStorage, head: LedgerHead, now: number): void {
  const failed = `state = 'failed'`
  const rows = sql.exec<Pick<PieceRow, 'min' | 'max'>>(`SELECT min, max FROM pieces WHERE ${failed}`).toArray()
  head.failed -= rows.length
  head.fetched -= rows.length
  head.items -= rows.reduce((sum, piece) => sum + itemsIn(piece), 0)
  sql.exec(
    `UPDATE pieces SET state = 'waiting', tries = 0, ended = attempts, outages = 0, reason = NULL, at = ? WHERE ${failed}`,
    now,
  )
}

/** Deletes the recipients of a finished delivery when their retention ends. After that the delivery cannot be retried. */
export function deleteRetryData(sql: SqlStorage, retentionMs: number, now: number): void {
  const head = readHead(sql)
  if (!head?.ended_at || now - head.ended_at < retentionMs) return
  sql.exec('DELETE FROM recipients')
  sql.exec('DELETE FROM targets')
  sql.exec('UPDATE head SET ended_at = NULL')
}
