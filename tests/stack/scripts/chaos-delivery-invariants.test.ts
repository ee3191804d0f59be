// Tests the invariants of chaos runs of a delivery: a correct run satisfies all, and each finds its violation.
import { describe } from 'vitest'
import { invariants } from '../../../scripts/chaos/delivery/invariants.ts'
import type { ChannelCounts, DeliveryRun } from '../../../scripts/chaos/delivery/record.ts'
import { gap } from '../../../scripts/chaos/delivery/source.ts'
import { checkInvariants, type Violation } from '../../support/invariants.ts'

const size = 6 * gap
const numbers = Array.from({ length: size }, (_, i) => i + 1)
const failedPiece = numbers.slice(gap, 2 * gap)

const counts = (more: Partial<ChannelCounts>): ChannelCounts => ({
  ...{ queued: 0, sending: 0, sent: 0, skipped: 1, failed: 0, unknown: 0 },
  reasons: { duplicate: 1 },
  ...more,
})

const reached = (...without: number[]) => ({
  taken: numbers.filter((n) => !failedPiece.includes(n) && !without.includes(n)),
  refused: [] as number[],
  unconfirmed: [] as number[],
})

/**
 * A run that satisfies all invariants. The second piece failed. Email 7 was rejected, email 8 was accepted but its
 * result was lost at the kill, and SMS 9 got no clear reply.
 */
const correctRun = (): DeliveryRun => ({
  size,
  ...{ kills: [{ at: 1_000, endedAt: 1_010 }], daemons: 1, width: 1 },
  pages: [...Array.from({ length: 5 }, () => ({ min: 101, behavior: 'error' as const })), { min: 1, behavior: 'good' }],
  mail: { ...reached(7), refused: [7] },
  sms: { ...reached(9), unconfirmed: [9] },
  torn: [],
  final: {
    status: 'finished',
    progress: 1,
    report: {
      pieces: { total: 6, processed: 5, failed: 1 },
      recipients: size - gap + 1,
      email: counts({ sent: 498, failed: 1, unknown: 1, reasons: { duplicate: 1, refused: 1, interrupted: 1 } }),
      sms: counts({ sent: 499, unknown: 1, reasons: { duplicate: 1, timeout: 1 } }),
    },
  },
  failures: [
    { min: 1, index: 6, channel: 'email', state: 'failed', reason: 'refused' },
    { min: 1, index: 7, channel: 'email', state: 'unknown', reason: 'interrupted' },
    { min: 1, index: 8, channel: 'sms', state: 'unknown', reason: 'timeout' },
  ],
  failedPieces: [{ min: 101, tries: 5 }],
  progress: [0, 0.5, 0.5, 1],
  whilePaused: [0],
  errorReplies: [],
})

/** For each invariant, the smallest changes that violate it. */
const violations: Violation<DeliveryRun>[] = [
  ['a channel sends to no recipient twice', (run) => run.mail.taken.push(1)],
  ['a channel sends to no recipient twice', (run) => run.sms.taken.push(600)],
  ['each recipient of a page gets a message, or is listed as failed or unknown', (run) => run.mail.taken.shift()],
  ['each recipient of a page gets a message, or is listed as failed or unknown', (run) => run.failures.pop()],
  ['each recipient of a page gets a message, or is listed as failed or unknown', (run) => run.sms.taken.push(150)],
  ['recipients counted as sent got a message, and those listed as failed did not', (run) => run.mail.taken.push(7)],
  [
    'recipients counted as sent got a message, and those listed as failed did not',
    (run) => run.final.report.sms.sent++,
  ],
  ['a permanently rejected message is not sent again', (run) => run.mail.refused.push(7)],
  ['the counts of the report add up', (run) => run.final.report.pieces.processed--],
  ['the counts of the report add up', (run) => run.final.report.recipients++],
  ['the counts of the report add up', (run) => run.final.report.email.queued++],
  ['the counts of the report add up', (run) => run.final.report.email.unknown++],
  ['the counts of the report add up', (run) => (run.final.report.sms.reasons.timeout = 2)],
  ['the counts of the report add up', (run) => (run.final.report.sms.reasons = { other: 2 })],
  ['the delivery is finished, and its progress never falls', (run) => (run.final.status = 'started')],
  ['the delivery is finished, and its progress never falls', (run) => (run.final.progress = 0.99)],
  ['the delivery is finished, and its progress never falls', (run) => run.progress.push(0.9)],
  ['at most the messages in progress at kills, and those without a reply, are unknown', (run) => run.kills.pop()],
  ['no message of an incomplete page is sent', (run) => run.torn.push('torn1@example.com')],
  ['a piece fails after exactly five tries', (run) => run.pages.shift()],
  ['a piece fails after exactly five tries', (run) => (run.failedPieces[0]!.tries = 6)],
  ['a paused delivery sends nothing', (run) => run.whilePaused.push(1)],
  ['a call succeeds, or gets no reply', (run) => run.errorReplies.push('500')],
]

describe('the invariants of a delivery', () => checkInvariants(invariants, correctRun, violations))
