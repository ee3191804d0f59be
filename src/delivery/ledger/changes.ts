import { Failure } from '#core/failure'
import type { Changes } from '../contract.ts'
import { amend, channelsOf, type Definition } from '../definition.ts'
import { isSameRange } from '../range.ts'
import { readHead, saveHead } from './head.ts'
import { dropQueued } from './settling.ts'
import type { Head } from './tables.ts'
import { Tally } from './tally.ts'

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
  const head = started(sql)
  const hasBegun = sql.exec('SELECT 1 FROM pieces LIMIT 1').toArray().length > 0
  const definition = amend(readDefinition(sql), changes, hasBegun)
  sql.exec('UPDATE definition SET json = ?', JSON.stringify(definition))
  if (!isSameRange(head, definition)) withdrawFraction(sql, head)
  const { min, max, gap, max_per_second } = definition
  if (max_per_second !== head.max_per_second) restartRate(sql, head)
  const before = head.channels.split(',')
  const channels = channelsOf(definition)
  Object.assign(head, { min, max, gap, max_per_second, channels: channels.join(','), updated_at: now, is_amended: 1 })
  head.version++
  const tally = new Tally()
  for (const channel of before)
    if (!channels.some((kept) => kept === channel)) dropQueued(sql, tally, 'channel_off', now, channel)
  tally.write(sql, head, now)
}

/** What waits for its time by another rate may wait for long: the queue is told anew. */
function restartRate(sql: SqlStorage, head: Head): void {
  head.next_at = 0
  sql.exec('DELETE FROM slices')
}

/** Another one takes its place; so it does with one that the queue is just being told of. */
function withdrawFraction(sql: SqlStorage, head: Head): void {
  if (head.fraction !== null) sql.exec('INSERT OR IGNORE INTO stale VALUES (?)', head.fraction)
  Object.assign(head, { fraction: null, fraction_from: null, fraction_number: head.fraction_number + 1 })
}

/** Lets nothing more be claimed, or lets it go on. Fine where it is so already; 409 for what has ended. */
export function pauseBooks(sql: SqlStorage, isPaused: boolean, now: number): void {
  const head = started(sql)
  if (head.is_paused === Number(isPaused)) return
  saveHead(sql, Object.assign(head, { is_paused: Number(isPaused), updated_at: now }), now)
}

/** Ends a delivery at once. What is under way is still recorded. Fine twice; 409 for one that is finished. */
export function cancelBooks(sql: SqlStorage, now: number): void {
  const head = readHead(sql)
  if (!head || head.status === 'canceled') return
  if (head.status === 'finished') throw ended(head)
  Object.assign(head, { status: 'canceled', is_paused: 0, updated_at: now })
  const tally = new Tally()
  sql.exec(`DELETE FROM messages WHERE state = 'staged'`)
  sql.exec('DELETE FROM targets')
  dropQueued(sql, tally, 'canceled', now)
  tally.write(sql, head, now)
}

function started(sql: SqlStorage): Head {
  const head = readHead(sql)
  if (!head) throw new Failure('missing', 'There is no such delivery', { code: 'delivery_not_found' })
  if (head.status !== 'started') throw ended(head)
  return head
}

const ended = ({ status }: Head) => new Failure('conflict', `The delivery is ${status}`, { code: `delivery_${status}` })
