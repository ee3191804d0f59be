// What must hold of payments, however often what takes them died.
import type { Law } from '../law.ts'
import type { PaymentRun, ReceivedWebhook } from './record.ts'

const byCode = <One extends { code: string }>(those: One[]) => Map.groupBy(those, ({ code }) => code)

const storedOnce: Law<PaymentRun> = {
  name: 'every payment that the processor was told is taken is stored once, as it was paid',
  breaches: ({ paid, stored }) => {
    const rows = byCode(stored)
    return paid.flatMap(({ code, account, minor }) => {
      const [row, ...others] = rows.get(code) ?? []
      if (!row) return [`${code} was lost`]
      if (others.length > 0) return [`${code} is stored ${others.length + 1} times`]
      return row.account === account && row.sum_minor === minor ? [] : [`${code} is stored as ${JSON.stringify(row)}`]
    })
  },
}

const nothingElse: Law<PaymentRun> = {
  name: 'nothing is stored that nobody paid',
  breaches: ({ paid, stored }) => {
    const codes = new Set(paid.map(({ code }) => code))
    return stored.flatMap(({ code }) => (codes.has(code) ? [] : [code]))
  },
}

const toldAtLeastOnce: Law<PaymentRun> = {
  name: 'the operator is told of every payment, and acknowledges it',
  breaches: ({ paid, told }) => {
    const acknowledged = new Set(told.filter(({ status }) => status === 200).map(({ code }) => code))
    return paid.flatMap(({ code }) => (acknowledged.has(code) ? [] : [code]))
  },
}

const truthful: Law<PaymentRun> = {
  name: 'the operator is told what is stored',
  breaches: ({ told, stored }) => {
    const rows = byCode(stored)
    return told.flatMap(({ code, id, account, sum }) => {
      const [row] = rows.get(code) ?? []
      const isSame = row && String(row.id) === id && row.account === account && row.sum_minor === Math.round(sum * 100)
      return isSame ? [] : [`${code}: ${id}, ${account}, ${sum}`]
    })
  },
}

const oneName: Law<PaymentRun> = {
  name: 'copies of a webhook have one id and one body, and those of another payment others',
  breaches: ({ told }) => {
    const differing = [...byCode(told)].flatMap(([code, copies]) => {
      const [first] = copies
      const same = copies.every(({ webhookId, body }) => webhookId === first!.webhookId && body === first!.body)
      return same ? [] : [`${code} has copies that differ`]
    })
    const shared = [...Map.groupBy(told, ({ webhookId }) => webhookId)].flatMap(([id, those]) =>
      new Set(those.map(({ code }) => code)).size > 1 ? [`${id} is shared`] : [],
    )
    return [...differing, ...shared]
  },
}

/** The copies that came after one that was acknowledged, each with that one. */
export const copiesIn = ({ told }: Pick<PaymentRun, 'told'>): [ReceivedWebhook, ReceivedWebhook][] =>
  [...byCode(told).values()].flatMap((copies) => {
    const ordered = copies.toSorted((a, b) => a.began - b.began)
    const first = ordered.findIndex(({ status }) => status === 200)
    return first < 0
      ? []
      : ordered.slice(first + 1).map((copy, i): [ReceivedWebhook, ReceivedWebhook] => [ordered[first + i]!, copy])
  })

const onlyAfterKills: Law<PaymentRun> = {
  name: 'what was acknowledged is told again only after a kill',
  breaches: (run) =>
    copiesIn(run).flatMap(([before, copy]) =>
      run.kills.some(({ at, over }) => over > before.began && at < copy.began) ? [] : [copy.code],
    ),
}

const completes: Law<PaymentRun> = {
  name: 'every payment is completed',
  breaches: ({ stored }) =>
    stored.flatMap(({ code, status }) => (status === 1 ? [] : [`${code} has status ${status}`])),
}

const knowsAccounts: Law<PaymentRun> = {
  name: 'an account that the operator does not know is not paid for',
  breaches: ({ checked, stored }) => {
    const wrong = checked.filter(({ account, code }) => code !== (account.startsWith('unknown') ? 11 : 0))
    const paid = stored.filter(({ account }) => account.startsWith('unknown'))
    return [
      ...wrong.map(({ account, code }) => `${account} was answered with ${code}`),
      ...paid.map(({ code }) => code),
    ]
  },
}

const answersWell: Law<PaymentRun> = {
  name: 'the processor is answered what it must hear, or not at all',
  breaches: ({ refusals }) => refusals,
}

export const laws: Law<PaymentRun>[] = [
  storedOnce,
  nothingElse,
  toldAtLeastOnce,
  truthful,
  oneName,
  onlyAfterKills,
  completes,
  knowsAccounts,
  answersWell,
]
