// The invariants of bulk messages that a chaos run of a delivery checks, whatever processes were killed.
import type { Invariant } from '../invariant.ts'
import type { DeliveryRun, Reached } from './record.ts'
import { gap, pageAt } from './source.ts'

const channels = ['email', 'sms'] as const
type Channel = (typeof channels)[number]

const reachedBy = (run: DeliveryRun, channel: Channel): Reached => (channel === 'email' ? run.mail : run.sms)

/** The violations of an invariant on every channel. */
const each = (violations: (channel: Channel) => string[]) => channels.flatMap((channel) => violations(channel))

const twice = (numbers: number[]) =>
  [...Map.groupBy(numbers, (n) => n)].flatMap(([n, same]) => (same.length > 1 ? [n] : []))

const onlyOnce: Invariant<DeliveryRun> = {
  name: 'a channel sends to no recipient twice',
  violations: (run) => each((channel) => twice(reachedBy(run, channel).taken).map((n) => `${channel} to ${n}`)),
}

/** The pages of recipients that the delivery read successfully, each by the first item of its piece. */
function pagesIn({ size, failedPieces }: DeliveryRun): { min: number; numbers: number[] }[] {
  const failed = new Set(failedPieces.map(({ min }) => min))
  const mins = Array.from({ length: Math.ceil(size / gap) }, (_, i) => 1 + i * gap)
  return mins.filter((min) => !failed.has(min)).map((min) => ({ min, numbers: pageAt(min, size) }))
}

/** The recipients that the delivery lists as failed or unknown on a channel. */
function listed(run: DeliveryRun, channel: Channel, state: 'failed' | 'unknown'): Set<number> {
  const those = run.failures.filter((one) => one.channel === channel && one.state === state)
  return new Set(those.map(({ min, index }) => pageAt(min, run.size)[index]!))
}

const everyRecipient: Invariant<DeliveryRun> = {
  name: 'each recipient of a page gets a message, or is listed as failed or unknown',
  violations: (run) => {
    const expected = new Set(pagesIn(run).flatMap(({ numbers }) => numbers))
    return each((channel) => {
      const taken = new Set(reachedBy(run, channel).taken)
      const accounted = taken.union(listed(run, channel, 'failed')).union(listed(run, channel, 'unknown'))
      return [
        ...[...expected.difference(accounted)].map((n) => `${channel}: ${n} is missing`),
        ...[...accounted.difference(expected)].map((n) => `${channel}: ${n} is on no page`),
      ]
    })
  },
}

const correctResults: Invariant<DeliveryRun> = {
  name: 'recipients counted as sent got a message, and those listed as failed did not',
  violations: (run) =>
    each((channel) => {
      const taken = new Set(reachedBy(run, channel).taken)
      const failed = [...listed(run, channel, 'failed').intersection(taken)]
      const known = taken.difference(listed(run, channel, 'unknown')).size
      const { sent } = run.final.report[channel]
      return [
        ...failed.map((n) => `${channel}: ${n} is listed as failed`),
        ...(known === sent ? [] : [`${channel}: ${sent} are counted as sent, ${known} got a message`]),
      ]
    }),
}

const rejectedOnce: Invariant<DeliveryRun> = {
  name: 'a permanently rejected message is not sent again',
  violations: (run) => each((channel) => twice(reachedBy(run, channel).refused).map((n) => `${channel} to ${n}`)),
}

const countsAddUp: Invariant<DeliveryRun> = {
  name: 'the counts of the report add up',
  violations: (run) => {
    const { pieces, recipients, ...report } = run.final.report
    const pages = pagesIn(run)
    const numbers = pages.flatMap((page) => page.numbers)
    const duplicates = numbers.length - new Set(numbers).size
    const difference = (name: string, actual: number, expected: number) =>
      actual === expected ? [] : [`${name}: ${actual}, not ${expected}`]
    return [
      ...difference('pieces', pieces.processed + pieces.failed, Math.ceil(run.size / gap)),
      ...difference('pieces in all', pieces.total, Math.ceil(run.size / gap)),
      ...difference('failed pieces', pieces.failed, run.failedPieces.length),
      ...difference('recipients', recipients, numbers.length),
      ...each((channel) => {
        const { queued, sending, sent, skipped, failed, unknown, reasons } = report[channel]
        const explained = Object.values(reasons).reduce((sum, n) => sum + n, 0)
        return [
          ...difference(`${channel}, unsettled`, queued + sending, 0),
          ...difference(`${channel}, all`, sent + skipped + failed + unknown, numbers.length),
          ...difference(`${channel}, explained`, explained, skipped + failed + unknown),
          ...difference(`${channel}, duplicates`, reasons.duplicate ?? 0, duplicates),
          ...difference(`${channel}, skipped`, skipped, duplicates),
          ...difference(`${channel}, failed`, listed(run, channel, 'failed').size, failed),
          ...difference(`${channel}, unknown`, listed(run, channel, 'unknown').size, unknown),
        ]
      }),
    ]
  },
}

const finishes: Invariant<DeliveryRun> = {
  name: 'the delivery is finished, and its progress never falls',
  violations: ({ final, progress }) => {
    const isFinished = final.status === 'finished' && final.progress === 1
    const falls = progress.flatMap((one, i) =>
      i > 0 && one < progress[i - 1]! ? [`${progress[i - 1]} to ${one}`] : [],
    )
    return [...(isFinished ? [] : [`it is ${final.status}, at ${final.progress}`]), ...falls]
  },
}

const fewUnknown: Invariant<DeliveryRun> = {
  name: 'at most the messages in progress at kills, and those without a reply, are unknown',
  violations: (run) => {
    const { kills, daemons, width, final, sms } = run
    const { email, sms: texts } = final.report
    const max = kills.length * daemons * width + sms.unconfirmed.length
    return email.unknown + texts.unknown > max ? [`${email.unknown + texts.unknown}, not ${max}`] : []
  },
}

const completePages: Invariant<DeliveryRun> = {
  name: 'no message of an incomplete page is sent',
  violations: ({ torn }) => torn,
}

const fiveTries: Invariant<DeliveryRun> = {
  name: 'a piece fails after exactly five tries',
  violations: ({ failedPieces, pages }) =>
    failedPieces.flatMap(({ min, tries }) => {
      const bad = pages.filter((page) => page.min === min && page.behavior !== 'good').length
      return tries === 5 && bad >= 5 ? [] : [`${min}: ${tries} tries, ${bad} bad answers`]
    }),
}

const pauses: Invariant<DeliveryRun> = {
  name: 'a paused delivery sends nothing',
  violations: ({ whilePaused }) => whilePaused.flatMap((n, i) => (n > 0 ? [`${n} in pause ${i + 1}`] : [])),
}

const noErrorReplies: Invariant<DeliveryRun> = {
  name: 'a call succeeds, or gets no reply',
  violations: ({ errorReplies }) => errorReplies,
}

export const invariants: Invariant<DeliveryRun>[] = [
  onlyOnce,
  everyRecipient,
  correctResults,
  rejectedOnce,
  countsAddUp,
  finishes,
  fewUnknown,
  completePages,
  fiveTries,
  pauses,
  noErrorReplies,
]
