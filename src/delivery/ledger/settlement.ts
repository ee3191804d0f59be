// Records the outcomes of claimed messages: ends them or queues them again, and adjusts the limits of their outlets.
import type { Channel, HeldReason } from '../contract.ts'
import { countIn, move } from './counts.ts'
import { channelsIn } from './head.ts'
import { attemptOf, Outlets } from './outlets.ts'
import { countSettled, inStep, type SettledCounts } from './step.ts'
import type { LedgerHead, MessageRow, MessageState } from './tables.ts'

/**
 * The outcome of a message. `again`: certainly not sent, for a temporary reason of its recipient. `held`: certainly not sent, for
 * a reason of its outlet, which is held (see `doubt`). `pending`: another request with its key is being processed. `released`: not attempted.
 */
export interface MessageOutcome {
  state: 'sent' | 'skipped' | 'failed' | 'unknown' | 'again' | 'held' | 'pending' | 'released'
  reason?: string | undefined
  /** Why the outlet is held. Set for `held`, and for an `unknown` outcome that the outlet has caused. */
  hold?: HeldReason
  /** The outlet accepts fewer messages per second. */
  isThrottled?: boolean
  /**
   * For `held`: the reply of the server may concern this recipient alone, which is assumed once the outlet has sent a message. `policy`
   * (a permanent reply): the attempt counts as a try. `temporary`: the message is retried later, and the outlet is held only after
   * several in a row.
   */
  doubt?: 'policy' | 'temporary'
  /** For `failed`: the outlet itself has replied. */
  isAnswered?: boolean
}

/** The outcome of a claim. */
export interface SettledClaim extends MessageOutcome {
  id: number
  claim: number
}

/** Pauses between attempts of a message that was certainly not sent. After the last one it has failed. */
const retryPausesMs = [10_000, 60_000, 300_000]

/** The pause after a temporary error of one recipient, `age` milliseconds after the first one: doubles with each error. */
const delayAfter = (age: number): number => Math.min(Math.max(age, 10_000), 900_000)

const keyInUseMs = 10_000

/** A sender gives up after 4 to 5 days (RFC 5321, section 4.5.4.1). */
const maxTemporaryMs = 4 * 86_400_000

/** Settles claimed messages. A claim is settled once: later outcomes and those of other claims are ignored. */
export function settleMessages(sql: SqlStorage, settled: SettledClaim[], now: number): void {
  inStep(sql, now, (head, settledCounts) => settle(sql, head, settledCounts, settled, now))
}

/** `settleMessages` as a part of a step. */
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

/** Updates the outlet by the outcome of a message. */
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

/** Skipped messages that can be sent after the blacklist, the texts or the values have changed. */
const retryableSkips = ['blacklisted', 'no_text']

/** Whether a message can be retried after its delivery has finished. Its recipient is kept for that. */
const isRetryable = (state: MessageState, reason: string | null): boolean =>
  state === 'failed' || state === 'unknown' || (state === 'skipped' && retryableSkips.includes(reason ?? ''))

/** `isRetryable` as an SQL condition. */
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

/** A message that was certainly not sent gets a new idempotency key, which finds no reply to the old request. */
const newKey = (epoch: number) => ({ epoch: epoch + 1, key_at: 0 })

/** Whether a temporary error concerns the recipient alone: the outlet has accepted others and does not throttle. */
const isRecipientError = (head: LedgerHead, channel: Channel, { doubt, isThrottled }: MessageOutcome): boolean =>
  doubt === 'temporary' && !isThrottled && countIn(head, ['sent'], channel) > 0

/** The next attempt of a message that was certainly not sent, or its failure. */
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

/** Deletes a recipient with its last message. */
function releaseRecipient(sql: SqlStorage, recipient: number | null): void {
  const { rowsWritten } = sql.exec('DELETE FROM recipients WHERE id = ? AND open = 1', recipient)
  if (rowsWritten === 0) sql.exec('UPDATE recipients SET open = open - 1 WHERE id = ?', recipient)
}

/** Skips queued messages, of one channel or of all. */
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

/** Deletes recipients whose only remaining messages match the condition; `?1` is its parameter. */
export function deleteRecipientsOf(sql: SqlStorage, condition: string, parameter: SqlStorageValue): void {
  sql.exec(
    `UPDATE recipients SET open = open - gone.n
     FROM (SELECT recipient, count(*) AS n FROM messages WHERE ${condition} AND recipient IS NOT NULL GROUP BY recipient) AS gone
     WHERE id = gone.recipient`,
    parameter,
  )
  sql.exec('DELETE FROM recipients WHERE open = 0')
}

/** Deletes recipients that are kept for a retry. Those of claimed messages stay until the messages are settled. */
export function deleteRetryRecipients(sql: SqlStorage): void {
  sql.exec(`DELETE FROM recipients WHERE id NOT IN (SELECT recipient FROM messages WHERE state = 'claimed')`)
  sql.exec(
    `UPDATE recipients SET open = held.n
     FROM (SELECT recipient, count(*) AS n FROM messages WHERE state = 'claimed' GROUP BY recipient) AS held
     WHERE id = held.recipient`,
  )
}
