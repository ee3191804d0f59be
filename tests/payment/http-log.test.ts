// Tests of the HTTP log: which requests are logged, with which limits, and that secrets are masked.
import { runInDurableObject } from 'cloudflare:test'
import { signString } from 'cloudpayments/dist/utils'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LogQuota } from '#payment/http-log-quota'
import { deleteExpiredLogs } from '#payment/sweep'
import { encoded, paySample } from './samples.ts'
import { notification, paymentOn, payments } from './support.ts'

const day = 86_400_000
const secret = 'the secret of the processor'
const variables = { LOCAL: '', AUTH_TOKENS: 'token', PAYMENT_API_SECRET: secret }
const form = 'application/x-www-form-urlencoded'

describe.each(payments(variables))('the HTTP log on $dialect', (tested) => {
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    tested.fetch(`http://component${path}`, { method: 'POST', body, headers: { 'content-type': form, ...headers } })
  const signed = (text: string) => ({ 'content-hmac': signString(secret, text) })

  beforeEach(async () => {
    await tested.clear()
  })

  it('has each request, without card data and credentials', async () => {
    const fields = { ...paySample(), Description: 'card 4111 1111 1111 1111' }
    const text = encoded(fields)
    const headers = {
      ...signed(text),
      cookie: 'a=b',
      'cf-connecting-ip': '203.0.113.7',
      'x-forwarded-prefix': '/payment',
      'x-own': 'kept',
    }
    expect((await post('/pay?Token=tk_1&shop=1', text, headers)).status).toBe(200)
    const [row, ...others] = await tested.logs()
    expect(others).toEqual([])
    expect(row).toEqual({
      ...{
        id: expect.any(Number),
        ip: '203.0.113.7',
        url: 'http://component/payment/pay?Token=***&shop=1',
        method: 'POST',
      },
      ...{ headers: expect.any(String), body: expect.any(String), created_at: expect.any(Date) },
    })
    expect(JSON.parse(row!.headers)).toMatchObject({
      cookie: '***',
      'content-hmac': '***',
      'x-own': 'kept',
      'content-type': form,
    })
    const body = new URLSearchParams(row!.body)
    const masked = ['CardFirstSix', 'CardExpDate', 'Name', 'Token', 'AuthCode']
    for (const [name, value] of Object.entries(fields))
      expect(body.get(name), name).toBe(masked.includes(name) ? '***' : name === 'Description' ? 'card ***' : value)
    for (const secretText of ['4111', fields.Token, fields.CardFirstSix, signString(secret, text)])
      expect(Object.values(row!).join(' ')).not.toContain(secretText)
  })

  it('has the query of a GET request, and the IP address that a proxy reports', async () => {
    const text = encoded(notification() as Record<string, string>)
    const proxied = { ...signed(text), 'x-forwarded-for': '203.0.113.9, 10.0.0.1' }
    await tested.fetch(`http://component/check?${text}`, { headers: proxied })
    expect(await tested.logs()).toMatchObject([
      { method: 'GET', url: `http://component/check?${text}`, body: '', ip: '203.0.113.9' },
    ])
  })

  it('has refused and malformed requests', async () => {
    const text = encoded(paySample())
    expect((await post('/pay', text)).status).toBe(401)
    expect(await (await post('/pay', 'Amount=1,5', signed('Amount=1,5'))).json()).toEqual({ code: 10 })
    expect((await tested.fetch('http://component/nowhere?a=b')).status).toBe(404)
    await tested.settled()
    expect((await tested.fetch('http://component/pay', { method: 'PUT', body: '{"a":1}' })).status).toBe(405)
    expect((await post('/transaction/webhook', '{"id":1}')).status).toBe(401)
    await tested.settled()
    expect((await post('/pay', 'x'.repeat(1_000_001))).status).toBe(413)
    const rows = await tested.logs()
    expect(rows.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      ...['POST /pay', 'POST /pay', 'GET /nowhere', 'PUT /pay', 'POST /transaction/webhook', 'POST /pay'],
    ])
    expect(rows[0]!.body).toContain('CardFirstSix=***')
    expect(rows.map(({ body }) => body).slice(1, 5)).toEqual(['Amount=1,5', '', '{"a":1}', '{"id":1}'])
    expect(rows[5]!.body).toHaveLength(1_000)
  })

  it('has the requests of the merchant, but no health checks, metrics and docs', async () => {
    const headers = { authorization: 'Bearer token' }
    for (const path of ['/transactions?limit=1', '/_health', '/_openapi.json', '/_docs'])
      expect((await tested.fetch(`http://component${path}`, { headers })).status).toBe(200)
    const rows = await tested.logs()
    expect(rows.map(({ url }) => new URL(url).pathname)).toEqual(['/transactions'])
    expect(JSON.parse(rows[0]!.headers)).toMatchObject({ authorization: '***' })
  })

  it('cuts unauthenticated requests, and logs authenticated ones in full', async () => {
    const long = encoded({ ...(notification() as Record<string, string>), Data: 'x'.repeat(50_000) })
    const headers = { 'x-long': 'x'.repeat(1_500), 'x-more': 'x'.repeat(1_500) }
    await post('/pay', long, headers)
    await post('/pay', long, { ...headers, ...signed(long) })
    await tested.fetch(`http://component/nowhere?${'x'.repeat(10_000)}`, { headers })
    const [stranger, known, lost] = await tested.logs()
    expect(stranger!.body).toHaveLength(1_000)
    expect(stranger!.headers.length).toBeLessThan(2_100)
    expect(lost!.url).toHaveLength(1_000)
    expect(known!.body).toBe(long)
    expect(JSON.parse(known!.headers)).toMatchObject(headers)
  })

  it('cuts no card number in half', async () => {
    // Masking shortens the first value, so that the end of the text, which the limit has cut, is logged too.
    await post('/pay', `Token=${'x'.repeat(63_900)}&a=${'%34%31%20'.repeat(8)}&b=${'y'.repeat(5_000)}`)
    await post('/pay', `${' 4111111111111111'.repeat(5_000)}`)
    const [one, many] = await tested.logs()
    expect(decodeURIComponent(one!.body)).not.toMatch(/4 ?1/)
    expect(many!.body).not.toContain('4111')
  })

  it('has no secret of requests that are too long or malformed', async () => {
    const fields = { Token: 'QZ', password: 'QZ', CardExpDate: 'QZ', Data: JSON.stringify({ token: 'QZ' }) }
    const long = { ...fields, a: 'x'.repeat(5_000), CardCryptogramPacket: 'QZ'.repeat(50_000), Name: 'QZ' }
    const bodies = [
      ...[JSON.stringify(long), encoded(long), `Data=${JSON.stringify({ token: 'QZ', b: 'x'.repeat(70_000) })}`],
      ...[`${JSON.stringify(fields).slice(0, -1)},}`, `&a=b&${encoded(fields)}`, JSON.stringify(fields).slice(0, -5)],
    ]
    for (const body of bodies) {
      expect((await post('/pay', body)).status).toBe(401)
      expect((await post('/pay', body, signed(body))).status).toBe(200)
    }
    const rows = await tested.logs()
    expect(rows).toHaveLength(2 * bodies.length)
    for (const { body } of rows) {
      expect(body).toContain('***')
      expect(body).not.toContain('QZ')
    }
  })

  it('logs notifications with a wrong HMAC in full, up to a separate quota', async () => {
    const long = encoded({ ...(notification() as Record<string, string>), Data: 'x'.repeat(10_000) })
    const wrongHmac = { 'content-hmac': signString('another secret', long) }
    const { fetch, logs, env, quota } = paymentOn({ dialect: tested.dialect, ...tested.env } as never, {})
    await runInDurableObject(quota(), (_: LogQuota, { storage }) =>
      storage.kv.put('used', { hour: Math.floor(Date.now() / 3_600_000), requests: 9_000 }),
    )
    const pay = (path = '/pay', headers: Record<string, string> = wrongHmac) =>
      fetch(`http://component${path}`, { method: 'POST', body: long, headers: { 'content-type': form, ...headers } })
    expect((await pay()).status).toBe(401)
    expect((await pay('/pay', {})).status).toBe(401)
    await pay('/nowhere')
    expect((await logs()).map(({ body }) => body)).toEqual([long, '', ''])
    await runInDurableObject(quota('notifications'), (_: LogQuota, { storage }) =>
      storage.kv.put('used', { hour: Math.floor(Date.now() / 3_600_000), requests: 1_999_000 }),
    )
    expect((await pay()).status).toBe(401)
    expect((await logs()).at(-1)!.body).toBe('')
    Object.assign(env, { PAYMENT_LOG_STRANGERS: '0' })
    expect((await pay()).status).toBe(401)
    expect(await logs()).toHaveLength(4)
  })

  describe('of unauthenticated requests', () => {
    const limited = (PAYMENT_LOG_STRANGERS: string) =>
      paymentOn({ dialect: tested.dialect, ...tested.env } as never, { PAYMENT_LOG_STRANGERS })
    const page = 'http://component/pub/card?account=ann&sum=10&description=x&currency=KZT'

    afterEach(() => {
      vi.useRealTimers()
    })

    it('has at most PAYMENT_LOG_STRANGERS requests per hour, and all authenticated ones', async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 0, 30) })
      const { fetch, logs, settled } = limited('2')
      for (let n = 0; n < 4; n++) expect((await fetch(page)).status).toBe(200)
      await settled()
      const text = encoded(notification() as Record<string, string>)
      const sent = { method: 'POST', body: text, headers: { 'content-type': form, ...signed(text) } }
      for (let n = 0; n < 3; n++) expect((await fetch('http://component/pay', sent)).status).toBe(200)
      expect((await logs()).map(({ url }) => url)).toEqual([page, page, ...Array(3).fill('http://component/pay')])
      vi.setSystemTime(Date.UTC(2026, 0, 1, 1))
      await fetch(page)
      expect(await logs()).toHaveLength(6)
    })

    it('has none if PAYMENT_LOG_STRANGERS is 0', async () => {
      const { fetch, logs } = limited('0')
      expect((await fetch(page)).status).toBe(200)
      expect((await fetch('http://component/pay?a=b')).status).toBe(401)
      expect(await logs()).toEqual([])
    })

    it('has only the URL after many requests in an hour', async () => {
      vi.useFakeTimers({ toFake: ['Date'] })
      const { fetch, logs, quota, send } = limited('')
      const hour = Math.floor(Date.now() / 3_600_000)
      await runInDurableObject(quota(), (_: LogQuota, { storage }) => storage.kv.put('used', { hour, requests: 9_999 }))
      await fetch(`${page}&x=${'x'.repeat(1_000)}`, { headers: { 'user-agent': 'a browser' } })
      await send('POST', '/pay', { a: 'b' })
      const [row, ...others] = await logs()
      expect(others).toEqual([])
      expect(row).toMatchObject({ method: 'GET', headers: '{}', body: '' })
      expect(row!.url).toHaveLength(300)
    })

    it('delays no payer; a notification waits for its log entry', async () => {
      const { env, fetch, logs, deferred } = limited('')
      const room = Promise.withResolvers<{ nth: number; until: number }>()
      const take = vi.fn(() => room.promise)
      Object.assign(env, { LOG_QUOTA: { getByName: () => ({ take }) } })
      expect((await fetch(page)).status).toBe(200)
      expect(deferred).toHaveLength(1)
      const refused = fetch('http://component/pay', { method: 'POST', body: 'a=b' })
      await expect.poll(() => take.mock.calls.length).toBe(2)
      expect(await tested.logs()).toEqual([])
      room.resolve({ nth: 1, until: 0 })
      expect((await refused).status).toBe(401)
      expect(deferred).toHaveLength(1)
      expect((await logs()).map(({ body }) => body).sort()).toEqual(['', 'a=b'])
    })
  })

  it('logs any request', async () => {
    for (const body of ['\0', '\ufffd', 'é'.repeat(3_000), '%00=%00', '{"a":"\\u0000\\ud800"}', '\xff\xfe'])
      expect((await post('/pay', body, { ...signed(body), 'x-odd': 'é\x7f' })).status).toBe(200)
    expect(await tested.logs()).toHaveLength(6)
  })

  it('is deleted after PAYMENT_LOG_DAYS, like the log of webhooks', async () => {
    const { db, requests, webhooks } = tested.store
    await db.delete(webhooks)
    const now = new Date()
    for (const age of [0, 29, 31, 100]) {
      const created_at = new Date(now.getTime() - age * day)
      await db.insert(requests).values({ ip: '', url: '', method: String(age), headers: '{}', body: '', created_at })
      const webhook = {
        transaction_id: age,
        url: '',
        request_body: '',
        response_status: 200,
        response_body: '',
        error: null,
      }
      await db.insert(webhooks).values({ ...webhook, duration_ms: 1, created_at })
    }
    const kept = async () => [
      (await tested.logs()).map(({ method }) => Number(method)),
      (await db.select().from(webhooks)).map(({ transaction_id }) => transaction_id).sort((a, b) => a - b),
    ]
    await deleteExpiredLogs(tested.env, now)
    expect(await kept()).toEqual([
      [0, 29],
      [0, 29],
    ])
    await deleteExpiredLogs({ ...tested.env, PAYMENT_LOG_DAYS: '7' }, now)
    expect(await kept()).toEqual([[0], [0]])
    await tested.sweep()
    expect(await kept()).toEqual([[0], [0]])
  })

  it('deletes a limited number of entries, and the rest in the next sweeps', async () => {
    const { db, requests } = tested.store
    await db.delete(requests)
    const created_at = new Date(Date.now() - 40 * 86_400_000)
    const entry = { ip: '', url: '', method: 'GET', headers: '{}', body: '', created_at }
    for (let n = 0; n < 2_500; n += 10) await db.insert(requests).values(Array.from({ length: 10 }, () => entry))
    await deleteExpiredLogs(tested.env, new Date(), { batches: 2, end: Number.POSITIVE_INFINITY })
    expect(await db.$count(requests)).toBe(500)
    await deleteExpiredLogs(tested.env)
    expect(await db.$count(requests)).toBe(0)
  })

  it('does not fail a payment if an entry cannot be written', async () => {
    const rename = (from: string, to: string) => tested.store.run(sql.raw(`ALTER TABLE ${from} RENAME TO ${to}`))
    const fields = notification() as Record<string, string>
    const text = encoded(fields)
    await rename('payment_http_log', 'lost')
    try {
      expect(await (await post('/pay', text, signed(text))).json()).toEqual({ code: 0 })
      expect((await post('/pay', text)).status).toBe(401)
    } finally {
      await rename('lost', 'payment_http_log')
    }
    expect(await tested.row(fields.TransactionId!)).toMatchObject({ sum_minor: 1000 })
  })

  it('has failed requests', async () => {
    const rename = (from: string, to: string) => tested.store.run(sql.raw(`ALTER TABLE ${from} RENAME TO ${to}`))
    const text = encoded(notification() as Record<string, string>)
    await rename('payment_transaction', 'lost')
    try {
      expect((await post('/pay', text, signed(text))).status).toBe(500)
    } finally {
      await rename('lost', 'payment_transaction')
    }
    expect((await tested.logs()).map(({ body }) => body)).toEqual([text])
  })
})
