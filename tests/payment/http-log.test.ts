import { runInDurableObject } from 'cloudflare:test'
import { signString } from 'cloudpayments/dist/utils'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { type LogQuota, perHour } from '#payment/log-quota'
import { forgetLogs } from '#payment/sweeping'
import { encoded, paySample } from './samples.ts'
import { notification, payments } from './support.ts'

const day = 86_400_000
const secret = 'the secret of the processor'
const variables = { LOCAL: '', AUTH_TOKENS: 'token', PAYMENT_API_SECRET: secret }
const form = 'application/x-www-form-urlencoded'

describe.each(payments(variables))('the log of requests on $dialect', (tested) => {
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    tested.fetch(`http://component${path}`, { method: 'POST', body, headers: { 'content-type': form, ...headers } })
  const signed = (text: string) => ({ 'content-hmac': signString(secret, text) })

  beforeEach(async () => {
    await tested.clear()
  })

  it('has each as it was sent, without card data and credentials', async () => {
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

  it('has a GET in its URL, and the address that a proxy tells', async () => {
    const text = encoded(notification() as Record<string, string>)
    const proxied = { ...signed(text), 'x-forwarded-for': '203.0.113.9, 10.0.0.1' }
    await tested.fetch(`http://component/check?${text}`, { headers: proxied })
    expect(await tested.logs()).toMatchObject([
      { method: 'GET', url: `http://component/check?${text}`, body: '', ip: '203.0.113.9' },
    ])
  })

  it('has what was refused too, and what is malformed', async () => {
    const text = encoded(paySample())
    expect((await post('/pay', text)).status).toBe(401)
    expect(await (await post('/pay', 'Amount=1,5', signed('Amount=1,5'))).json()).toEqual({ code: 10 })
    expect((await tested.fetch('http://component/nowhere?a=b')).status).toBe(404)
    expect((await tested.fetch('http://component/pay', { method: 'PUT', body: '{"a":1}' })).status).toBe(405)
    expect((await post('/transaction/webhook', '{"id":1}')).status).toBe(401)
    expect((await post('/pay', 'x'.repeat(1_000_001))).status).toBe(413)
    const rows = await tested.logs()
    expect(rows.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      ...['POST /pay', 'POST /pay', 'GET /nowhere', 'PUT /pay', 'POST /transaction/webhook', 'POST /pay'],
    ])
    expect(rows[0]!.body).toContain('CardFirstSix=***')
    expect(rows.map(({ body }) => body).slice(1, 5)).toEqual(['Amount=1,5', '', '{"a":1}', '{"id":1}'])
    expect(rows[5]!.body).toHaveLength(1_000)
  })

  it('has the requests of the operator, and none that only ask how things are', async () => {
    const headers = { authorization: 'Bearer token' }
    for (const path of ['/transactions?limit=1', '/_health', '/_openapi.json', '/_docs'])
      expect((await tested.fetch(`http://component${path}`, { headers })).status).toBe(200)
    const rows = await tested.logs()
    expect(rows.map(({ url }) => new URL(url).pathname)).toEqual(['/transactions'])
    expect(JSON.parse(rows[0]!.headers)).toMatchObject({ authorization: '***' })
  })

  it('keeps little of strangers, and much of who is known', async () => {
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
    await post('/pay', `a=${'x'.repeat(3_985)}4111111111111111&b=${'y'.repeat(5_000)}`)
    await post('/pay', `${' 4111111111111111'.repeat(300)}`)
    const [one, many] = await tested.logs()
    expect(one!.body).not.toContain('4111')
    expect(many!.body).not.toContain('4111')
  })

  it('keeps no more of strangers in an hour than a database can hold, and all of who is known', async () => {
    await runInDurableObject(tested.quota(), (_: LogQuota, { storage }) =>
      storage.kv.put('used', { hour: Math.floor(Date.now() / 3_600_000), requests: perHour - 1 }),
    )
    for (let n = 0; n < 3; n++) expect((await post('/pay', 'a=b')).status).toBe(401)
    const text = encoded(notification() as Record<string, string>)
    for (let n = 0; n < 3; n++) expect((await post('/pay', text, signed(text))).status).toBe(200)
    expect((await tested.logs()).map(({ body }) => body)).toEqual(['a=b', text, text, text])
    const { isFree, until } = await tested.quota().take()
    expect(isFree).toBe(false)
    expect(until % 3_600_000).toBe(0)
  })

  it('takes whatever comes', async () => {
    for (const body of ['\0', '\ufffd', 'é'.repeat(3_000), '%00=%00', '{"a":"\\u0000\\ud800"}', '\xff\xfe'])
      expect((await post('/pay', body, { ...signed(body), 'x-odd': 'é\x7f' })).status).toBe(200)
    expect(await tested.logs()).toHaveLength(6)
  })

  it('goes back as many days as it is told, as the log of webhooks does', async () => {
    const { db, requests, webhooks } = tested.store
    await db.delete(webhooks)
    const now = new Date()
    for (const age of [0, 29, 31, 100]) {
      const created_at = new Date(now.getTime() - age * day)
      await db.insert(requests).values({ ip: '', url: '', method: String(age), headers: '{}', body: '', created_at })
      const told = {
        transaction_id: age,
        url: '',
        request_body: '',
        response_status: 200,
        response_body: '',
        error: null,
      }
      await db.insert(webhooks).values({ ...told, duration_ms: 1, created_at })
    }
    const kept = async () => [
      (await tested.logs()).map(({ method }) => Number(method)),
      (await db.select().from(webhooks)).map(({ transaction_id }) => transaction_id).sort((a, b) => a - b),
    ]
    await forgetLogs(tested.env, now)
    expect(await kept()).toEqual([
      [0, 29],
      [0, 29],
    ])
    await forgetLogs({ ...tested.env, PAYMENT_LOG_DAYS: '7' }, now)
    expect(await kept()).toEqual([[0], [0]])
    await tested.sweep()
    expect(await kept()).toEqual([[0], [0]])
  })

  it('stops no payment where it cannot be written', async () => {
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
})
