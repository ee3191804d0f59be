// Tests the deliveries' API: parameters, replies and errors of each operation.
import { beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import {
  type DeliveryView,
  deliveries,
  deliveryOn,
  deliveryParams,
  errorReply,
  show,
  start,
  texts,
  validationError,
} from './support.ts'

describe.each(deliveries())('on $dialect', (tested) => {
  const { send, queue, content, keyed } = tested
  beforeEach(() => {
    queue.isDown = false
  })

  describe('starting a delivery', () => {
    it('returns the delivery, and creates one fraction in the queue', async () => {
      const params = deliveryParams({
        feed_payload: { a: 1 },
        max_per_second: 2.5,
        feed_image: { en: 'http://a.dev/{{ n }}' },
      })
      const { status, json } = await send('POST', '/delivery', params)
      const { delivery } = json.content as unknown as { delivery: DeliveryView }
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      const none = { queued: 0, sending: 0, sent: 0, skipped: 0, failed: 0, unknown: 0, reasons: {} }
      expect([status, delivery]).toEqual([
        200,
        {
          ...{ ...params, id: expect.any(Number), status: 'started', paused: false, progress: 0 },
          ...{ held: false, held_reason: null, next_attempt_at: null },
          ...{ created_at: time, updated_at: time },
          report: {
            pieces: { total: 4, processed: 0, failed: 0 },
            ...{ recipients: 0, email: none, sms: none, feed: none },
          },
        },
      ])
      expect((await content('GET', '/delivery', { id: delivery.id })).delivery).toEqual(delivery)
      const ledger = await tested.ledgerOf(delivery.id)
      expect(queue.waiting(ledger)).toMatchObject([
        {
          path: '/piece',
          json: { ledger },
          range: { min: 1, max: 20, gap: 5 },
          headers: { 'delivery-proof': expect.any(String) },
        },
      ])
    })

    it('accepts each channel alone, with only the texts that it needs', async () => {
      const { email_subject, email_html, sms_message, feed_title, feed_text } = texts
      const none = { has_email: false, has_sms: false, has_feed: false }
      const bare = Object.fromEntries(Object.entries(deliveryParams(none)).filter(([name]) => !(name in texts)))
      for (const more of [
        { has_email: true, email_subject, email_html },
        { has_sms: true, sms_message },
        { has_feed: true, feed_title },
        { has_feed: true, feed_text },
      ]) {
        const { status, json } = await send('POST', '/delivery', { ...bare, ...more })
        expect(status).toBe(200)
        expect(json.content).toMatchObject({ delivery: { ...none, ...more, payload: { shop: 'Acme' } } })
      }
    })

    it.each<[object, ...string[]]>([
      [{ name: undefined }, 'name'],
      [{ name: '' }, 'name'],
      [{ min: undefined, max: 'x', gap: 1.5 }, 'min', 'max', 'gap'],
      [{ min: 3, max: 2 }, 'min'],
      [{ gap: 0 }, 'gap'],
      [{ min: 0, max: 1_000_000, gap: 1 }, 'gap'],
      [{ min: -1e15 - 1 }, 'min'],
      [{ filters: undefined }, 'filters'],
      [{ filters: [1] }, 'filters'],
      [{ payload: 'x' }, 'payload'],
      [{ data_url: undefined }, 'data_url'],
      [{ data_url: 'nowhere' }, 'data_url'],
      [{ data_url: 'ftp://a.dev/' }, 'data_url'],
      [{ data_url: 'http://a:b@a.dev/' }, 'data_url'],
      [{ has_email: false, has_sms: false, has_feed: false }, 'has_email'],
      [{ email_subject: undefined, email_html: {} }, 'email_subject', 'email_html'],
      [{ sms_message: undefined }, 'sms_message'],
      [{ feed_title: undefined, feed_text: undefined }, 'feed_text'],
      [{ sms_message: 'Hello' }, 'sms_message'],
      [{ sms_message: ['Hello'] }, 'sms_message'],
      [{ sms_message: { en: 5 } }, 'sms_message.en'],
      [{ sms_message: { en: { a: 'b' } } }, 'sms_message.en'],
      [{ sms_message: { en: '' } }, 'sms_message.en'],
      [{ sms_message: { 'no locale': 'x' } }, 'sms_message.no locale'],
      [{ max_per_second: 0 }, 'max_per_second'],
      [{ max_per_second: -1 }, 'max_per_second'],
      [{ max_per_second: 'fast' }, 'max_per_second'],
    ])('refuses %j', async (more, ...fields) => {
      expect(await send('POST', '/delivery', deliveryParams(more))).toMatchObject(validationError(...fields))
    })

    it('returns 413 if the texts are too large to store', async () => {
      const quotes = deliveryParams({ payload: { a: '"'.repeat(480_000) } })
      expect(await send('POST', '/delivery', quotes)).toMatchObject(errorReply(413, 'payload_too_large'))
    })

    it('returns the field, locale, line and column of each template error', async () => {
      const bad = { email_html: { en: '<p>\n{{ name | nothing }}', ru: 'ок' }, sms_message: { kk: '{% if a %}' } }
      const { json } = await send('POST', '/delivery', deliveryParams(bad))
      expect(json.errors).toEqual({
        'email_html.en': expect.stringMatching(/\(line 2, column \d+\)\.$/),
        'sms_message.kk': expect.stringMatching(/\(line 1, column 1\)\.$/),
      })
    })

    it('returns 502 and stores nothing if the queue is down', async () => {
      const before = (await content('GET', '/deliveries', { count: true })).nb_results
      queue.isDown = true
      expect(await send('POST', '/delivery', deliveryParams())).toMatchObject(errorReply(502, 'queue_failed'))
      queue.isDown = false
      expect((await content('GET', '/deliveries', { count: true })).nb_results).toBe(before)
      expect(await tested.store.db.select().from(tested.store.deliveries)).toHaveLength(before as unknown as number)
    })

    it('starts no second delivery for the same idempotency key', async () => {
      const params = deliveryParams()
      const key = crypto.randomUUID()
      const first = await keyed(key, 'POST', '/delivery', params)
      expect(await keyed(key, 'POST', '/delivery', params)).toEqual(first)
      expect(await keyed(key, 'POST', '/delivery', { ...params, max: 21 })).toMatchObject(
        errorReply(409, 'idempotency_key_reused'),
      )
    })

    it('starts on a retry with the same idempotency key after the queue was down', async () => {
      const params = deliveryParams()
      const key = crypto.randomUUID()
      queue.isDown = true
      expect(await keyed(key, 'POST', '/delivery', params)).toMatchObject(errorReply(502, 'queue_failed'))
      queue.isDown = false
      expect((await keyed(key, 'POST', '/delivery', params)).status).toBe(200)
    })
  })

  describe('changing a delivery', () => {
    it.each<[object, ...string[]]>([
      [{ name: undefined }, 'name'],
      [{ min: undefined, max: undefined, gap: undefined }, 'min', 'max', 'gap'],
      [{ min: 30 }, 'min'],
      [{ gap: 0 }, 'gap'],
      [{ sms_message: 'Hello' }, 'sms_message'],
      [{ has_email: 'yes' }, 'has_email'],
      [{ max_per_second: -1 }, 'max_per_second'],
    ])('refuses %j', async (more, ...fields) => {
      const { id } = await start(tested)
      const required = { id, name: 'x', min: 1, max: 20, gap: 5 }
      expect(await send('PATCH', '/delivery', { ...required, ...more })).toMatchObject(validationError(...fields))
    })

    it('returns 413 if the texts are too large to store, and keeps the previous ones', async () => {
      const large = { text: 'x'.repeat(900_000) }
      const { id } = await start(tested, { payload: large })
      const same = { id, name: 'Sale', min: 1, max: 20, gap: 5 }
      expect(await send('PATCH', '/delivery', { ...same, feed_payload: large })).toMatchObject({ status: 200 })
      const feed_text = { en: 'x'.repeat(190_000) }
      expect(await send('PATCH', '/delivery', { ...same, feed_text })).toMatchObject(
        errorReply(413, 'payload_too_large'),
      )
      const { feed_text: kept } = (await content('GET', '/delivery', { id })).delivery as unknown as typeof texts
      expect(kept).toEqual(texts.feed_text)
    })

    it('sets and removes a rate', async () => {
      const { id } = await start(tested)
      const required = { id, name: 'x', min: 1, max: 20, gap: 5 }
      await send('PATCH', '/delivery', { ...required, max_per_second: 7 })
      expect(await show(tested, id)).toMatchObject({ max_per_second: 7, name: 'x' })
      await send('PATCH', '/delivery', { ...required, max_per_second: 0 })
      expect(await show(tested, id)).toMatchObject({ max_per_second: null })
    })

    it('returns 404 for an unknown delivery, like all other operations', async () => {
      const required = { id: 999_999, name: 'x', min: 1, max: 20, gap: 5 }
      expect(await send('PATCH', '/delivery', required)).toMatchObject(errorReply(404, 'delivery_not_found'))
      for (const [method, path] of [
        ['GET', '/delivery'],
        ['DELETE', '/delivery'],
        ['POST', '/delivery/cancel'],
        ['POST', '/delivery/copy'],
      ] as const) {
        expect(await send(method, path, { id: 999_999 })).toMatchObject(errorReply(404, 'delivery_not_found'))
        expect(await send(method, path, {})).toMatchObject(validationError('id'))
      }
    })
  })

  describe('the list', () => {
    it('is sorted newest first, and can be filtered, paged and counted', async () => {
      const mark = crypto.randomUUID()
      const names = [`${mark} A`, `${mark} B%`, `${mark} C`]
      const [a, b, c] = [
        await start(tested, { name: names[0], has_email: false }),
        await start(tested, { name: names[1], has_sms: false }),
        await start(tested, { name: names[2], has_feed: false }),
      ]
      await send('POST', '/delivery/cancel', { id: b!.id })
      const ids = async (more: object) => {
        const { deliveries, nb_results } = await content('GET', '/deliveries', { name: mark, ...more })
        return [
          ...(deliveries as unknown as DeliveryView[]).map(({ id }) => id),
          ...(nb_results ? [`of ${nb_results}`] : []),
        ]
      }
      expect(await ids({})).toEqual([c!.id, b!.id, a!.id])
      expect(await ids({ count: true, limit: 1, offset: 1 })).toEqual([b!.id, 'of 3'])
      expect(await ids({ has_email: false })).toEqual([a!.id])
      expect(await ids({ has_sms: true })).toEqual([c!.id, a!.id])
      expect(await ids({ has_feed: true, has_sms: false })).toEqual([b!.id])
      expect(await ids({ status: 'canceled' })).toEqual([b!.id])
      expect(await ids({ status: 'started', count: true })).toEqual([c!.id, a!.id, 'of 2'])
      expect(await ids({ name: 'B%' })).toContain(b!.id)
      expect(await ids({ name: `${mark} b` })).toEqual([])
      expect(await send('GET', '/deliveries', { status: 'done' })).toMatchObject(validationError('status'))
      const { deliveries } = await content('GET', '/deliveries', { name: names[0] })
      expect(Object.keys(deliveries![0] as unknown as object).toSorted()).toEqual(
        [
          'id',
          'name',
          'has_email',
          'has_sms',
          'has_feed',
          'status',
          'paused',
          'progress',
          'held',
          'held_reason',
          'next_attempt_at',
          'created_at',
          'updated_at',
        ].sort(),
      )
    })
  })
})

const tested = deliveryOn(databases[0]!)

describe('the calls of the queue', () => {
  it('are accepted only with the proof of their ledger', async () => {
    const { id } = await start(tested)
    const ledger = await tested.ledgerOf(id)
    const [task] = tested.queue.at('/piece', ledger)
    const other = await tested.ledgerOf((await start(tested)).id)
    const piece = { ledger, _min: 1, _max: 5, _gap: 5 }
    const denied = errorReply(401, 'unauthorized')
    for (const headers of [
      {},
      { 'delivery-proof': '' },
      { 'delivery-proof': 'x' },
      { 'delivery-proof': '0'.repeat(64) },
    ]) {
      expect(await tested.call('/piece', piece, headers as never)).toMatchObject(denied)
      expect(await tested.call('/slice', { ledger, slice: 1 }, headers as never)).toMatchObject(denied)
    }
    expect(await tested.call('/piece', { ...piece, ledger: other }, task!.headers)).toMatchObject(denied)
    expect(await tested.call('/piece', {}, task!.headers)).toMatchObject(denied)
    expect((await tested.call('/piece', piece, task!.headers)).status).toBe(200)
  })

  it('return 200 and do nothing for an unknown ledger', async () => {
    const { proofOf } = await import('#delivery/proof')
    const ledger = crypto.randomUUID()
    const headers = { 'delivery-proof': await proofOf(tested.env, ledger) }
    expect((await tested.call('/piece', { ledger, _min: 1, _max: 5, _gap: 5 }, headers)).status).toBe(200)
    expect((await tested.call('/slice', { ledger, slice: 1 }, headers)).status).toBe(200)
  })
})

describe('the configuration', () => {
  it.each([
    [{ DELIVERY_SECRET: '' }, 'DELIVERY_SECRET'],
    [{ DELIVERY_QUEUE_SLEEP: 'long' }, 'DELIVERY_QUEUE_SLEEP'],
    [{ DELIVERY_DATA_TIMEOUT: '61' }, 'DELIVERY_DATA_TIMEOUT'],
  ])('returns 503 with %j', async (variables, name) => {
    const { status, json } = await deliveryOn(databases[0]!, variables).send('POST', '/delivery', deliveryParams())
    expect([status, json.status_code, json.message]).toEqual([503, 'not_configured', expect.stringContaining(name)])
  })

  it('must have SELF_URL, the address for calls of the queue', async () => {
    const reply = await deliveryOn(databases[0]!, { SELF_URL: '' }).send('POST', '/delivery', deliveryParams())
    expect(reply).toMatchObject({ status: 503, json: { message: expect.stringContaining('SELF_URL') } })
  })

  it('sets the worker of the queue, and its sleep', async () => {
    const other = deliveryOn(databases[0]!, { DELIVERY_QUEUE_WORKER: 'bulk', DELIVERY_QUEUE_SLEEP: '20' })
    const { id } = await start(other)
    expect(other.queue.waiting(await other.ledgerOf(id))[0]).toMatchObject({ id: 'bulk-1', sleep: 20 })
  })
})

describe('health', () => {
  it('includes the health of the database and the queue', async () => {
    const healthy = deliveryOn(databases[0]!)
    expect(await healthy.send('GET', '/_health')).toMatchObject({
      status: 200,
      json: { content: { dependencies: { database: { state: 'up' }, queue: { state: 'up' } } } },
    })
    const ill = deliveryOn(databases[0]!)
    ill.queue.isDown = true
    expect(await ill.send('GET', '/_health')).toMatchObject({
      status: 503,
      json: { content: { dependencies: { database: { state: 'up' }, queue: { state: 'down' } } } },
    })
  })
})
