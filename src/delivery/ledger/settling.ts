import type { Channel, HeldReason } from '../contract.ts'
import { countIn, move } from './counts.ts'
import { channelsIn } from './head.ts'
import { attemptOf, Outlets } from './outlets.ts'
import { type Closed, close, inStep } from './step.ts'
import type { LedgerHead, MessageRow, MessageState } from './tables.ts'

/**
 * What became of a message. `again`: certainly not sent, for a temporary reason of its recipient. `held`: certainly not sent,
 * for a reason of its outlet, which is held. `pending`: another request with its key is under way. `released`: nobody has
 * tried to send it.
 */
export interface MessageOutcome {
  state: 'sent' | 'skipped' | 'failed' | 'unknown' | 'again' | 'held' | 'pending' | 'released'
  reason?: string | undefined
  /** Why the outlet is held: of `held`, and of an `unknown` outcome that the outlet is responsible for. */
  hold?: HeldReason
  /** The outlet takes messages, but fewer per second. */
  isThrottled?: boolean
  /** Of `held`: it may concern this recipient alone. `policy`: a permanent refusal; `temporary`: one for now. */
  doubt?: 'policy' | 'temporary'
  /** Of `failed`: the outlet itself has answered. */
  isAnswered?: boolean
}

/** The outcome of a claim. */
export interface Settled extends MessageOutcome {
  id: number
  claim: number
}

/** Pauses before what was certainly not sent is sent again, in milliseconds; after the last one it has failed. */
const pauses = [10_000, 60_000, 300_000]

/** The pause after a temporary refusal of a recipient alone, so many milliseconds after the first: twice as long each time. */
const delayAfter = (age: number): number => Math.min(Math.max(age, 10_000), 900_000)

const keyInUseMs = 10_000

/** A sender gives up after 4 to 5 days (RFC 5321, section 4.5.4.1). */
const maxTemporaryMs = 4 * 86_400_000

/** Records what became of claimed messages. A claim is settled once: what comes later, or is not claimed so, is left out. */
export function settleMessages(sql: SqlStorage, settled: Settled[], now: number): void {
  inStep(sql, now, (head, closed) => settle(sql, head, closed, settled, now))
}

/** The same as a part of a step. */
export function settle(sql: SqlStorage, head: LedgerHead, closed: Closed, settled: Settled[], now: number): void {
  if (settled.length === 0) return
  const outlets = new Outlets(sql)
  for (const outcome of settled) {
    const row = findClaimed(sql, outcome)
    if (!row) continue
    if (head.status === 'started') noteOutcome(outlets, head, row.channel, outcome, now)
    const next = nextOf(head, row, outcome, now)
    const { state, reason, at, tries, epoch, key_at, may_duplicate, refused_at } = next
    sql.exec(
      `UPDATE messages SET state = ?, reason = ?, at = ?, tries = ?, epoch = ?, key_at = ?, may_duplicate = ?, refused_at = ?
       WHERE id = ?`,
      ...[state, reason, at, tries, epoch, key_at, may_duplicate, refused_at, row.id],
    )
    move(head, row.channel, 'claimed', state, reason)
    if (state === 'queued') continue
    close(closed, row.piece)
    if (head.status === 'canceled' || !isRetryable(state, reason)) forget(sql, row.recipient)
  }
  outlets.save()
}

const findClaimed = (sql: SqlStorage, { id, claim }: Settled): MessageRow | undefined =>
  sql
    .exec<MessageRow>(`SELECT * FROM messages WHERE id = ? AND state = 'claimed' AND claims = ?`, id, claim)
    .toArray()[0]

/** What an outcome says of the outlet. */
function noteOutcome(outlets: Outlets, head: LedgerHead, channel: Channel, outcome: Settled, now: number): void {
  const { state, hold, isThrottled, isAnswered } = outcome
  const attempt = attemptOf(outcome)
  if (isOwnDelay(head, channel, outcome)) outlets.lose(channel, hold ?? 'outlet_open', attempt, now)
  else if (state === 'held') outlets.hold(channel, { reason: hold ?? 'outlet_open', isThrottled }, attempt, now)
  else if (state === 'unknown' && hold) outlets.lose(channel, hold, attempt, now)
  else if (state === 'sent') outlets.reach(channel, attempt, { isTaken: true })
  else if (state === 'again' || isAnswered) outlets.reach(channel, attempt)
  else outlets.drop(channel, attempt)
}

/** Skipped messages that may be sent after a change outside: to the blacklist, or to what a text is rendered from. */
const retryableSkips = ['blacklisted', 'no_text']

/** Whether a message may be retried once its delivery has finished: its recipient is kept for that. */
const isRetryable = (state: MessageState, reason: string | null): boolean =>
  state === 'failed' || state === 'unknown' || (state === 'skipped' && retryableSkips.includes(reason ?? ''))

