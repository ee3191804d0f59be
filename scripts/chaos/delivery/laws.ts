// What must hold of a delivery, however often it, its queue and its channels died.
import type { Law } from '../law.ts'
import type { DeliveryRun, Reached } from './record.ts'
import { gap, pageAt } from './source.ts'

const channels = ['email', 'sms'] as const
type Channel = (typeof channels)[number]

const reachedBy = (run: DeliveryRun, channel: Channel): Reached => (channel === 'email' ? run.mail : run.sms)

/** For each channel what breaks a law there. */
const each = (breaches: (channel: Channel) => string[]) => channels.flatMap((channel) => breaches(channel))

const twice = (numbers: number[]) =>
  [...Map.groupBy(numbers, (n) => n)].flatMap(([n, same]) => (same.length > 1 ? [n] : []))

const onlyOnce: Law<DeliveryRun> = {
  name: 'nobody is sent to twice by a channel',
  breaches: (run) => each((channel) => twice(reachedBy(run, channel).taken).map((n) => `${channel} to ${n}`)),
}

/** The pages that are in, by the first item of their pieces. */
function pagesIn({ size, failedPieces }: DeliveryRun): { min: number; numbers: number[] }[] {
  const failed = new Set(failedPieces.map(({ min }) => min))
  const mins = Array.from({ length: Math.ceil(size / gap) }, (_, i) => 1 + i * gap)
  return mins.filter((min) => !failed.has(min)).map((min) => ({ min, numbers: pageAt(min, size) }))
}

/** Those who are listed as failed or unknown. */
function listed(run: DeliveryRun, channel: Channel, state: 'failed' | 'unknown'): Set<number> {
  const those = run.failures.filter((one) => one.channel === channel && one.state === state)
  return new Set(those.map(({ min, index }) => pageAt(min, run.size)[index]!))
}

const everybody: Law<DeliveryRun> = {
  name: 'everybody on a page that is in is sent to, or listed as failed or unknown',
  breaches: (run) => {
    const wanted = new Set(pagesIn(run).flatMap(({ numbers }) => numbers))
    return each((channel) => {
      const taken = new Set(reachedBy(run, channel).taken)
      const accounted = taken.union(listed(run, channel, 'failed')).union(listed(run, channel, 'unknown'))
      return [
        ...[...wanted.difference(accounted)].map((n) => `${channel}: ${n} was forgotten`),
        ...[...accounted.difference(wanted)].map((n) => `${channel}: ${n} is on no page`),
      ]
    })
  },
}

const truthful: Law<DeliveryRun> = {
  name: 'who is counted as sent to was, and who is listed as failed was not',
  breaches: (run) =>
    each((channel) => {
      const taken = new Set(reachedBy(run, channel).taken)
      const failed = [...listed(run, channel, 'failed').intersection(taken)]
      const known = taken.difference(listed(run, channel, 'unknown')).size
      const { sent } = run.told.report[channel]
      return [
        ...failed.map((n) => `${channel}: ${n} is listed as failed`),
        ...(known === sent ? [] : [`${channel}: ${sent} are counted as sent, ${known} were`]),
      ]
    }),
}

const refusedForGood: Law<DeliveryRun> = {
  name: 'who was refused for good is not asked for again',
  breaches: (run) => each((channel) => twice(reachedBy(run, channel).refused).map((n) => `${channel} to ${n}`)),
}

const balances: Law<DeliveryRun> = {
  name: 'the books balance',
  breaches: (run) => {
    const { pieces, recipients, ...report } = run.told.report
    const pages = pagesIn(run)
    const numbers = pages.flatMap((page) => page.numbers)
    const duplicates = numbers.length - new Set(numbers).size
    const wrong = (what: string, is: number, wanted: number) => (is === wanted ? [] : [`${what}: ${is}, not ${wanted}`])
    return [
      ...wrong('pieces', pieces.processed + pieces.failed, Math.ceil(run.size / gap)),
      ...wrong('pieces in all', pieces.total, Math.ceil(run.size / gap)),
      ...wrong('failed pieces', pieces.failed, run.failedPieces.length),
      ...wrong('recipients', recipients, numbers.length),
      ...each((channel) => {
        const { queued, sending, sent, skipped, failed, unknown, reasons } = report[channel]
        const explained = Object.values(reasons).reduce((sum, n) => sum + n, 0)
        return [
          ...wrong(`${channel}, unsettled`, queued + sending, 0),
          ...wrong(`${channel}, all`, sent + skipped + failed + unknown, numbers.length),
          ...wrong(`${channel}, explained`, explained, skipped + failed + unknown),
          ...wrong(`${channel}, duplicates`, reasons.duplicate ?? 0, duplicates),
          ...wrong(`${channel}, skipped`, skipped, duplicates),
          ...wrong(`${channel}, failed`, listed(run, channel, 'failed').size, failed),
          ...wrong(`${channel}, unknown`, listed(run, channel, 'unknown').size, unknown),
        ]
      }),
    ]
  },
}

const ends: Law<DeliveryRun> = {
  name: 'the delivery is finished, and its progress never falls',
  breaches: ({ told, progress }) => {
    const isOver = told.status === 'finished' && told.progress === 1
    const falls = progress.flatMap((one, i) =>
      i > 0 && one < progress[i - 1]! ? [`${progress[i - 1]} to ${one}`] : [],
    )
    return [...(isOver ? [] : [`it is ${told.status}, at ${told.progress}`]), ...falls]
  },
}

const fewUnknown: Law<DeliveryRun> = {
  name: 'no more are unknown than were under way at kills, or were not answered',
  breaches: (run) => {
    const { kills, daemons, width, told, sms } = run
    const { email, sms: texts } = told.report
    const most = kills.length * daemons * width + sms.unsaid.length
    return email.unknown + texts.unknown > most ? [`${email.unknown + texts.unknown}, not ${most}`] : []
  },
}

const pagesAreWhole: Law<DeliveryRun> = {
  name: 'nothing of a page that broke off is sent',
  breaches: ({ torn }) => torn,
}

const fiveTries: Law<DeliveryRun> = {
  name: 'a piece has failed after five tries, and not before',
  breaches: ({ failedPieces, pages }) =>
    failedPieces.flatMap(({ min, tries }) => {
      const bad = pages.filter((page) => page.min === min && page.manner !== 'good').length
      return tries === 5 && bad >= 5 ? [] : [`${min}: ${tries} tries, ${bad} bad answers`]
    }),
}

const pauses: Law<DeliveryRun> = {
  name: 'while it is paused nothing is sent',
  breaches: ({ whilePaused }) => whilePaused.flatMap((n, i) => (n > 0 ? [`${n} in pause ${i + 1}`] : [])),
}

const answersWell: Law<DeliveryRun> = {
  name: 'who asks is answered with success, or not at all',
  breaches: ({ refusals }) => refusals,
}

export const laws: Law<DeliveryRun>[] = [
  onlyOnce,
  everybody,
  truthful,
  refusedForGood,
  balances,
  ends,
  fewUnknown,
  pagesAreWhole,
  fiveTries,
  pauses,
  answersWell,
]
