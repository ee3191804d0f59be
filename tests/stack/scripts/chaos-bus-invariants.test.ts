// Tests the invariants of chaos runs of the bus: a correct run satisfies all, and each finds its violation.
import { describe } from 'vitest'
import { invariants } from '../../../scripts/chaos/bus/invariants.ts'
import type { BusRun } from '../../../scripts/chaos/bus/record.ts'
import { checkInvariants, type Violation } from '../../support/invariants.ts'

const webhookCalls = (number: number, status?: number) => ({
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

/**
 * A run that satisfies all invariants: a document that was delivered at once, one whose handler and webhook failed
 * first, and one whose webhook was interrupted by the only kill.
 */
const correctRun = (): BusRun => ({
  kills: [{ at: 1_000, endedAt: 1_010 }],
  errorReplies: [],
  stored: 3,
  sent: [1, 2, 3].map((number) => ({ number, uuid: `uuid-${number}`, ids: [number + 10] })),
  handled: [handled(1, 200), handled(2, 503), handled(3), handled(2, 200), handled(3, 200)],
  webhookCalls: [
    webhookCalls(1, 200),
    webhookCalls(2, 503),
    webhookCalls(3),
    webhookCalls(2, 200),
    webhookCalls(3, 200),
  ],
})

/** For each invariant, the smallest changes that violate it. */
const violations: Violation<BusRun>[] = [
  ['every document reaches its webhook', (run) => run.webhookCalls.splice(0, 1)],
  ['every document reaches its webhook', (run) => run.webhookCalls.splice(3, 1)],
  ['the webhooks get at most one duplicate per kill', (run) => run.webhookCalls.push(webhookCalls(1, 200))],
  ['the handler gets at most one duplicate call per kill', (run) => run.handled.push(handled(2, 200))],
  [
    'all webhooks of a document have the same webhook-id, and no other document has this id',
    (run) => (run.webhookCalls[2]!.webhookId = 'res_9'),
  ],
  [
    'all webhooks of a document have the same webhook-id, and no other document has this id',
    (run) => (run.webhookCalls[0]!.webhookId = 'res_2'),
  ],
  [
    'a webhook contains a reply of the handler with a status below 500',
    (run) => (run.webhookCalls[0]!.response = { status_code: 404, body: { number: 1 } }),
  ],
  [
    'a webhook contains a reply of the handler with a status below 500',
    (run) => (run.webhookCalls[0]!.response = { status_code: 200, body: { number: 2 } }),
  ],
  [
    'a webhook contains a reply of the handler with a status below 500',
    (run) => (run.webhookCalls[1]!.response = { status_code: 503, body: { number: 2 } }),
  ],
  ['all requests with the same uuid create one document', (run) => run.sent[0]!.ids.push(19)],
  ['all requests with the same uuid create one document', (run) => (run.handled[0]!.uuid = 'uuid-9')],
  ['all requests with the same uuid create one document', (run) => (run.stored = 4)],
  ['sending a document succeeds, or gets no reply', (run) => run.errorReplies.push('502')],
]

describe('the invariants of the bus', () => checkInvariants(invariants, correctRun, violations))
