import { describe } from 'vitest'
import { laws } from '../../../scripts/chaos/payment/laws.ts'
import type { PaymentRun, ReceivedWebhook } from '../../../scripts/chaos/payment/record.ts'
import { checkInvariants, type Violation } from '../../support/invariants.ts'

const told = (number: number, began: number, more: Partial<ReceivedWebhook> = {}): ReceivedWebhook => ({
  ...{ id: String(number), code: `code ${number}`, account: 'ann', sum: 10.1, webhookId: `webhook ${number}` },
  ...{ body: `body ${number}`, began, status: 200, ...more },
})

/** Three payments: one told once, one that was refused first, one that was told again after the only kill. */
const kept = (): PaymentRun => ({
  paid: [1, 2, 3].map((number) => ({ number, code: `code ${number}`, account: 'ann', minor: 1010 })),
  told: [told(1, 100), told(2, 200, { status: 503 }), told(2, 10_200), told(3, 300), told(3, 900)],
  stored: [1, 2, 3].map((id) => ({ id, code: `code ${id}`, account: 'ann', sum_minor: 1010, status: 1 })),
  checked: [
    { account: 'ann', code: 0 },
    { account: 'unknown 1', code: 11 },
  ],
  kills: [{ at: 310, over: 320 }],
  refusals: [],
})

/** For each law the least that breaks it. */
const offences: Violation<PaymentRun>[] = [
  ['every payment that the processor was told is taken is stored once, as it was paid', (run) => run.stored.pop()],
  [
    'every payment that the processor was told is taken is stored once, as it was paid',
    (run) => run.stored.push({ ...run.stored[0]!, id: 4 }),
  ],
  [
    'every payment that the processor was told is taken is stored once, as it was paid',
    (run) => (run.paid[0]!.minor = 1011),
  ],
  [
    'every payment that the processor was told is taken is stored once, as it was paid',
    (run) => (run.stored[0]!.account = 'bob'),
  ],
  ['nothing is stored that nobody paid', (run) => run.stored.push({ ...run.stored[0]!, code: 'code 4' })],
  ['the operator is told of every payment, and acknowledges it', (run) => run.told.shift()],
  ['the operator is told of every payment, and acknowledges it', (run) => delete run.told[0]!.status],
  ['the operator is told what is stored', (run) => (run.told[0]!.id = '2')],
  ['the operator is told what is stored', (run) => (run.told[0]!.sum = 10.11)],
  ['the operator is told what is stored', (run) => (run.told[0]!.account = 'bob')],
  [
    'copies of a webhook have one id and one body, and those of another payment others',
    (run) => (run.told[2]!.webhookId = 'another'),
  ],
  [
    'copies of a webhook have one id and one body, and those of another payment others',
    (run) => (run.told[2]!.body = 'another'),
  ],
  [
    'copies of a webhook have one id and one body, and those of another payment others',
    (run) => (run.told[0]!.webhookId = 'webhook 3'),
  ],
  ['what was acknowledged is told again only after a kill', (run) => run.kills.pop()],
  ['what was acknowledged is told again only after a kill', (run) => run.told.push(told(3, 950))],
  ['every payment is completed', (run) => (run.stored[1]!.status = 0)],
  ['an account that the operator does not know is not paid for', (run) => (run.checked[1]!.code = 0)],
  ['an account that the operator does not know is not paid for', (run) => (run.checked[0]!.code = 11)],
  ['an account that the operator does not know is not paid for', (run) => (run.stored[0]!.account = 'unknown 1')],
  ['the processor is answered what it must hear, or not at all', (run) => run.refusals.push('500')],
]

describe('the laws of payments', () => checkInvariants(laws, kept, offences))
