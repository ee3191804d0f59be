// Counters of a delivery's messages by channel, state and reason. Reports read the counters, so their time does not depend on
// the number of messages.
import type { Channel, ChannelReport, Report } from '../contract.ts'
import { piecesIn } from '../range.ts'
import type { LedgerHead, MessageState } from './tables.ts'

/** Adds `n` messages of a channel to the counter of a state; negative to subtract. */
export function count(
  { counts }: LedgerHead,
  channel: Channel,
  state: MessageState,
  reason: string | null,
  n: number,
): void {
  const key = `${channel} ${state} ${reason ?? ''}`
  counts[key] = (counts[key] ?? 0) + n
}

/** Moves `n` messages of a channel from the counter of one state to another. */
export function move(
  head: LedgerHead,
  channel: Channel,
  from: MessageState,
  to: MessageState,
  reason: string | null,
  n = 1,
): void {
  count(head, channel, from, null, -n)
  count(head, channel, to, reason, n)
}

/** The report of a delivery, computed from its counters. */
export function reportOf(head: LedgerHead): Report {
  const { processed, failed, recipients } = head
  const report: Report = {
    pieces: { total: piecesIn(head), processed, failed },
    recipients,
    ...{ email: emptyReport(), sms: emptyReport(), feed: emptyReport() },
  }
  for (const { channel, state, reason, n } of countsIn(head)) {
    const counts = report[channel]
    counts[state === 'claimed' ? 'sending' : state] += n
    if (reason !== '' && n > 0) counts.reasons[reason] = (counts.reasons[reason] ?? 0) + n
  }
  return report
}

/** Number of messages in the given states, of one channel or of all. */
export const countIn = (head: LedgerHead, states: MessageState[], channel?: Channel): number =>
  countsIn(head)
    .filter((row) => states.includes(row.state) && (channel === undefined || row.channel === channel))
    .reduce((sum, { n }) => sum + n, 0)

const countsIn = ({ counts }: LedgerHead) =>
  Object.entries(counts).map(([key, n]) => {
    const [channel, state, reason] = key.split(' ') as [Channel, MessageState, string]
    return { channel, state, reason, n }
  })

const emptyReport = (): ChannelReport => ({
  ...{ queued: 0, sending: 0, sent: 0, skipped: 0, failed: 0, unknown: 0 },
  reasons: {},
})
