import { Facts, Table } from '../../parts/table.tsx'
import type { MessageChannel } from '../messages/texts.ts'
import { channelsOf, type Delivery, outcomes } from './states.ts'

const meaning: Record<string, string> = {
  no_target: 'the recipient has no target for this channel',
  duplicate: 'another recipient has the same target',
  no_text: 'the text is blank',
  too_large: "the recipient's own fields are too large",
  blacklisted: 'the phone is on the blacklist',
  canceled: 'the delivery was canceled',
  channel_off: 'the channel was removed',
  render: 'the template takes too many steps',
  refused: 'the channel rejected the message or its target',
  unauthorized: 'the channel is not set up',
  not_configured: 'the channel is not set up',
  timeout: 'no reply in time: the message may have been sent',
  unreadable: 'invalid reply: the message may have been sent',
  interrupted: 'interrupted: the message may have been sent',
  key_expired: 'the retry waited too long: the message may have been sent',
}

/** Messages by channel and state, and the reasons of those that were not sent. */
export function ReportTable({ delivery }: { delivery: Delivery }) {
  const { report } = delivery
  const rows = (['email', 'sms', 'feed'] as const).filter(
    (channel) => channelsOf(delivery).includes(channel) || outcomes.some((outcome) => report[channel][outcome] > 0),
  )
  return (
    <>
      <Table
        label="Messages by channel and state"
        rows={rows}
        keyOf={(channel) => channel}
        empty="No channels."
        columns={[
          { title: 'Channel', of: (channel) => channel },
          ...outcomes.map((outcome) => ({
            title: outcome,
            isFigure: true,
            of: (channel: MessageChannel) => report[channel][outcome],
          })),
        ]}
      />
      {rows.map((channel) => (
        <Reasons key={channel} channel={channel} reasons={report[channel].reasons} />
      ))}
    </>
  )
}

function Reasons({ channel, reasons }: { channel: MessageChannel; reasons: Record<string, number> }) {
  const entries = Object.entries(reasons)
  if (entries.length === 0) return null
  return (
    <>
      <h2>Not sent by {channel}</h2>
      <Facts
        of={Object.fromEntries(
          entries.map(([reason, count]) => [
            reason,
            meaning[reason] === undefined ? `${count}` : `${count}: ${meaning[reason]}`,
          ]),
        )}
      />
    </>
  )
}
