// Claims queued messages for a slice before it sends them, with a lease, so that no message is sent twice after a
// crash.
import { defaultRetentionMs } from '#core/http/retention'
import type { Channel } from '../contract.ts'
import { channels, type Definition } from '../definition.ts'
import { countIn, move } from './counts.ts'
import { type KeyRetention, keysKnownSince } from './keys.ts'
import { attemptOf, Outlets } from './outlets.ts'
import { allowed, isBehind, nextAfter, waitFor } from './rate.ts'
import { type SettledClaim, settle, settleMessages } from './settlement.ts'
import { hasSlice } from './slices.ts'
import { countSettled, inStep, type SettledCounts } from './step.ts'
import type { LedgerHead, MessageRow } from './tables.ts'

/** A claimed message: the slice that has claimed it sends it once. */
export type ClaimedMessage = {
  id: number
  channel: Channel
  /** Number of the claim of this message. */
  claim: number
  /** The recipient, as JSON text. */
  data: string
  /** Idempotency key. A new one is used only after the message was certainly not sent. */
  key: string
}

/** Messages to send now, and milliseconds until more can be claimed, undefined if there are no more. */
interface Claims {
  messages: ClaimedMessage[]
  /** Version of the definition. */
  version: number
  wait: number | undefined
  /** Whether fewer messages are sent than the rate allows. */
  isLate: boolean
}

/** A message that is being sent, and the number of its claim. */
interface HeldClaim {
  id: number
  claim: number
}

/** Lease of a claim. If it expires, the outcome of the message is unknown for ever: it may have been sent. */
export const claimLeaseMs = 30_000

export const noClaims: Claims = { messages: [], version: 0, wait: undefined, isLate: false }

/** Maximum number of messages, and the retention of idempotency keys in the channels. */
interface ClaimOptions {
  limit: number
  keysMs: KeyRetention
}

/** Claims up to `limit` due messages. The claims are stored before the messages are sent. */
export const claimMessages = (sql: SqlStorage, limit: number, now: number, keysMs = defaultKeysMs): Claims =>
  inStep(sql, now, (head, settledCounts) => claim(sql, { head, settledCounts }, { limit, keysMs }, now)) ?? noClaims

const defaultKeysMs: KeyRetention = { email: defaultRetentionMs, sms: defaultRetentionMs, feed: defaultRetentionMs }

