// The SQL behind the lists of the API: a delivery's failed messages, and its pieces.
import type { FailedMessage, Failures, ListedPiece, Pieces } from '../contract/lists.ts'
import { countIn } from './counts.ts'
import { readHead } from './head.ts'
import type { PieceRow } from './tables.ts'

/** Lists messages that failed or whose outcome is unknown, in the order in which they were queued. */
export function listFailures(sql: SqlStorage, { channel, state, limit, offset, count }: Omit<Failures, 'id'>) {
  const failures = sql
    .exec<Omit<FailedMessage, 'at'> & { at: number }>(
      `SELECT pieces.min, pieces.max, place AS "index", channel, messages.state, messages.reason, messages.at
       FROM messages JOIN pieces ON pieces.min = piece
       WHERE messages.state IN ('failed', 'unknown') AND channel = coalesce(?1, channel)
         AND messages.state = coalesce(?2, messages.state)
       ORDER BY messages.id LIMIT ?3 OFFSET ?4`,
      ...[channel ?? null, state ?? null, limit, offset],
    )
    .toArray()
    .map((row): FailedMessage => ({ ...row, at: new Date(row.at) }))
  const head = count ? readHead(sql) : undefined
  if (!head) return { failures }
  return { failures, nb_results: countIn(head, state ? [state] : ['failed', 'unknown'], channel) }
}

/** Lists the pieces that were requested from `data_url`, in the order of the range. */
export function listPieces(sql: SqlStorage, { state, limit, offset }: Omit<Pieces, 'id'>): ListedPiece[] {
  // The condition of the partial index is repeated: otherwise SQLite would not use the index, and would read all pieces.
  const isIndexed = state && state !== 'processed' ? ` AND state <> 'processed'` : ''
  const condition = state ? `WHERE state = ?3${isIndexed}` : ''
  return sql
    .exec<PieceRow>(
      `SELECT * FROM pieces ${condition} ORDER BY min LIMIT ?1 OFFSET ?2`,
      ...[limit, offset, ...(state ? [state] : [])],
    )
    .toArray()
    .map(({ min, max, state, tries, reason, recipients }) => ({ min, max, state, tries, reason, recipients }))
}
