// What must hold of async documents, however often the bus, its queue and the handler died.
import type { Law } from '../law.ts'
import type { BusRun, HandlerRequest } from './record.ts'

const nameOf = (number: number) => `document ${number}`

/** Requests for what one before it has dealt with, or may have; one that was answered 5xx asks for a repeat. */
export function copiesIn(calls: HandlerRequest[]): number {
  const wanted = calls.filter(({ status }) => status !== undefined && status >= 500).length
  return calls.length - wanted - new Set(calls.map(({ number }) => number)).size
}

const delivered: Law<BusRun> = {
  name: 'every document reaches its webhook',
  breaches: ({ sent, told }) => {
    const taken = new Set(told.filter(({ status }) => status === 200).map(({ number }) => number))
    return sent.filter(({ number }) => !taken.has(number)).map(({ number }) => `${nameOf(number)} did not`)
  },
}

const fewCopies: Law<BusRun> = {
  name: 'no more copies reach the webhooks than there were kills',
  breaches: ({ told, kills }) => {
    const copies = copiesIn(told)
    return copies > kills.length ? [`${copies} copies after ${kills.length} kills`] : []
  },
}

const fewCalls: Law<BusRun> = {
  name: 'no more calls reach the handler again than there were kills',
  breaches: ({ handled, kills }) => {
    const copies = copiesIn(handled)
    return copies > kills.length ? [`${copies} repeated calls after ${kills.length} kills`] : []
  },
}

const oneWebhookId: Law<BusRun> = {
  name: 'all webhooks of a document carry one webhook-id, and no other document has it',
  breaches: ({ told }) => [
    ...several(
      told,
      ({ number }) => number,
      ({ webhookId }) => webhookId,
    ).map(([number, ids]) => `${nameOf(number)} came with ${ids.join(', ')}`),
    ...several(
      told,
      ({ webhookId }) => webhookId,
      ({ number }) => number,
    ).map(([id, numbers]) => `${id} came with the documents ${numbers.join(', ')}`),
  ],
}

/** The keys that come with more than one of these. */
function several<Item, Key, Part>(items: Item[], keyOf: (item: Item) => Key, partOf: (item: Item) => Part) {
  return [...Map.groupBy(items, keyOf)].flatMap(([key, same]): [Key, Part[]][] => {
    const parts = [...new Set(same.map(partOf))]
    return parts.length > 1 ? [[key, parts]] : []
  })
}

const tellsTheAnswer: Law<BusRun> = {
  name: 'a webhook tells an answer of the handler, which was below 500',
  breaches: ({ handled, told }) => {
    const answers = Map.groupBy(handled, ({ number }) => number)
    return told.flatMap(({ number, response: { status_code, body } }) => {
      const isHandlers = answers.get(number)?.some(({ status }) => status === status_code)
      const isRight = isHandlers && status_code < 500 && (body as { number?: number } | null)?.number === number
      return isRight ? [] : [`${nameOf(number)} was told ${status_code} ${JSON.stringify(body)}`]
    })
  },
}

const oneDocument: Law<BusRun> = {
  name: 'however often a uuid is sent, it is one document',
  breaches: ({ sent, handled, told, stored }) => {
    const numbers = new Map(sent.map(({ number, uuid }) => [number, uuid]))
    const answered = sent.flatMap(({ number, ids }) => ids.map((document) => ({ number, document })))
    const calls = several(
      [...answered, ...handled, ...told],
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

const answersWell: Law<BusRun> = {
  name: 'who sends is answered with success, or not at all',
  breaches: ({ refusals }) => refusals,
}

export const laws: Law<BusRun>[] = [
  delivered,
  fewCopies,
  fewCalls,
  oneWebhookId,
  tellsTheAnswer,
  oneDocument,
  answersWell,
]
