import { describe } from 'vitest'
import { laws } from '../../../scripts/chaos/bus/laws.ts'
import type { BusRun } from '../../../scripts/chaos/bus/record.ts'
import { checkInvariants, type Violation } from '../../support/invariants.ts'

const told = (number: number, status?: number) => ({
  number,
  document: number + 10,
  webhookId: `res_${number}`,
  response: { status_code: 200, body: { number } },
  ...(status !== undefined && { status }),
})

const handled = (number: number, status?: number) => ({
  number,
  document: number + 10,
  uuid: `uuid-${number}`,
  ...(status !== undefined && { status }),
})

/** One delivered at once, one whose handler and webhook first failed, one whose webhook broke off at the only kill. */
const kept = (): BusRun => ({
  kills: [{ at: 1_000, over: 1_010 }],
  refusals: [],
  stored: 3,
  sent: [1, 2, 3].map((number) => ({ number, uuid: `uuid-${number}`, ids: [number + 10] })),
  handled: [handled(1, 200), handled(2, 503), handled(3), handled(2, 200), handled(3, 200)],
  told: [told(1, 200), told(2, 503), told(3), told(2, 200), told(3, 200)],
})

/** For each law the least that breaks it. */
const offences: Violation<BusRun>[] = [
  ['every document reaches its webhook', (run) => run.told.splice(0, 1)],
  ['every document reaches its webhook', (run) => run.told.splice(3, 1)],
  ['no more copies reach the webhooks than there were kills', (run) => run.told.push(told(1, 200))],
  ['no more calls reach the handler again than there were kills', (run) => run.handled.push(handled(2, 200))],
  [
    'all webhooks of a document carry one webhook-id, and no other document has it',
    (run) => (run.told[2]!.webhookId = 'res_9'),
  ],
  [
    'all webhooks of a document carry one webhook-id, and no other document has it',
    (run) => (run.told[0]!.webhookId = 'res_2'),
  ],
  [
    'a webhook tells an answer of the handler, which was below 500',
    (run) => (run.told[0]!.response = { status_code: 404, body: { number: 1 } }),
  ],
  [
    'a webhook tells an answer of the handler, which was below 500',
    (run) => (run.told[0]!.response = { status_code: 200, body: { number: 2 } }),
  ],
  [
    'a webhook tells an answer of the handler, which was below 500',
    (run) => (run.told[1]!.response = { status_code: 503, body: { number: 2 } }),
  ],
  ['however often a uuid is sent, it is one document', (run) => run.sent[0]!.ids.push(19)],
  ['however often a uuid is sent, it is one document', (run) => (run.handled[0]!.uuid = 'uuid-9')],
  ['however often a uuid is sent, it is one document', (run) => (run.stored = 4)],
  ['who sends is answered with success, or not at all', (run) => run.refusals.push('502')],
]

describe('the laws of the bus', () => checkInvariants(laws, kept, offences))
