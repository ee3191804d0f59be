// The invariants of async documents that a chaos run of the bus checks, whatever processes were killed.
import type { Invariant } from '../invariant.ts'
import type { BusRun, HandlerRequest } from './record.ts'

const nameOf = (number: number) => `document ${number}`

/** Number of duplicate requests: requests after one that may have succeeded. A retry after a 5xx reply is not a duplicate. */
export function duplicatesIn(calls: HandlerRequest[]): number {
  const retried = calls.filter(({ status }) => status !== undefined && status >= 500).length
  return calls.length - retried - new Set(calls.map(({ number }) => number)).size
}

const delivered: Invariant<BusRun> = {
  name: 'every document reaches its webhook',
  violations: ({ sent, webhookCalls }) => {
    const taken = new Set(webhookCalls.filter(({ status }) => status === 200).map(({ number }) => number))
    return sent.filter(({ number }) => !taken.has(number)).map(({ number }) => `${nameOf(number)} did not`)
  },
}

const fewDuplicateWebhooks: Invariant<BusRun> = {
  name: 'the webhooks get at most one duplicate per kill',
  violations: ({ webhookCalls, kills }) => {
    const duplicates = duplicatesIn(webhookCalls)
    return duplicates > kills.length ? [`${duplicates} duplicates after ${kills.length} kills`] : []
  },
}

const fewDuplicateCalls: Invariant<BusRun> = {
  name: 'the handler gets at most one duplicate call per kill',
  violations: ({ handled, kills }) => {
    const duplicates = duplicatesIn(handled)
    return duplicates > kills.length ? [`${duplicates} duplicate calls after ${kills.length} kills`] : []
  },
}

const oneWebhookId: Invariant<BusRun> = {
  name: 'all webhooks of a document have the same webhook-id, and no other document has this id',
  violations: ({ webhookCalls }) => [
    ...several(
      webhookCalls,
      ({ number }) => number,
      ({ webhookId }) => webhookId,
    ).map(([number, ids]) => `${nameOf(number)} came with ${ids.join(', ')}`),
    ...several(
      webhookCalls,
      ({ webhookId }) => webhookId,
      ({ number }) => number,
    ).map(([id, numbers]) => `${id} came with the documents ${numbers.join(', ')}`),
  ],
}

/** Groups items by key, and returns the keys whose items have several different parts, with these parts. */
function several<Item, Key, Part>(items: Item[], keyOf: (item: Item) => Key, partOf: (item: Item) => Part) {
  return [...Map.groupBy(items, keyOf)].flatMap(([key, same]): [Key, Part[]][] => {
    const parts = [...new Set(same.map(partOf))]
    return parts.length > 1 ? [[key, parts]] : []
  })
}

const webhookHasReply: Invariant<BusRun> = {
  name: 'a webhook contains a reply of the handler with a status below 500',
  violations: ({ handled, webhookCalls }) => {
    const answers = Map.groupBy(handled, ({ number }) => number)
    return webhookCalls.flatMap(({ number, response: { status_code, body } }) => {
      const isHandlers = answers.get(number)?.some(({ status }) => status === status_code)
      const isRight = isHandlers && status_code < 500 && (body as { number?: number } | null)?.number === number
      return isRight ? [] : [`${nameOf(number)} got ${status_code} ${JSON.stringify(body)}`]
    })
  },
}

const oneDocument: Invariant<BusRun> = {
  name: 'all requests with the same uuid create one document',
  violations: ({ sent, handled, webhookCalls, stored }) => {
    const numbers = new Map(sent.map(({ number, uuid }) => [number, uuid]))
    const answered = sent.flatMap(({ number, ids }) => ids.map((document) => ({ number, document })))
    const calls = several(
      [...answered, ...handled, ...webhookCalls],
      ({ number }) => number,
      ({ document }) => document,
    )
    return [
      ...calls.map(([number, ids]) => `${nameOf(number)} has the ids ${ids.join(', ')}`),
      ...handled
        .filter(({ number, uuid }) => numbers.get(number) !== uuid)
        .map(({ number, uuid }) => `the handler got ${nameOf(number)} as ${uuid}`),
      ...(stored === sent.length ? [] : [`${stored} documents are stored, ${sent.length} were sent`]),
    ]
  },
}

const noErrorReplies: Invariant<BusRun> = {
  name: 'sending a document succeeds, or gets no reply',
  violations: ({ errorReplies }) => errorReplies,
}

export const invariants: Invariant<BusRun>[] = [
  delivered,
  fewDuplicateWebhooks,
  fewDuplicateCalls,
  oneWebhookId,
  webhookHasReply,
  oneDocument,
  noErrorReplies,
]
