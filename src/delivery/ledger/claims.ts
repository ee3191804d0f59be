import { defaultRetentionMs } from '#core/http/retention'
import type { Channel } from '../contract.ts'
import { channels } from '../definition.ts'
import { countIn, move } from './counts.ts'
import { type KeyRetention, keysKnownSince } from './keys.ts'
import { attemptOf, Outlets } from './outlets.ts'
import { allowed, isBehind, nextAfter, waitFor } from './rate.ts'
import { settleMessages } from './settling.ts'
import { type Closed, close, inStep } from './step.ts'
import type { LedgerHead, MessageRow } from './tables.ts'

/** A message that may be sent, once, by who has claimed it. */
export type Claimed = {
  id: number
  channel: Channel
  /** Which claim of this message it is. */
  claim: number
  /** The recipient, as JSON text. */
  data: string
  /** The idempotency key, which stays the same until the message has certainly not been sent. */
  key: string
}

/** Messages to send now; milliseconds until there may be more, or nothing where there are none. */
export interface Claims {
  messages: Claimed[]
  /** Of the definition that they are sent by. */
  version: number
  wait: number | undefined
  /** Less is sent than the rate allows. */
  isLate: boolean
}

/** A message that somebody is at, and by which claim. */
export interface Held {
  id: number
  claim: number
}

/**
 * How long a claim is good for unless it is renewed, in milliseconds. What is not settled by then never is: whether it was sent
 * is not known.
 */
export const claimTime = 30_000

const none: Claims = { messages: [], version: 0, wait: undefined, isLate: false }

/** How many messages are claimed at the most, and for how long the channels keep their idempotency keys. */
interface Wanted {
  most: number
  keysMs: KeyRetention
}

/** Claims so many messages at the most, the first in line. Each is written down as claimed before anybody sends it. */
export const claimMessages = (sql: SqlStorage, most: number, now: number, keysMs = usualKeysMs): Claims =>
  inStep(sql, now, (head, closed) => claim(sql, { head, closed }, { most, keysMs }, now)) ?? none

const usualKeysMs: KeyRetention = { email: defaultRetentionMs, sms: defaultRetentionMs, feed: defaultRetentionMs }

/** The same as a part of a step. */
export function claim(
  sql: SqlStorage,
  { head, closed }: { head: LedgerHead; closed: Closed },
  { most, keysMs }: Wanted,
  now: number,
): Claims {
  const { version, status, is_paused } = head
  if (status !== 'started' || is_paused) return { ...none, version }
  const room = Math.min(most, allowed(head, now))
  if (room === 0) return { ...none, version, wait: waitFor(head, now) }
  const outlets = new Outlets(sql)
  const { rows, wait } = firstQueued(sql, head, outlets, room, now)
  if (rows.length === 0) return { ...none, version, wait }
  const isLate = isBehind(head, now)
  const expired = rows.filter((row) => isKeyExpired(row, keysMs, now))
  for (const row of expired) expireKey(sql, { head, closed }, row, now)
  const messages = rows.filter((row) => !expired.includes(row)).map((row) => take(sql, head, row, now))
  if (messages.length === 0) return { ...none, version, wait: 0 }
  for (const channel of channels) {
    const attempts = messages.filter((message) => message.channel === channel).map(attemptOf)
    if (attempts.length > 0) outlets.begin(channel, attempts, now)
  }
  outlets.save()
  head.next_at = nextAfter(head, messages.length, now)
  return { messages, version, wait: Math.max(wait ?? 0, waitFor(head, now)), isLate }
}

type QueuedRow = Pick<MessageRow, 'id' | 'piece' | 'channel' | 'claims' | 'epoch' | 'key_at' | 'may_duplicate'> & {
  data: string
  at: number
}

/** Whether it may have been sent under a key that its channel does not know any more, and may not be sent twice. */
const isKeyExpired = ({ channel, key_at, may_duplicate }: QueuedRow, keysMs: KeyRetention, now: number): boolean =>
  key_at > 0 && may_duplicate === 0 && key_at <= keysKnownSince(keysMs, channel, now)

/** Its outcome stays unknown. */
function expireKey(
  sql: SqlStorage,
  { head, closed }: { head: LedgerHead; closed: Closed },
  { id, channel, piece }: QueuedRow,
  now: number,
): void {
  const reason = 'key_expired'
  sql.exec(`UPDATE messages SET state = 'unknown', reason = ?, at = ? WHERE id = ?`, reason, now, id)
  move(head, channel, 'queued', 'unknown', reason)
  close(closed, piece)
}

