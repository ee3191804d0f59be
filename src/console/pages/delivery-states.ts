import type { Reply } from '#client/index'
import { type Channel, channels } from './messages-texts.ts'

export type Delivery = Reply<'delivery', 'get', '/delivery'>['delivery']
export type Report = Delivery['report']
export type ChannelReport = Report[Channel]

type Stated = Pick<Delivery, 'status' | 'paused'>

/** What a delivery is doing, in a word. */
export const stateOf = ({ status, paused }: Stated) => (status === 'started' ? (paused ? 'paused' : 'running') : status)

/** The channels that a delivery goes out by. */
export const channelsOf = (delivery: Pick<Delivery, `has_${Channel}`>): Channel[] =>
  channels.filter((channel) => delivery[`has_${channel}`])

export const outcomes = ['queued', 'sending', 'sent', 'skipped', 'failed', 'unknown'] as const

/** How many messages there are of each outcome, of all channels together. */
export function totalsOf(report: Report): Record<(typeof outcomes)[number], number> {
  const totalOf = (outcome: (typeof outcomes)[number]) =>
    channels.reduce((sum, channel) => sum + report[channel][outcome], 0)
  return {
    queued: totalOf('queued'),
    sending: totalOf('sending'),
    sent: totalOf('sent'),
    skipped: totalOf('skipped'),
    failed: totalOf('failed'),
    unknown: totalOf('unknown'),
  }
}

/** Whether what is shown of a delivery may still change by itself. */
export const isLive = ({ status, report }: Pick<Delivery, 'status' | 'report'>) =>
  status === 'started' || totalsOf(report).sending > 0
