// Claims queued messages for a slice before the slice sends them. A claim has a lease: after a crash no other slice sends the
// message again, and its outcome becomes unknown.
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

/** A claimed message. Only the slice that claimed it may send it, once. */
export type ClaimedMessage = {
  id: number
  channel: Channel
  /** How often the message was claimed, this claim included. An outcome with another number is outdated and is ignored. */
  claim: number
  /** The recipient, as JSON text. */
  data: string
  /** Idempotency key of the message at its channel. It changes only after the message was certainly not sent. */
  key: string
}

/**
 * The messages that a slice may send now. `wait` is the time in milliseconds until more can be claimed, undefined if there are
 * no more.
 */
interface Claims {
  messages: ClaimedMessage[]
  /** Version of the delivery's definition, by which the slice detects outdated texts. */
  version: number
  wait: number | undefined
  /** Whether fewer messages are sent than the rate limit allows: the outbox then creates another slice. */
  isLate: boolean
}

/** A claim that a slice still holds: the message is being sent. */
interface HeldClaim {
  id: number
  claim: number
}

/**
 * Lease of a claim. If a slice crashes and does not renew the lease, the outcome of the message stays unknown: the message may
 * have been sent.
 */
export const claimLeaseMs = 30_000

export const noClaims: Claims = { messages: [], version: 0, wait: undefined, isLate: false }

/** Options of a claim: the maximum number of messages, and how long the channels keep idempotency keys. */
interface ClaimOptions {
  limit: number
  keysMs: KeyRetention
}

/** Claims up to `limit` due messages. The claims are stored before any message is sent, so that a crash cannot lose them. */
export const claimMessages = (sql: SqlStorage, limit: number, now: number, keysMs = defaultKeysMs): Claims =>
  inStep(sql, now, (head, settledCounts) => claim(sql, { head, settledCounts }, { limit, keysMs }, now)) ?? noClaims

const defaultKeysMs: KeyRetention = { email: defaultRetentionMs, sms: defaultRetentionMs, feed: defaultRetentionMs }

/** Claims messages as a part of a step that also does other things. */
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

/**
 * Whether sending the message could send it twice: it may have been sent before, the channel has deleted its idempotency key,
 * and duplicates are not allowed.
 */
const isKeyExpired = ({ channel, key_at, may_duplicate }: QueuedRow, keysMs: KeyRetention, now: number): boolean =>
  key_at > 0 && may_duplicate === 0 && key_at <= keysKnownSince(keysMs, channel, now)

/** Makes the outcome of a message unknown, since it cannot be retried safely. */
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

/**
 * The first due messages that their outlets accept. `wait` is the time in milliseconds until an outlet that is full now accepts
 * more.
 */
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

/** Extends the leases of claims that have not expired, while their messages are still being sent. */
export function renewClaims(sql: SqlStorage, held: HeldClaim[], now: number): void {
  for (const { id, claim } of held)
    sql.exec(
      `UPDATE messages SET at = ? WHERE id = ? AND state = 'claimed' AND claims = ?`,
      ...[now + claimLeaseMs, id, claim],
    )
}

/**
 * Ends claims whose lease has expired. Their outcome is unknown, since the slice may have crashed after it sent the message.
 */
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

/**
 * Time of the next event, for which the ledger sets its alarm: a lease expires, a message is due, or a held outlet is tried
 * again.
 */
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

/** The next time at which a queued message of a channel is due. Infinity if there is none. */
function dueAfter(sql: SqlStorage, channel: Channel, now: number): number {
  const { at } = sql
    .exec<{ at: number | null }>(
      `SELECT min(at) AS at FROM messages WHERE state = 'queued' AND channel = ? AND at > ?`,
      ...[channel, now],
    )
    .one()
  return at ?? Number.POSITIVE_INFINITY
}

/** What a slice reports to the ledger: the outcomes of its claims, and how many more messages it can claim. */
export interface SliceReport {
  slice: number
  settled: SettledClaim[]
  /** Claims of messages that are still being sent. Their leases are renewed. */
  held: HeldClaim[]
  limit: number
  /**
   * Version of the definition that the slice has; 0 for none. The reply contains the definition if there is a newer version.
   */
  version: number
}

/** New claims for a slice, with the definition if the slice has an outdated version. */
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
