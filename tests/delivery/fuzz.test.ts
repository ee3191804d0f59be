// Sends random requests to the deliveries' API: each must get a valid reply of the API, never a 500.
import { beforeAll, describe } from 'vitest'
import { delivery } from '#delivery/index'
import { proofOf } from '#delivery/proof'
import { fuzz } from '../support/fuzz.ts'
import { deliveries, start, target, texts } from './support.ts'

const ledger = '0b9dd1f1-7c51-4b2e-9d3f-5a1c8e6b4d01'

describe.each(deliveries())('the deliveries on $dialect', (tested) => {
  const proof: Record<string, string> = {}
  beforeAll(async () => {
    for (let n = 0; n < 3; n++) await start(tested)
    proof['delivery-proof'] = await proofOf(tested.env, ledger)
  })

  const proven = (url: string, init?: RequestInit) => tested.fetch(url, { ...init, headers: proof })

  fuzz(proven, delivery, {
    id: [1, 2, '3', 999],
    name: ['Sale', 'x'],
    min: [0, 1, -5],
    max: [10, 20, '30'],
    gap: [5, 10],
    has_email: [true, false],
    has_sms: [true],
    has_feed: [true, false],
    ...Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, [text, { en: '{{ a' }, {}]])),
    feed_image: [{ en: 'http://a.dev/' }],
    feed_payload: [{}, { a: 1 }],
    payload: [{}, { a: [1] }],
    data_url: [target('/recipients')],
    filters: [{}, { a: 1 }],
    max_per_second: [1, 0.5, 0],
    status: ['started', 'finished'],
    state: ['failed', 'unknown', 'processed'],
    channel: ['email', 'sms'],
    limit: [1, 1000],
    offset: [0, 3],
    count: [true],
    ledger: [ledger],
    slice: [1],
    _min: [1],
    _max: [5],
    _gap: [5],
  })

  fuzz(tested.fetch, delivery, {}, 5)
})