/** `claimMessages` as a part of a step. */
function claim(
  sql: SqlStorage,
  { head, settledCounts }: { head: LedgerHead; settledCounts: SettledCounts },
  { limit, keysMs }: ClaimOptions,
  now: number,
): Claims {
  const { version, status, is_paused } = head
  if (status !== 'started' || is_paused) return { ...noClaims, version }
  const room = Math.min(limit, allowed(head, now))
  if (room === 0) return { ...noClaims, version, wait: waitFor(head, now) }
  const outlets = new Outlets(sql)
  const { rows, wait } = firstQueued(sql, head, outlets, room, now)
  if (rows.length === 0) return { ...noClaims, version, wait }
  const isLate = isBehind(head, now)
  const expired = rows.filter((row) => isKeyExpired(row, keysMs, now))
  for (const row of expired) expireKey(sql, { head, settledCounts }, row, now)
  const messages = rows.filter((row) => !expired.includes(row)).map((row) => claimRow(sql, head, row, now))
  if (messages.length === 0) return { ...noClaims, version, wait: 0 }
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

/** Whether the message may have been sent with a key that the channel has deleted, and duplicates are not allowed. */
const isKeyExpired = ({ channel, key_at, may_duplicate }: QueuedRow, keysMs: KeyRetention, now: number): boolean =>
  key_at > 0 && may_duplicate === 0 && key_at <= keysKnownSince(keysMs, channel, now)

/** Sets the outcome to unknown, since the message cannot be retried safely. */
function expireKey(
  sql: SqlStorage,
  { head, settledCounts }: { head: LedgerHead; settledCounts: SettledCounts },
  { id, channel, piece }: QueuedRow,
  now: number,
): void {
  const reason = 'key_expired'
  sql.exec(`UPDATE messages SET state = 'unknown', reason = ?, at = ? WHERE id = ?`, reason, now, id)
  move(head, channel, 'queued', 'unknown', reason)
  countSettled(settledCounts, piece)
}

/** The first due messages that their outlets accept, and milliseconds until a full outlet accepts more. */
function firstQueued(sql: SqlStorage, head: LedgerHead, outlets: Outlets, limit: number, now: number) {
  const waiting = channels.filter((channel) => countIn(head, ['queued'], channel) > 0)
  const rooms = waiting.map((channel) => ({ channel, ...outlets.roomOf(head, channel, now) }))
  const candidates = rooms.map(({ channel, room }) =>
    room > 0 ? queuedOf(sql, channel, Math.min(room, limit), now) : [],
  )
  const rows = candidates
    .flat()
    .toSorted((one, other) => one.at - other.at || one.id - other.id)
    .slice(0, limit)
  const full = rooms.filter(({ room }, i) => candidates[i]!.length === room && room < limit)
  const at = Math.min(...full.map((one) => one.at))
  return { rows, wait: at === Number.POSITIVE_INFINITY ? undefined : Math.max(0, at - now) }
}

const queuedOf = (sql: SqlStorage, channel: Channel, limit: number, now: number): QueuedRow[] =>
  sql
    .exec<QueuedRow>(
      `SELECT messages.id, piece, channel, claims, epoch, key_at, may_duplicate, data, at FROM messages JOIN recipients ON recipients.id = recipient
       WHERE state = 'queued' AND channel = ? AND at <= ? ORDER BY at, messages.id LIMIT ?`,
      ...[channel, now, limit],
    )
    .toArray()

function claimRow(
  sql: SqlStorage,
  head: LedgerHead,
  { id, channel, claims, epoch, data }: QueuedRow,
  now: number,
): ClaimedMessage {
  const claim = claims + 1
  sql.exec(
    `UPDATE messages SET state = 'claimed', claims = ?, at = ?, key_at = CASE key_at WHEN 0 THEN ? ELSE key_at END WHERE id = ?`,
    ...[claim, now + claimLeaseMs, now, id],
  )
  move(head, channel, 'queued', 'claimed', null)
  return { id, channel, claim, data, key: `delivery-${head.ledger}-${id}-${epoch}` }
}

/** Extends the lease of claims that have not expired. */
export function renewClaims(sql: SqlStorage, held: HeldClaim[], now: number): void {
  for (const { id, claim } of held)
    sql.exec(
      `UPDATE messages SET at = ? WHERE id = ? AND state = 'claimed' AND claims = ?`,
      ...[now + claimLeaseMs, id, claim],
    )
}

/** Settles expired claims as unknown. */
export function expireClaims(sql: SqlStorage, now: number): void {
  const expired = sql
    .exec<Record<keyof HeldClaim, number>>(
      `SELECT id, claims AS claim FROM messages WHERE state = 'claimed' AND at <= ?`,
      now,
    )
    .toArray()
  if (expired.length === 0) return
  const outcomes = expired.map((claimed) => ({ ...claimed, state: 'unknown' as const, reason: 'interrupted' }))
  settleMessages(sql, outcomes, now)
}

/** Time of the next event: a claim expires, a message is due, or an outlet is probed. */
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

/** The next time at which a message of a channel is due. */
function dueAfter(sql: SqlStorage, channel: Channel, now: number): number {
  const { at } = sql
    .exec<{ at: number | null }>(
      `SELECT min(at) AS at FROM messages WHERE state = 'queued' AND channel = ? AND at > ?`,
      ...[channel, now],
    )
    .one()
  return at ?? Number.POSITIVE_INFINITY
}

/** The report of a slice: outcomes of its claims, and the number of messages that it can claim. */
export interface SliceReport {
  slice: number
  settled: SettledClaim[]
  /** Claims of messages that are being sent, which are renewed. */
  held: HeldClaim[]
  limit: number
  /** Version of the definition that the slice has; 0 for none. */
  version: number
}

/** Claims for a slice, with the definition if the slice has another version. */
export type SliceClaims = Claims & { definition?: Definition }

/** Records the outcomes of a slice and claims more messages for it. */
export const claimForSlice = (
  sql: SqlStorage,
  { slice, settled, held, limit }: SliceReport,
  keysMs: KeyRetention,
  now: number,
): Claims | undefined =>
  inStep(sql, now, (head, settledCounts) => {
    settle(sql, head, settledCounts, settled, now)
    renewClaims(sql, held, now)
    return hasSlice(sql, slice) ? claim(sql, { head, settledCounts }, { limit, keysMs }, now) : noClaims
  })
