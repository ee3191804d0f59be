// Derives the state, the channels and the totals of a delivery that its pages show.
import type { Reply } from '#client/index'
import { channels, type MessageChannel } from '../messages/texts.ts'

export type Delivery = Reply<'delivery', 'get', '/delivery'>['delivery']
export type ShownReport = Delivery['report']

type Stated = Pick<Delivery, 'status' | 'paused' | 'held'> & { report?: ShownReport }

/** The state of a delivery as a label. A delivery that sent nothing is not shown as a success. */
export function stateOf({ status, paused, held, report }: Stated): string {
  if (status === 'started') return paused ? 'paused' : held ? 'held' : 'running'
  return status === 'finished' && report ? resultOf(report) : status
}

/** The result of a finished delivery. */
function resultOf(report: ShownReport): string {
  const { sent, failed, unknown } = totalsOf(report)
  const isIncomplete = failed + unknown + report.pieces.failed > 0
  if (sent === 0) return isIncomplete ? 'failed' : 'nobody reached'
  return isIncomplete ? 'partly sent' : 'finished'
}

/** The channels of a delivery. */
export const channelsOf = (delivery: Pick<Delivery, `has_${MessageChannel}`>): MessageChannel[] =>
  channels.filter((channel) => delivery[`has_${channel}`])

export const outcomes = ['queued', 'sending', 'sent', 'skipped', 'failed', 'unknown'] as const

/** Number of messages by outcome, of all channels together. */
export function totalsOf(report: ShownReport): Record<(typeof outcomes)[number], number> {
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

/** Whether the state of a delivery can still change without a call. */
export const isLive = ({ status, report }: Pick<Delivery, 'status' | 'report'>) =>
  status === 'started' || totalsOf(report).sending > 0