/** The first messages in line that their outlets have room for; milliseconds until an outlet has room for more, if it lacks any. */
function firstQueued(sql: SqlStorage, head: LedgerHead, outlets: Outlets, most: number, now: number) {
  const waiting = channels.filter((channel) => countIn(head, ['queued'], channel) > 0)
  const rooms = waiting.map((channel) => ({ channel, ...outlets.roomOf(head, channel, now) }))
  const found = rooms.map(({ channel, room }) => (room > 0 ? queuedOf(sql, channel, Math.min(room, most), now) : []))
  const rows = found
    .flat()
    .toSorted((one, other) => one.at - other.at || one.id - other.id)
    .slice(0, most)
  const full = rooms.filter(({ room }, i) => found[i]!.length === room && room < most)
  const at = Math.min(...full.map((one) => one.at))
  return { rows, wait: at === Number.POSITIVE_INFINITY ? undefined : Math.max(0, at - now) }
}

const queuedOf = (sql: SqlStorage, channel: Channel, most: number, now: number): QueuedRow[] =>
  sql
    .exec<QueuedRow>(
      `SELECT messages.id, piece, channel, claims, epoch, key_at, may_duplicate, data, at FROM messages JOIN recipients ON recipients.id = recipient
       WHERE state = 'queued' AND channel = ? AND at <= ? ORDER BY at, messages.id LIMIT ?`,
      ...[channel, now, most],
    )
    .toArray()

function take(
  sql: SqlStorage,
  head: LedgerHead,
  { id, channel, claims, epoch, data }: QueuedRow,
  now: number,
): Claimed {
  const claim = claims + 1
  sql.exec(
    `UPDATE messages SET state = 'claimed', claims = ?, at = ?, key_at = CASE key_at WHEN 0 THEN ? ELSE key_at END WHERE id = ?`,
    ...[claim, now + claimTime, now, id],
  )
  move(head, channel, 'queued', 'claimed', null)
  return { id, channel, claim, data, key: `delivery-${head.ledger}-${id}-${epoch}` }
}

/** Lets claims go on that have not expired. */
export function renewClaims(sql: SqlStorage, held: Held[], now: number): void {
  for (const { id, claim } of held)
    sql.exec(
      `UPDATE messages SET at = ? WHERE id = ? AND state = 'claimed' AND claims = ?`,
      ...[now + claimTime, id, claim],
    )
}

/** Gives up on claims whose time is over. */
export function expireClaims(sql: SqlStorage, now: number): void {
  const expired = sql
    .exec<Record<keyof Held, number>>(
      `SELECT id, claims AS claim FROM messages WHERE state = 'claimed' AND at <= ?`,
      now,
    )
    .toArray()
  if (expired.length === 0) return
  const outcomes = expired.map((claimed) => ({ ...claimed, state: 'unknown' as const, reason: 'interrupted' }))
  settleMessages(sql, outcomes, now)
}

/** When a claim expires, a message may be sent that may not yet, or an outlet is tried again; in milliseconds. */
export function nextDue(sql: SqlStorage, head: LedgerHead, now: number): number {
  const { claimed } = sql
    .exec<{ claimed: number | null }>(`SELECT min(at) AS claimed FROM messages WHERE state = 'claimed'`)
    .one()
  const outlets = new Outlets(sql)
  const sourceAt = outlets.sourceAt(now)
  const times = channels
    .filter((channel) => countIn(head, ['queued'], channel) > 0)
    .flatMap((channel) => [outlets.prospect(channel, now, 0).at, dueAfter(sql, channel, now)])
  return Math.min(
    ...[claimed ?? Number.POSITIVE_INFINITY, sourceAt, ...times].filter((at) => at > now || at === claimed),
  )
}

/** When the first message of a channel is due that is not yet. */
function dueAfter(sql: SqlStorage, channel: Channel, now: number): number {
  const { at } = sql
    .exec<{ at: number | null }>(
      `SELECT min(at) AS at FROM messages WHERE state = 'queued' AND channel = ? AND at > ?`,
      ...[channel, now],
    )
    .one()
  return at ?? Number.POSITIVE_INFINITY
}
