import { describe } from 'vitest'
import { laws } from '../../../scripts/chaos/delivery/laws.ts'
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
  unsaid: [] as number[],
})

/** The second piece failed; 7 was refused by mail, 8 was lost at the kill though the mail was taken, 9 was never told of a text. */
const kept = (): DeliveryRun => ({
  size,
  ...{ kills: [{ at: 1_000, over: 1_010 }], daemons: 1, width: 1 },
  pages: [...Array.from({ length: 5 }, () => ({ min: 101, manner: 'error' as const })), { min: 1, manner: 'good' }],
  mail: { ...reached(7), refused: [7] },
  sms: { ...reached(9), unsaid: [9] },
  torn: [],
  told: {
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
  refusals: [],
})

/** For each law the least that breaks it. */
const offences: Violation<DeliveryRun>[] = [
  ['nobody is sent to twice by a channel', (run) => run.mail.taken.push(1)],
  ['nobody is sent to twice by a channel', (run) => run.sms.taken.push(600)],
  ['everybody on a page that is in is sent to, or listed as failed or unknown', (run) => run.mail.taken.shift()],
  ['everybody on a page that is in is sent to, or listed as failed or unknown', (run) => run.failures.pop()],
  ['everybody on a page that is in is sent to, or listed as failed or unknown', (run) => run.sms.taken.push(150)],
  ['who is counted as sent to was, and who is listed as failed was not', (run) => run.mail.taken.push(7)],
  ['who is counted as sent to was, and who is listed as failed was not', (run) => run.told.report.sms.sent++],
  ['who was refused for good is not asked for again', (run) => run.mail.refused.push(7)],
  ['the books balance', (run) => run.told.report.pieces.processed--],
  ['the books balance', (run) => run.told.report.recipients++],
  ['the books balance', (run) => run.told.report.email.queued++],
  ['the books balance', (run) => run.told.report.email.unknown++],
  ['the books balance', (run) => (run.told.report.sms.reasons.timeout = 2)],
  ['the books balance', (run) => (run.told.report.sms.reasons = { other: 2 })],
  ['the delivery is finished, and its progress never falls', (run) => (run.told.status = 'started')],
  ['the delivery is finished, and its progress never falls', (run) => (run.told.progress = 0.99)],
  ['the delivery is finished, and its progress never falls', (run) => run.progress.push(0.9)],
  ['no more are unknown than were under way at kills, or were not answered', (run) => run.kills.pop()],
  ['nothing of a page that broke off is sent', (run) => run.torn.push('torn1@example.com')],
  ['a piece has failed after five tries, and not before', (run) => run.pages.shift()],
  ['a piece has failed after five tries, and not before', (run) => (run.failedPieces[0]!.tries = 6)],
  ['while it is paused nothing is sent', (run) => run.whilePaused.push(1)],
  ['who asks is answered with success, or not at all', (run) => run.refusals.push('500')],
]

describe('the laws of a delivery', () => checkInvariants(laws, kept, offences))
