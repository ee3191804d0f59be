// Tests of the webhooks to the merchant: content, order, retries and crashes.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Env } from '#payment/bindings'
import { addTransaction } from '#payment/transactions'
import { delayAfter } from '#payment/webhook-schedule'
import { databases } from '../support/databases.ts'
import { errorReply } from '../support/refusals.ts'
import { isFull } from '../support/tier.ts'
import {
  answered,
  freshCode,
  merchantEndpoint,
  notification,
  nowhere,
  paymentOn,
  type TestedPayments,
  target,
} from './support.ts'

const secret = `whsec_${new Uint8Array(32).fill(7).toBase64()}`

const second = 1_000
const hour = 3_600 * second

const tests: TestedPayments[] = []

afterEach(async () => {
  vi.useRealTimers()
  // Deletes the dispatchers' alarms, which would otherwise start the webhooks of the next test.
  for (const { dispatcher } of tests.splice(0))
    await runInDurableObject(dispatcher(), (_, { storage }) => storage.deleteAlarm())
})

/** Stops the clock years ahead, so that no alarm runs unless the test runs it. */
const stop = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 100_000 * hour })

describe.each(databases)('a webhook on $dialect', (database) => {
  const payments = async (PAYMENT_WEBHOOK_URL: string, more: Partial<Env> = {}) => {
    const tested = paymentOn(database, { PAYMENT_WEBHOOK_URL, ...more })
    await tested.clear()
    tests.push(tested)
    return tested
  }

  /** Sends a Pay notification, and returns the payment's id. */
  const pay = async ({ send, row }: TestedPayments, more: Record<string, unknown> = {}) => {
    const fields = notification(more)
    expect(await send('GET', '/pay', fields)).toEqual(answered(0))
    return (await row(fields.TransactionId as string))!.id
  }

  const statusOf = async ({ rows }: TestedPayments, id: number) => (await rows()).find((row) => row.id === id)?.status
  /** The stored schedule of a payment's object. */
  const dueOf = ({ webhook }: TestedPayments, id: number) =>
    runInDurableObject(webhook(id), (_, { storage }) => storage.kv.get('due'))
  const completed = (tested: TestedPayments, id: number) =>
    expect.poll(async () => [await statusOf(tested, id), await dueOf(tested, id)]).toEqual([1, undefined])
  const made = async (tested: TestedPayments, id: number, count: number) => {
    await expect.poll(async () => (await tested.attempts(id)).length).toBe(count)
    return (await tested.attempts(id)).at(-1)!
  }
  /** Sends a Pay notification while the clock is stopped, and runs the first attempt. */
  const payFirst = async (tested: TestedPayments, more?: Record<string, unknown>) => {
    const id = await pay(tested, more)
    const dispatched = runDurableObjectAlarm(tested.dispatcher())
    await expect.poll(() => alarmOf(tested, id)).not.toBeNull()
    await runDurableObjectAlarm(tested.webhook(id))
    await dispatched
    return id
  }
  /** Time of the alarm of a payment. */
  const alarmOf = ({ webhook }: TestedPayments, id: number) =>
    runInDurableObject(webhook(id), (_, { storage }) => storage.getAlarm())

  const idOf = ({ body }: { body: string }) => Number((JSON.parse(body) as { id: string }).id)
  /** Payments in the order of their first attempts. */
  const begun = async ({ rows, attempts }: TestedPayments) => {
    const first = await Promise.all((await rows()).map(async ({ id }) => (await attempts(id))[0]!))
    const inOrder = first.sort(
      (a, b) => a.created_at.getTime() - b.created_at.getTime() || a.transaction_id - b.transaction_id,
    )
    return inOrder.map(({ transaction_id }) => transaction_id)
  }

  it.each(['200', '201'])('has the data of the payment, and is acknowledged by %s', async (statuses) => {
    const webhooks = merchantEndpoint({ statuses })
    const tested = await payments(webhooks.url, { PAYMENT_SIGNING_SECRET: secret })
    const code = freshCode()
    const id = await pay(tested, { TransactionId: code, AccountId: 'Ән', Amount: '10.10' })
    const [visit] = await webhooks.arrived(1)
    expect(visit).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } })
    const body = JSON.parse(visit!.body) as { created_at: string }
    expect(body).toEqual({
      id: String(id),
      account: 'Ән',
      code,
      sum: 10.1,
      created_at: expect.stringMatching(/^2\d{3}(-\d\d){2} \d\d(:\d\d){2}$/),
    })
    expect(new Webhook(secret).verify(visit!.body, visit!.headers)).toEqual(body)
    await completed(tested, id)
    expect(await tested.attempts(id)).toEqual([
      {
        ...{ id: expect.any(Number), transaction_id: id, url: webhooks.url, request_body: visit!.body },
        ...{ response_status: Number(statuses), response_body: '', error: null },
        ...{ duration_ms: expect.any(Number), created_at: expect.any(Date) },
      },
    ])
    const { transaction } = await tested.content('GET', '/transaction', { id })
    expect(transaction).toMatchObject({
      status: 1,
      next_webhook_at: null,
      webhooks: [{ response_status: Number(statuses) }],
    })
    expect(await alarmOf(tested, id)).toBeNull()
    expect(await webhooks.visits()).toHaveLength(1)
  })

  it('has is_test for a test payment, like the API', async () => {
    const webhooks = merchantEndpoint()
    const tested = await payments(webhooks.url, { PAYMENT_TEST: 'true' })
    const id = await pay(tested, { TestMode: '1' })
    const [visit] = await webhooks.arrived(1)
    expect(JSON.parse(visit!.body)).toMatchObject({ id: String(id), is_test: true })
    expect(await tested.content('GET', '/transaction', { id })).toMatchObject({ transaction: { is_test: true } })
  })

  it('is signed with each of several secrets', async () => {
    const next = `whsec_${new Uint8Array(32).fill(8).toBase64()}`
    const webhooks = merchantEndpoint()
    const tested = await payments(webhooks.url, { PAYMENT_SIGNING_SECRET: `${secret}, ${next}` })
    await pay(tested)
    const [visit] = await webhooks.arrived(1)
    for (const known of [secret, next])
      expect(new Webhook(known).verify(visit!.body, visit!.headers)).toEqual(JSON.parse(visit!.body))
  })

  it('is sent once for 30 concurrent copies of a notification', async () => {
    const webhooks = merchantEndpoint()
    const tested = await payments(webhooks.url)
    const fields = notification()
    const replies = await Promise.all(Array.from({ length: 30 }, () => tested.send('POST', '/pay', fields)))
    expect(new Set(replies.map((reply) => JSON.stringify(reply)))).toEqual(new Set([JSON.stringify(answered(0))]))
    const rows = await tested.rows()
    expect(rows).toHaveLength(1)
    await completed(tested, rows[0]!.id)
    expect(await webhooks.visits()).toHaveLength(1)
    expect(await tested.logs()).toHaveLength(30)
  })

  it('is retried on the schedule, with the same id and body, until it is acknowledged', async () => {
    stop()
    const refusals = ['204', '400', '500', '302', '202', '503', '404']
    const webhooks = merchantEndpoint({ statuses: [...refusals, '201'].join(',') })
    const tested = await payments(webhooks.url, { PAYMENT_SIGNING_SECRET: secret })
    const id = await payFirst(tested)
    const waits = [10, 60, 300, 900, 3_600, 3_600, 3_600]
    for (const [nth, refused] of refusals.entries()) {
      expect(await made(tested, id, nth + 1)).toMatchObject({ response_status: Number(refused) })
      expect(await alarmOf(tested, id)).toBe(Date.now() + waits[nth]! * second)
      expect(await statusOf(tested, id)).toBe(0)
      const { transaction } = await tested.content('GET', '/transaction', { id })
      expect(transaction).toMatchObject({
        status: 0,
        next_webhook_at: new Date(Date.now() + waits[nth]! * second).toISOString().slice(0, 19).replace('T', ' '),
      })
      vi.setSystemTime(Date.now() + waits[nth]! * second)
      await runDurableObjectAlarm(tested.webhook(id))
    }
    await completed(tested, id)
    const visits = await webhooks.visits()
    expect(visits).toHaveLength(8)
    expect(new Set(visits.map(({ body }) => body)).size).toBe(1)
    expect(new Set(visits.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(visits.map(({ headers }) => headers['webhook-signature'])).size).toBe(8)
  })

  it('reaches a merchant that was down for two days, for each payment', async () => {
    stop()
    const began = Date.now()
    const tested = await payments(nowhere)
    const ids = [await payFirst(tested), await payFirst(tested, { AccountId: 'bob' }), await payFirst(tested)]
    for (const id of ids)
      expect(await made(tested, id, 1)).toMatchObject({ response_status: null, error: expect.any(String) })
    while (Date.now() < began + 48 * hour) {
      for (const id of ids) expect(await alarmOf(tested, id)).toBeGreaterThan(Date.now())
      vi.setSystemTime(Math.min(...(await Promise.all(ids.map(async (id) => (await alarmOf(tested, id))!)))))
      for (const id of ids)
        if ((await alarmOf(tested, id))! <= Date.now()) await runDurableObjectAlarm(tested.webhook(id))
    }
    const webhooks = merchantEndpoint()
    Object.assign(tested.env, { PAYMENT_WEBHOOK_URL: webhooks.url })
    vi.setSystemTime(Date.now() + hour)
    for (const id of ids) await runDurableObjectAlarm(tested.webhook(id))
    for (const id of ids) expect(await statusOf(tested, id)).toBe(1)
    expect((await webhooks.visits()).map(({ body }) => (JSON.parse(body) as { id: string }).id)).toEqual(
      ids.map(String),
    )
    // In the simulated 48 hours there are five attempts in the first half hour, then one per hour.
    for (const id of ids) expect((await tested.attempts(id)).length).toBeGreaterThan(48)
  })

  it('follows only redirects that keep its body and signature', async () => {
    const webhooks = merchantEndpoint()
    const tested = await payments(target(`/redirect?status=307&to=${encodeURIComponent(webhooks.url)}`))
    const id = await pay(tested)
    await completed(tested, id)
    expect(await webhooks.visits()).toMatchObject([{ method: 'POST', body: expect.stringContaining(`"id":"${id}"`) }])

    const elsewhere = merchantEndpoint()
    for (const [status, to] of [
      [302, elsewhere.url],
      [303, elsewhere.url],
      [307, elsewhere.url.replace('127.0.0.1', 'localhost')],
    ]) {
      const lost = await payments(target(`/redirect?status=${status}&to=${encodeURIComponent(String(to))}`))
      const id = await pay(lost)
      expect(await made(lost, id, 1)).toMatchObject({ response_status: status })
      expect(await statusOf(lost, id)).toBe(0)
    }
    expect(await elsewhere.visits()).toEqual([])
  })

  it('is logged with the beginning of the response, without card numbers', async () => {
    const tested = await payments(target('/large'))
    const attempt = await made(tested, await pay(tested), 1)
    expect(attempt.response_body).toHaveLength(4_000)
    const long = await payments(target(`/large?begins=${encodeURIComponent('{"Token":"QZ","a":"')}`))
    const cut = await made(long, await pay(long), 1)
    expect(cut.response_body).toMatch(/^{"Token":"\*\*\*","a":"x{3900}/)
    expect(cut.url).not.toContain('QZ')
    const echoed = await payments(target('/echo'))
    const noted = await made(echoed, await pay(echoed, { AccountId: '4111111111111111' }), 1)
    for (const kept of [noted.request_body, noted.response_body]) {
      expect(kept).toContain('***')
      expect(kept).not.toContain('4111111111111111')
    }
  })

  it('is resent on request, with the same id', async () => {
    const webhooks = merchantEndpoint({ statuses: '200,500,200' })
    const tested = await payments(webhooks.url)
    const id = await pay(tested)
    await completed(tested, id)
    const again = await tested.content('POST', '/transaction/webhook', { id })
    expect(again).toMatchObject({
      transaction: {
        id,
        status: 1,
        webhooks: [{ response_status: 500 }, { response_status: 200 }],
        next_webhook_at: expect.any(String),
      },
    })
    await runDurableObjectAlarm(tested.webhook(id))
    const { transaction } = await tested.content('GET', '/transaction', { id })
    expect(transaction).toMatchObject({ webhooks: [{ response_status: 200 }, {}, {}], next_webhook_at: null })
    const visits = await webhooks.visits()
    expect(new Set(visits.map(({ headers, body }) => headers['webhook-id'] + body)).size).toBe(1)
    expect(visits).toHaveLength(3)
  })

  it('is resent once for all retries with an Idempotency-Key', async () => {
    const webhooks = merchantEndpoint()
    const tested = await payments(webhooks.url)
    const id = await pay(tested)
    await completed(tested, id)
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = await tested.send('POST', '/transaction/webhook', { id }, headers)
    expect(first).toMatchObject({ status: 200, json: { content: { transaction: { webhooks: [{}, {}] } } } })
    expect(await tested.send('POST', '/transaction/webhook', { id }, headers)).toEqual(first)
    expect(await webhooks.visits()).toHaveLength(2)
    expect(await tested.send('POST', '/transaction/webhook', { id: id + 1 }, headers)).toMatchObject(
      errorReply(409, 'idempotency_key_reused'),
    )
  })

  it('that waits for a retry is resent at once on request', async () => {
    const webhooks = merchantEndpoint({ statuses: '500,200' })
    const tested = await payments(webhooks.url)
    const id = await pay(tested)
    await made(tested, id, 1)
    await expect.poll(() => alarmOf(tested, id)).not.toBeNull()
    const reply = await tested.content('POST', '/transaction/webhook', { code: (await tested.rows())[0]!.code })
    expect(reply).toMatchObject({ transaction: { id, status: 1, next_webhook_at: null } })
    expect(await tested.send('POST', '/transaction/webhook', { id: id + 1_000 })).toMatchObject(
      errorReply(404, 'transaction_not_found'),
    )
  })

  it('is not resent while an attempt is in progress', async () => {
    const webhooks = merchantEndpoint({ hold: '1' })
    const tested = await payments(webhooks.url)
    const id = await pay(tested)
    await webhooks.arrived(1)
    expect(await tested.send('POST', '/transaction/webhook', { id })).toMatchObject(
      errorReply(409, 'webhook_processing'),
    )
    await webhooks.release()
    await completed(tested, id)
    expect(await webhooks.visits()).toHaveLength(1)
  })

  it('completes the payment if PAYMENT_WEBHOOK_URL is removed', async () => {
    const tested = await payments(nowhere)
    stop()
    const id = await payFirst(tested)
    Object.assign(tested.env, { PAYMENT_WEBHOOK_URL: '' })
    await runDurableObjectAlarm(tested.webhook(id))
    await completed(tested, id)
    expect(await tested.attempts(id)).toHaveLength(1)
  })

  it('is retried after an error on our side', async () => {
    const webhooks = merchantEndpoint()
    const tested = await payments(nowhere)
    stop()
    const id = await payFirst(tested)
    Object.assign(tested.env, { PAYMENT_WEBHOOK_URL: 'no address' })
    await runDurableObjectAlarm(tested.webhook(id))
    expect(await alarmOf(tested, id)).toBe(Date.now() + 60 * second)
    Object.assign(tested.env, { PAYMENT_WEBHOOK_URL: webhooks.url })
    await runDurableObjectAlarm(tested.webhook(id))
    await completed(tested, id)
    expect(await webhooks.visits()).toHaveLength(1)
  })

  it('continues its schedule after errors on our side', async () => {
    const tested = await payments(nowhere)
    stop()
    const id = await payFirst(tested)
    Object.assign(tested.env, { PAYMENT_WEBHOOK_URL: 'no address' })
    for (let failure = 0; failure < 3; failure++) await runDurableObjectAlarm(tested.webhook(id))
    Object.assign(tested.env, { PAYMENT_WEBHOOK_URL: nowhere })
    for (const wait of [60, 300]) {
      await runDurableObjectAlarm(tested.webhook(id))
      expect(await alarmOf(tested, id)).toBe(Date.now() + wait * second)
    }
    expect(await tested.attempts(id)).toHaveLength(3)
  })

  it('that was never started is resumed by the sweep, or by the next notification', async () => {
    const webhooks = merchantEndpoint()
    const tested = await payments(webhooks.url)
    const left = async (age: number) => {
      const payment = {
        account: 'ann',
        code: freshCode(),
        sum: 10,
        sum_minor: 1000,
        currency: 'KZT',
        status: 0 as const,
        request_id: null,
      }
      return (await addTransaction(tested.store, { ...payment, created_at: new Date(Date.now() - age) })).row
    }
    const swept = await left(120 * second)
    await tested.sweep()
    await completed(tested, swept.id)

    const repeated = await left(10 * second)
    const fields = {
      TransactionId: repeated.code,
      Amount: '10',
      AccountId: 'ann',
      Currency: 'KZT',
      Status: 'Completed',
    }
    expect(await tested.send('GET', '/pay', fields)).toEqual(answered(0))
    await completed(tested, repeated.id)

    const next = await left(0)
    const last = await pay(tested)
    await completed(tested, last)
    await completed(tested, next.id)
    const order = (await webhooks.visits()).map(({ body }) => Number((JSON.parse(body) as { id: string }).id))
    expect(order).toEqual([swept.id, repeated.id, next.id, last])
  })

  it('whose alarm was lost is resumed by the sweep', async () => {
    const webhooks = merchantEndpoint()
    const tested = await payments(nowhere)
    stop()
    const id = await payFirst(tested)
    const due = await alarmOf(tested, id)
    await runInDurableObject(tested.webhook(id), (_, { storage }) => storage.deleteAlarm())
    const { db, transactions } = tested.store
    await db.update(transactions).set({ created_at: new Date(Date.now() - 120 * second) })
    Object.assign(tested.env, { PAYMENT_WEBHOOK_URL: webhooks.url })
    await tested.sweep()
    expect(await alarmOf(tested, id)).toBe(due)
    expect(await webhooks.visits()).toEqual([])
  })

  it('is retried within an hour even if the clock was years ahead when it failed', async () => {
    const tested = await payments(nowhere)
    stop()
    const id = await payFirst(tested)
    await made(tested, id, 1)
    vi.setSystemTime(Date.now() - 10_000 * hour)
    const { db, transactions } = tested.store
    await db.update(transactions).set({ created_at: new Date(Date.now() - 120 * second) })
    await tested.sweep()
    expect(await alarmOf(tested, id)).toBe(Date.now() + hour)
    const { transaction } = await tested.content('GET', '/transaction', { id })
    expect(transaction).toMatchObject({
      next_webhook_at: new Date(Date.now() + hour).toISOString().slice(0, 19).replace('T', ' '),
    })
  })

  it.each([-hour, hour])('is started even if an alarm was set %i milliseconds from now', async (away) => {
    const tested = await payments(nowhere)
    stop()
    const dispatcher = tested.dispatcher()
    await runInDurableObject(dispatcher, (_, { storage }) => storage.setAlarm(Date.now() + away))
    await pay(tested)
    expect(await runInDurableObject(dispatcher, (_, { storage }) => storage.getAlarm())).toBe(Date.now() + 1)
  })

  it('that cannot be started does not block others', async () => {
    const webhooks = merchantEndpoint()
    const tested = await payments(webhooks.url)
    const { WEBHOOK } = tested.env
    const payment = {
      account: 'ann',
      code: freshCode(),
      sum: 10,
      sum_minor: 1000,
      currency: 'KZT',
      status: 0 as const,
      request_id: null,
    }
    const { row } = await addTransaction(tested.store, { ...payment, created_at: new Date(Date.now() - 120 * second) })
    const fail = () => Promise.reject(new Error('The object is overloaded'))
    const getByName = (name: string) =>
      name === String(row.id) ? { begin: fail, nextAt: fail } : WEBHOOK.getByName(name)
    Object.assign(tested.env, { WEBHOOK: { getByName } })
    const next = await pay(tested)
    await completed(tested, next)
    expect(await statusOf(tested, row.id)).toBe(0)
    Object.assign(tested.env, { WEBHOOK })
    await completed(tested, row.id)
    expect((await webhooks.visits()).map(({ body }) => Number((JSON.parse(body) as { id: string }).id))).toEqual([
      next,
      row.id,
    ])
  })

  it('is started in the order of arrival even if the merchant hangs', async () => {
    const webhooks = merchantEndpoint({ hold: '1' })
    const tested = await payments(webhooks.url)
    const ids: number[] = []
    for (let n = 0; n < 10; n++) ids.push(await pay(tested))
    await webhooks.arrived(ids.length)
    await webhooks.release()
    for (const id of ids) await completed(tested, id)
    expect(await webhooks.visits()).toHaveLength(ids.length)
    expect(await begun(tested)).toEqual(ids)
  })

  it('is started while up to 16 others wait for a response', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const webhooks = merchantEndpoint({ hold: '1' })
    const tested = await payments(webhooks.url)
    const ids: number[] = []
    for (let n = 0; n < 20; n++) ids.push(await pay(tested))
    // The fake timers never fire, so no attempt times out, and none counts as slow after a second: all 16 slots stay taken.
    const visits = await webhooks.arrived(16)
    expect(visits.map(idOf).sort((a, b) => a - b)).toEqual(ids.slice(0, 16))
    expect(await webhooks.visits()).toHaveLength(16)
    await webhooks.release()
    for (const id of ids) await completed(tested, id)
    expect(await webhooks.visits()).toHaveLength(ids.length)
  })

  it('is started in the order of arrival even if many are in flight', async () => {
    const webhooks = merchantEndpoint()
    const tested = await payments(webhooks.url)
    for (let sent = 0; sent < 30; sent++) expect(await tested.send('GET', '/pay', notification())).toEqual(answered(0))
    await webhooks.arrived(30)
    await expect.poll(async () => (await tested.rows()).filter(({ status }) => status === 0)).toEqual([])
    expect(await begun(tested)).toEqual((await tested.rows()).map(({ id }) => id))
  })

  it.runIf(isFull)('is sent even if there are more payments than a sweep checks', { timeout: 300_000 }, async () => {
    const webhooks = merchantEndpoint()
    const tested = await payments(webhooks.url)
    const { db, transactions } = tested.store
    const left = { account: 'ann', sum: 10, sum_minor: 1000, currency: 'KZT', status: 0 as const, request_id: null }
    const created_at = new Date(Date.now() - 120 * second)
    const rows = Array.from({ length: 210 }, () => ({ ...left, code: freshCode(), created_at }))
    for (let from = 0; from < rows.length; from += 10) await db.insert(transactions).values(rows.slice(from, from + 10))
    await tested.sweep()
    await tested.sweep()
    const isOpen = ({ status }: { status: number }) => status === 0
    await expect.poll(async () => (await tested.rows()).filter(isOpen), { timeout: 240_000 }).toEqual([])
    expect((await webhooks.visits()).length).toBe(rows.length)
    expect(await begun(tested)).toEqual((await tested.rows()).map(({ id }) => id))
  })
})

it('the schedule is 10 seconds, 1, 5 and 15 minutes, 1 hour, then hourly without end', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 1_000, 1_000_000].map(delayAfter)).toEqual(
    [10, 60, 300, 900, 3_600, 3_600, 3_600, 3_600, 3_600].map((seconds) => seconds * second),
  )
})
