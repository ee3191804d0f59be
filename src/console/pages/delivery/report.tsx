import { Facts, Table } from '../../parts/table.tsx'
import type { MessageChannel } from '../messages/texts.ts'
import { channelsOf, type Delivery, outcomes } from './states.ts'

const meaning: Record<string, string> = {
  no_target: 'the recipient has no such address',
  duplicate: 'another recipient has the same address',
  no_text: 'the text comes out blank',
  too_large: "the recipient's own fields are too large",
  blacklisted: 'the phone is on the blacklist',
  canceled: 'the delivery was canceled',
  channel_off: 'the channel was taken out',
  render: 'the template takes too much',
  refused: 'refused for what the message or its target is',
  unauthorized: 'the channel is not set up',
  not_configured: 'the channel is not set up',
  timeout: 'no answer in time: it may have been sent',
  unreadable: 'an answer that cannot be read: it may have been sent',
  interrupted: 'cut off: it may have been sent',
  key_expired: 'the retry waited too long: it may have been sent',
}

/** How many messages came to what, by channel, and why those that did not go out did not. */
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
        empty="It has no channel."
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