/** The same as a condition. */
export const isRetryableSql = `(state IN ('failed', 'unknown') OR state = 'skipped' AND reason IN (${retryableSkips.map((reason) => `'${reason}'`).join(', ')}))`

interface Next extends Pick<MessageRow, 'tries' | 'epoch' | 'key_at' | 'may_duplicate' | 'refused_at'> {
  state: MessageState
  reason: string | null
  at: number
}

function nextOf(head: LedgerHead, row: MessageRow, outcome: Settled, now: number): Next {
  const { tries, epoch, key_at, may_duplicate, refused_at } = row
  const reason = outcome.reason ?? null
  const next: Next = { state: 'queued', reason: null, at: now, tries, epoch, key_at, may_duplicate, refused_at }
  if (outcome.state === 'unknown' && may_duplicate === 1 && head.status === 'started')
    return { ...next, ...fresh(epoch), may_duplicate: 2 }
  if (isFinal(outcome.state))
    return { ...next, state: outcome.state, reason, ...(outcome.state === 'failed' && fresh(epoch)) }
  if (head.status === 'canceled') return { ...next, state: 'skipped', reason: 'canceled' }
  if (!channelsIn(head).includes(row.channel)) return { ...next, state: 'skipped', reason: 'channel_off' }
  if (outcome.state === 'released') return next
  if (outcome.state === 'pending') return { ...next, at: now + keyInUseMs }
  return { ...next, ...fresh(epoch), ...repeatOf(head, row, outcome, now) }
}

const isFinal = (state: MessageOutcome['state']) =>
  state === 'sent' || state === 'skipped' || state === 'failed' || state === 'unknown'

/** It was certainly not sent: another key finds no reply to this request. */
const fresh = (epoch: number) => ({ epoch: epoch + 1, key_at: 0 })

/** Whether a temporary refusal concerns its recipient alone: the outlet has taken others, and did not ask for fewer. */
const isOwnDelay = (head: LedgerHead, channel: Channel, { doubt, isThrottled }: MessageOutcome): boolean =>
  doubt === 'temporary' && !isThrottled && countIn(head, ['sent'], channel) > 0

/** What was certainly not sent: when it may be sent again, or that it has failed. */
function repeatOf(head: LedgerHead, row: MessageRow, outcome: Settled, now: number): Partial<Next> {
  const { state, reason, doubt } = outcome
  const refused_at = row.refused_at || now
  const isTry = state === 'again' || (doubt === 'policy' && countIn(head, ['sent'], row.channel) > 0)
  const isTooOld = doubt !== undefined && now - refused_at >= maxTemporaryMs
  const tries = row.tries + Number(isTry)
  const delay = isOwnDelay(head, row.channel, outcome) ? delayAfter(now - refused_at) : 0
  const pause = isTry ? pauses[row.tries] : delay
  if (pause === undefined || isTooOld) return { state: 'failed', reason: reason ?? null, tries, refused_at }
  return { at: now + pause, tries, refused_at }
}

/** With its last message a recipient goes. */
function forget(sql: SqlStorage, recipient: number | null): void {
  const { rowsWritten } = sql.exec('DELETE FROM recipients WHERE id = ? AND open = 1', recipient)
  if (rowsWritten === 0) sql.exec('UPDATE recipients SET open = open - 1 WHERE id = ?', recipient)
}

/** Skips what is in line, of one channel or of all. */
export function dropQueued(
  sql: SqlStorage,
  { head, closed }: { head: LedgerHead; closed: Closed },
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
    close(closed, row.piece, row.n)
  }
  forgetAll(sql, queued, one)
  sql.exec(`UPDATE messages SET state = 'skipped', reason = ?2, at = ?3 WHERE ${queued}`, one, reason, now)
}

/** Deletes recipients whose only remaining messages match the condition; `?1` is its parameter. */
export function forgetAll(sql: SqlStorage, chosen: string, parameter: SqlStorageValue): void {
  sql.exec(
    `UPDATE recipients SET open = open - gone.n
     FROM (SELECT recipient, count(*) AS n FROM messages WHERE ${chosen} AND recipient IS NOT NULL GROUP BY recipient) AS gone
     WHERE id = gone.recipient`,
    parameter,
  )
  sql.exec('DELETE FROM recipients WHERE open = 0')
}

/** Deletes recipients that are kept for a retry alone; those of messages under way stay until these are settled. */
export function forgetRetryable(sql: SqlStorage): void {
  sql.exec(`DELETE FROM recipients WHERE id NOT IN (SELECT recipient FROM messages WHERE state = 'claimed')`)
  sql.exec(
    `UPDATE recipients SET open = held.n
     FROM (SELECT recipient, count(*) AS n FROM messages WHERE state = 'claimed' GROUP BY recipient) AS held
     WHERE id = held.recipient`,
  )
}
