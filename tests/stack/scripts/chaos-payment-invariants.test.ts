// Tests the invariants of chaos runs of the payments: a correct run satisfies all, and each finds its violation.
import { describe } from 'vitest'
import { invariants } from '../../../scripts/chaos/payment/invariants.ts'
import type { PaymentRun, ReceivedWebhook } from '../../../scripts/chaos/payment/record.ts'
import { checkInvariants, type Violation } from '../../support/invariants.ts'

const webhook = (number: number, began: number, more: Partial<ReceivedWebhook> = {}): ReceivedWebhook => ({
  ...{ id: String(number), code: `code ${number}`, account: 'ann', sum: 10.1, webhookId: `webhook ${number}` },
  ...{ body: `body ${number}`, began, status: 200, ...more },
})

/**
 * A run that satisfies all invariants, with three payments: one with one webhook, one whose first webhook failed, and
 * one whose webhook was sent again after the only kill.
 */
const correctRun = (): PaymentRun => ({
  paid: [1, 2, 3].map((number) => ({ number, code: `code ${number}`, account: 'ann', minor: 1010 })),
  webhooks: [webhook(1, 100), webhook(2, 200, { status: 503 }), webhook(2, 10_200), webhook(3, 300), webhook(3, 900)],
  stored: [1, 2, 3].map((id) => ({ id, code: `code ${id}`, account: 'ann', sum_minor: 1010, status: 1 })),
  checked: [
    { account: 'ann', code: 0 },
    { account: 'unknown 1', code: 11 },
  ],
  kills: [{ at: 310, endedAt: 320 }],
  errorReplies: [],
})

/** For each invariant, the smallest changes that violate it. */
const violations: Violation<PaymentRun>[] = [
  ['every acknowledged payment is stored once, with its amount and account', (run) => run.stored.pop()],
  [
    'every acknowledged payment is stored once, with its amount and account',
    (run) => run.stored.push({ ...run.stored[0]!, id: 4 }),
  ],
  ['every acknowledged payment is stored once, with its amount and account', (run) => (run.paid[0]!.minor = 1011)],
  ['every acknowledged payment is stored once, with its amount and account', (run) => (run.stored[0]!.account = 'bob')],
  ['only payments of the processor are stored', (run) => run.stored.push({ ...run.stored[0]!, code: 'code 4' })],
  ['the operator gets and acknowledges a webhook of every payment', (run) => run.webhooks.shift()],
  ['the operator gets and acknowledges a webhook of every payment', (run) => delete run.webhooks[0]!.status],
  ['webhooks have the values of the stored payment', (run) => (run.webhooks[0]!.id = '2')],
  ['webhooks have the values of the stored payment', (run) => (run.webhooks[0]!.sum = 10.11)],
  ['webhooks have the values of the stored payment', (run) => (run.webhooks[0]!.account = 'bob')],
  [
    'duplicates of a webhook have the same id and body, and no other payment has this id',
    (run) => (run.webhooks[2]!.webhookId = 'another'),
  ],
  [
    'duplicates of a webhook have the same id and body, and no other payment has this id',
    (run) => (run.webhooks[2]!.body = 'another'),
  ],
  [
    'duplicates of a webhook have the same id and body, and no other payment has this id',
    (run) => (run.webhooks[0]!.webhookId = 'webhook 3'),
  ],
  ['an acknowledged webhook is sent again only after a kill', (run) => run.kills.pop()],
  ['an acknowledged webhook is sent again only after a kill', (run) => run.webhooks.push(webhook(3, 950))],
  ['every payment is completed', (run) => (run.stored[1]!.status = 0)],
  ['no payment is accepted for an unknown account', (run) => (run.checked[1]!.code = 0)],
  ['no payment is accepted for an unknown account', (run) => (run.checked[0]!.code = 11)],
  ['no payment is accepted for an unknown account', (run) => (run.stored[0]!.account = 'unknown 1')],
  ['every notification gets the expected code, or no reply', (run) => run.errorReplies.push('500')],
]

describe('the invariants of payments', () => checkInvariants(invariants, correctRun, violations))
