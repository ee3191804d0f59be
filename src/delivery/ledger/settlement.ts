// Records the outcomes of claimed messages. Each message ends or is queued again, and the circuit breaker and the rate of its
// outlet are adjusted.
import type { Channel, HeldReason } from '../contract.ts'
import { countIn, move } from './counts.ts'
import { channelsIn } from './head.ts'
import { attemptOf, Outlets } from './outlets.ts'
import { countSettled, inStep, type SettledCounts } from './step.ts'
import type { LedgerHead, MessageRow, MessageState } from './tables.ts'

/**
 * The outcome of a message. `again`: certainly not sent, for a temporary reason of its recipient. `held`: certainly not sent,
 * for a reason of its outlet, which is then held (see `doubt`). `pending`: another request with its idempotency key is being
 * processed. `released`: no attempt was made.
 */
export interface MessageOutcome {
  state: 'sent' | 'skipped' | 'failed' | 'unknown' | 'again' | 'held' | 'pending' | 'released'
  reason?: string | undefined
  /** Reason for which the outlet is held. Set for `held`, and for an `unknown` outcome that the outlet has caused. */
  hold?: HeldReason
  /** Whether the outlet throttles. If so, it is sent fewer messages per second. */
  isThrottled?: boolean
  /**
   * For `held`: the server's reply may concern this recipient alone. If the outlet has sent a message before, this is assumed.
   * `policy`, a permanent reply: the attempt counts as a failed attempt of the message. `temporary`: the message is retried
   * later, and the outlet is held only after several such replies in a row.
   */
  doubt?: 'policy' | 'temporary'
  /** For `failed`: whether the outlet itself has replied, which shows that it works. */
  isAnswered?: boolean
}

/** The outcome of a message, with the claim under which the message was sent. */
export interface SettledClaim extends MessageOutcome {
  id: number
  claim: number
}

/**
 * Pauses in milliseconds before each retry of a message that was certainly not sent. The failure after the last pause is final.
 */
const retryPausesMs = [10_000, 60_000, 300_000]

/**
 * The pause after a temporary error of one recipient, `age` milliseconds after the first such error: it doubles, from 10 s up
 * to 15 min.
 */
const delayAfter = (age: number): number => Math.min(Math.max(age, 10_000), 900_000)

const keyInUseMs = 10_000

/** Time after which a message with temporary errors fails. RFC 5321, section 4.5.4.1, recommends 4 to 5 days. */
const maxTemporaryMs = 4 * 86_400_000

/** Settles claimed messages. Each claim is settled once: repeated outcomes, and outcomes of outdated claims, are ignored. */
export function settleMessages(sql: SqlStorage, settled: SettledClaim[], now: number): void {
  inStep(sql, now, (head, settledCounts) => settle(sql, head, settledCounts, settled, now))
}

/** Settles claimed messages as a part of a step that also does other things. */
export function settle(
  sql: SqlStorage,
  head: LedgerHead,
  settledCounts: SettledCounts,
  settled: SettledClaim[],
  now: number,
): void {
  if (settled.length === 0) return
  const outlets = new Outlets(sql)
  for (const outcome of settled) {
    const row = findClaimed(sql, outcome)
    if (!row) continue
    if (head.status === 'started') updateOutlet(outlets, head, row.channel, outcome, now)
    const next = nextStateOf(head, row, outcome, now)
    const { state, reason, at, tries, epoch, key_at, may_duplicate, refused_at } = next
    sql.exec(
      `UPDATE messages SET state = ?, reason = ?, at = ?, tries = ?, epoch = ?, key_at = ?, may_duplicate = ?, refused_at = ?
       WHERE id = ?`,
      ...[state, reason, at, tries, epoch, key_at, may_duplicate, refused_at, row.id],
    )
    move(head, row.channel, 'claimed', state, reason)
    if (state === 'queued') continue
    countSettled(settledCounts, row.piece)
    if (head.status === 'canceled' || !isRetryable(state, reason)) releaseRecipient(sql, row.recipient)
  }
  outlets.save()
}

const findClaimed = (sql: SqlStorage, { id, claim }: SettledClaim): MessageRow | undefined =>
  sql
    .exec<MessageRow>(`SELECT * FROM messages WHERE id = ? AND state = 'claimed' AND claims = ?`, id, claim)
    .toArray()[0]

/** Adjusts the circuit and the rate of an outlet by the outcome of one message. */
function updateOutlet(outlets: Outlets, head: LedgerHead, channel: Channel, outcome: SettledClaim, now: number): void {
  const { state, hold, isThrottled, isAnswered } = outcome
  const attempt = attemptOf(outcome)
  if (isRecipientError(head, channel, outcome)) outlets.recordLost(channel, hold ?? 'outlet_open', attempt, now)
  else if (state === 'held') outlets.hold(channel, { reason: hold ?? 'outlet_open', isThrottled }, attempt, now)
  else if (state === 'unknown' && hold) outlets.recordLost(channel, hold, attempt, now)
  else if (state === 'sent') outlets.recordReply(channel, attempt, { isAccepted: true })
  else if (state === 'again' || isAnswered) outlets.recordReply(channel, attempt)
  else outlets.releaseProbe(channel, attempt)
}

/** Reasons of skipped messages that a retry can send, after the blacklist, the texts or the values have changed. */
const retryableSkips = ['blacklisted', 'no_text']

/** Whether a retry of the finished delivery can send the message. Its recipient is kept until then. */
const isRetryable = (state: MessageState, reason: string | null): boolean =>
  state === 'failed' || state === 'unknown' || (state === 'skipped' && retryableSkips.includes(reason ?? ''))

