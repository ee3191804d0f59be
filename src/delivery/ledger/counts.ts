import type { Channel, ChannelReport, Report } from '../contract.ts'
import { piecesIn } from '../range.ts'
import type { Head, State } from './tables.ts'

/** So many messages of a channel more in a state, or fewer. */
export function count(sql: SqlStorage, channel: Channel, state: State, reason: string | null, n: number): void {
  sql.exec(
    'INSERT INTO counts VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n',
    channel,
    state,
    reason ?? '',
    n,
  )
}

/** What became of all messages, from the counters alone. */
export function reportOf(sql: SqlStorage, head: Head): Report {
  const { processed, failed, recipients } = head
  const report: Report = {
    pieces: { total: piecesIn(head), processed, failed },
    recipients,
    ...{ email: nothingYet(), sms: nothingYet(), feed: nothingYet() },
  }
  for (const { channel, state, reason, n } of countsIn(sql)) {
    const of = report[channel]
    of[state === 'claimed' ? 'sending' : state] += n
    if (reason !== '' && n > 0) of.reasons[reason] = (of.reasons[reason] ?? 0) + n
  }
  return report
}

/** How many messages are in a state, of one channel or of all. */
export const countIn = (sql: SqlStorage, states: State[], channel?: Channel): number =>
  countsIn(sql)
    .filter((row) => states.includes(row.state) && (channel === undefined || row.channel === channel))
    .reduce((sum, { n }) => sum + n, 0)

const countsIn = (sql: SqlStorage) =>
  sql.exec<{ channel: Channel; state: State; reason: string; n: number }>('SELECT * FROM counts').toArray()

const nothingYet = (): ChannelReport => ({
  ...{ queued: 0, sending: 0, sent: 0, skipped: 0, failed: 0, unknown: 0 },
  reasons: {},
})
