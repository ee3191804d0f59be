// The invariants of payments that a chaos run checks, whatever processes were killed.
import type { Invariant } from '../invariant.ts'
import type { PaymentRun, ReceivedWebhook } from './record.ts'

const byCode = <One extends { code: string }>(those: One[]) => Map.groupBy(those, ({ code }) => code)

const storedOnce: Invariant<PaymentRun> = {
  name: 'every acknowledged payment is stored once, with its amount and account',
  violations: ({ paid, stored }) => {
    const rows = byCode(stored)
    return paid.flatMap(({ code, account, minor }) => {
      const [row, ...others] = rows.get(code) ?? []
      if (!row) return [`${code} was lost`]
      if (others.length > 0) return [`${code} is stored ${others.length + 1} times`]
      return row.account === account && row.sum_minor === minor ? [] : [`${code} is stored as ${JSON.stringify(row)}`]
    })
  },
}

const onlyPaid: Invariant<PaymentRun> = {
  name: 'only payments of the processor are stored',
  violations: ({ paid, stored }) => {
    const codes = new Set(paid.map(({ code }) => code))
    return stored.flatMap(({ code }) => (codes.has(code) ? [] : [code]))
  },
}

const webhookForEveryPayment: Invariant<PaymentRun> = {
  name: 'the operator gets and acknowledges a webhook of every payment',
  violations: ({ paid, webhooks }) => {
    const acknowledged = new Set(webhooks.filter(({ status }) => status === 200).map(({ code }) => code))
    return paid.flatMap(({ code }) => (acknowledged.has(code) ? [] : [code]))
  },
}

const correctResults: Invariant<PaymentRun> = {
  name: 'webhooks have the values of the stored payment',
  violations: ({ webhooks, stored }) => {
    const rows = byCode(stored)
    return webhooks.flatMap(({ code, id, account, sum }) => {
      const [row] = rows.get(code) ?? []
      const isSame = row && String(row.id) === id && row.account === account && row.sum_minor === Math.round(sum * 100)
      return isSame ? [] : [`${code}: ${id}, ${account}, ${sum}`]
    })
  },
}

const sameIdAndBody: Invariant<PaymentRun> = {
  name: 'duplicates of a webhook have the same id and body, and no other payment has this id',
  violations: ({ webhooks }) => {
    const differing = [...byCode(webhooks)].flatMap(([code, copies]) => {
      const [first] = copies
      const same = copies.every(({ webhookId, body }) => webhookId === first!.webhookId && body === first!.body)
      return same ? [] : [`${code} has duplicates that differ`]
    })
    const shared = [...Map.groupBy(webhooks, ({ webhookId }) => webhookId)].flatMap(([id, those]) =>
      new Set(those.map(({ code }) => code)).size > 1 ? [`${id} is shared`] : [],
    )
    return [...differing, ...shared]
  },
}

/**
 * Webhooks that were sent again although the operator had acknowledged one, each with the webhook before it. Only a
 * kill may cause them.
 */
export const duplicatesIn = ({ webhooks }: Pick<PaymentRun, 'webhooks'>): [ReceivedWebhook, ReceivedWebhook][] =>
  [...byCode(webhooks).values()].flatMap((copies) => {
    const ordered = copies.toSorted((a, b) => a.began - b.began)
    const first = ordered.findIndex(({ status }) => status === 200)
    return first < 0
      ? []
      : ordered.slice(first + 1).map((copy, i): [ReceivedWebhook, ReceivedWebhook] => [ordered[first + i]!, copy])
  })

const onlyAfterKills: Invariant<PaymentRun> = {
  name: 'an acknowledged webhook is sent again only after a kill',
  violations: (run) =>
    duplicatesIn(run).flatMap(([before, copy]) =>
      run.kills.some(({ at, endedAt }) => endedAt > before.began && at < copy.began) ? [] : [copy.code],
    ),
}

const completes: Invariant<PaymentRun> = {
  name: 'every payment is completed',
  violations: ({ stored }) =>
    stored.flatMap(({ code, status }) => (status === 1 ? [] : [`${code} has status ${status}`])),
}

const noUnknownAccounts: Invariant<PaymentRun> = {
  name: 'no payment is accepted for an unknown account',
  violations: ({ checked, stored }) => {
    const mismatches = checked.filter(({ account, code }) => code !== (account.startsWith('unknown') ? 11 : 0))
    const paid = stored.filter(({ account }) => account.startsWith('unknown'))
    return [
      ...mismatches.map(({ account, code }) => `${account} got the code ${code}`),
      ...paid.map(({ code }) => code),
    ]
  },
}

const noErrorReplies: Invariant<PaymentRun> = {
  name: 'every notification gets the expected code, or no reply',
  violations: ({ errorReplies }) => errorReplies,
}

export const invariants: Invariant<PaymentRun>[] = [
  storedOnce,
  onlyPaid,
  webhookForEveryPayment,
  correctResults,
  sameIdAndBody,
  onlyAfterKills,
  completes,
  noUnknownAccounts,
  noErrorReplies,
]
