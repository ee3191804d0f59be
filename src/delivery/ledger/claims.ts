import type { Channel } from '../contract.ts'
import { move } from './counts.ts'
import { allowed, isBehind, nextAfter, waitFor } from './rate.ts'
import { settleMessages } from './settling.ts'
import { inStep } from './step.ts'
import type { Head } from './tables.ts'

/** A message that may be sent, once, by who has claimed it. */
export type Claimed = {
  id: number
  channel: Channel
  /** Which claim of this message it is. */
  claim: number
  /** The recipient, as JSON text. */
  data: string
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

/** Claims so many messages at the most, the first in line. Each is written down as claimed before anybody sends it. */
export const claimMessages = (sql: SqlStorage, most: number, now: number): Claims =>
  inStep(sql, now, (head) => claim(sql, head, most, now)) ?? none

/** The same as a part of a step. */
export function claim(sql: SqlStorage, head: Head, most: number, now: number): Claims {
  const { version, status, is_paused } = head
  if (status !== 'started' || is_paused) return { ...none, version }
  const room = Math.min(most, allowed(head, now))
  const messages = room > 0 ? takeQueued(sql, room, now) : []
  if (messages.length === 0) return { ...none, version, wait: room === 0 ? waitFor(head, now) : undefined }
  const isLate = isBehind(head, now)
  for (const { channel } of messages) move(head, channel, 'queued', 'claimed', null)
  head.next_at = nextAfter(head, messages.length, now)
  return { messages, version, wait: waitFor(head, now), isLate }
}

function takeQueued(sql: SqlStorage, most: number, now: number): Claimed[] {
  const messages = sql
    .exec<Claimed>(
      `SELECT messages.id, channel, claims + 1 AS claim, data FROM messages JOIN recipients ON recipients.id = recipient
       WHERE state = 'queued' AND at <= ? ORDER BY at, messages.id LIMIT ?`,
      now,
      most,
    )
    .toArray()
  for (const { id, claim } of messages)
    sql.exec(`UPDATE messages SET state = 'claimed', claims = ?, at = ? WHERE id = ?`, claim, now + claimTime, id)
  return messages
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

/** When a claim expires, or a message may be sent that may not yet; in milliseconds. */
export function nextDue(sql: SqlStorage, now: number): number {
  const { claimed } = sql
    .exec<{ claimed: number | null }>(`SELECT min(at) AS claimed FROM messages WHERE state = 'claimed'`)
    .one()
  const { queued } = sql
    .exec<{ queued: number | null }>(`SELECT min(at) AS queued FROM messages WHERE state = 'queued' AND at > ?`, now)
    .one()
  return Math.min(claimed ?? Number.POSITIVE_INFINITY, queued ?? Number.POSITIVE_INFINITY)
}