/** The same as `isRetryable`, as an SQL condition. */
export const isRetryableSql = `(state IN ('failed', 'unknown') OR state = 'skipped' AND reason IN (${retryableSkips.map((reason) => `'${reason}'`).join(', ')}))`

interface NextState extends Pick<MessageRow, 'tries' | 'epoch' | 'key_at' | 'may_duplicate' | 'refused_at'> {
  state: MessageState
  reason: string | null
  at: number
}

function nextStateOf(head: LedgerHead, row: MessageRow, outcome: SettledClaim, now: number): NextState {
  const { tries, epoch, key_at, may_duplicate, refused_at } = row
  const reason = outcome.reason ?? null
  const next: NextState = { state: 'queued', reason: null, at: now, tries, epoch, key_at, may_duplicate, refused_at }
  if (outcome.state === 'unknown' && may_duplicate === 1 && head.status === 'started')
    return { ...next, ...newKey(epoch), may_duplicate: 2 }
  if (isFinal(outcome.state))
    return { ...next, state: outcome.state, reason, ...(outcome.state === 'failed' && newKey(epoch)) }
  if (head.status === 'canceled') return { ...next, state: 'skipped', reason: 'canceled' }
  if (!channelsIn(head).includes(row.channel)) return { ...next, state: 'skipped', reason: 'channel_off' }
  if (outcome.state === 'released') return next
  if (outcome.state === 'pending') return { ...next, at: now + keyInUseMs }
  return { ...next, ...newKey(epoch), ...nextAttemptOf(head, row, outcome, now) }
}

const isFinal = (state: MessageOutcome['state']) =>
  state === 'sent' || state === 'skipped' || state === 'failed' || state === 'unknown'

/**
 * A new idempotency key for a message that was certainly not sent. With the old key the channel would repeat its earlier reply.
 */
const newKey = (epoch: number) => ({ epoch: epoch + 1, key_at: 0 })

/** Whether a temporary error concerns the recipient alone: the outlet has accepted other messages and does not throttle. */
const isRecipientError = (head: LedgerHead, channel: Channel, { doubt, isThrottled }: MessageOutcome): boolean =>
  doubt === 'temporary' && !isThrottled && countIn(head, ['sent'], channel) > 0

/**
 * When a message that was certainly not sent is tried again, or that it has failed after too many attempts or too long a time.
 */
function nextAttemptOf(head: LedgerHead, row: MessageRow, outcome: SettledClaim, now: number): Partial<NextState> {
  const { state, reason, doubt } = outcome
  const refused_at = row.refused_at || now
  const isTry = state === 'again' || (doubt === 'policy' && countIn(head, ['sent'], row.channel) > 0)
  const isTooOld = doubt !== undefined && now - refused_at >= maxTemporaryMs
  const tries = row.tries + Number(isTry)
  const delay = isRecipientError(head, row.channel, outcome) ? delayAfter(now - refused_at) : 0
  const pause = isTry ? retryPausesMs[row.tries] : delay
  if (pause === undefined || isTooOld) return { state: 'failed', reason: reason ?? null, tries, refused_at }
  return { at: now + pause, tries, refused_at }
}

/**
 * Removes one message from its recipient's count, and deletes the recipient after the last one: personal data must not be kept
 * longer than needed.
 */
function releaseRecipient(sql: SqlStorage, recipient: number | null): void {
  const { rowsWritten } = sql.exec('DELETE FROM recipients WHERE id = ? AND open = 1', recipient)
  if (rowsWritten === 0) sql.exec('UPDATE recipients SET open = open - 1 WHERE id = ?', recipient)
}

/** Skips the queued messages of one channel, or of all. */
export function skipQueued(
  sql: SqlStorage,
  { head, settledCounts }: { head: LedgerHead; settledCounts: SettledCounts },
  { reason, channel, now }: { reason: string; channel?: Channel; now: number },
): void {
  const queued = `state = 'queued' AND channel = coalesce(?1, channel)`
  const one = channel ?? null
  const groups = sql.exec<MessageRow & { n: number }>(
    `SELECT piece, channel, count(*) AS n FROM messages WHERE ${queued} GROUP BY piece, channel`,
    one,
  )
  for (const row of groups) {
    move(head, row.channel, 'queued', 'skipped', reason, row.n)
    countSettled(settledCounts, row.piece, row.n)
  }
  deleteRecipientsOf(sql, queued, one)
  sql.exec(`UPDATE messages SET state = 'skipped', reason = ?2, at = ?3 WHERE ${queued}`, one, reason, now)
}

/**
 * Removes the messages that match the condition from the counts of their recipients, and deletes recipients without other
 * messages. `?1` in the condition is `parameter`.
 */
export function deleteRecipientsOf(sql: SqlStorage, condition: string, parameter: SqlStorageValue): void {
  sql.exec(
    `UPDATE recipients SET open = open - gone.n
     FROM (SELECT recipient, count(*) AS n FROM messages WHERE ${condition} AND recipient IS NOT NULL GROUP BY recipient) AS gone
     WHERE id = gone.recipient`,
    parameter,
  )
  sql.exec('DELETE FROM recipients WHERE open = 0')
}

/**
 * Deletes the recipients that were kept for a retry, when a delivery is canceled. Recipients of claimed messages stay until
 * these messages are settled.
 */
export function deleteRetryRecipients(sql: SqlStorage): void {
  sql.exec(`DELETE FROM recipients WHERE id NOT IN (SELECT recipient FROM messages WHERE state = 'claimed')`)
  sql.exec(
    `UPDATE recipients SET open = held.n
     FROM (SELECT recipient, count(*) AS n FROM messages WHERE state = 'claimed' GROUP BY recipient) AS held
     WHERE id = held.recipient`,
  )
}
