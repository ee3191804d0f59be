// Tests of the processor's Check and Pay notifications: the reply codes, and the payments that are stored.
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { isFull } from '../support/tier.ts'
import { answered, merchantEndpoint, notification, nowhere, paymentOn, payments, target } from './support.ts'

const form = (fields: object) => new URLSearchParams(fields as Record<string, string>).toString()

describe.each(payments())('a notification on $dialect', (tested) => {
  const get = (path: string, fields: object) => tested.send('GET', path, fields)
  const post = async (path: string, body: string, type: string) => {
    const response = await tested.fetch(`http://component${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    })
    return { status: response.status, json: await response.json() }
  }
  const json = (path: string, fields: object) => post(path, JSON.stringify(fields), 'application/json')

  it('is read from the query, a form or JSON, with any Content-Type', async () => {
    const forms = [
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded; charset=utf-8',
      'text/plain',
    ]
    const senders = [
      (fields: object) => get('/pay', fields),
      (fields: object) => json('/pay', fields),
      (fields: object) =>
        json('/pay', {
          ...fields,
          Amount: 10,
          TransactionId: Number((fields as { TransactionId: string }).TransactionId),
          TestMode: 0,
        }),
      (fields: object) => post('/pay', ` ${JSON.stringify(fields)}`, forms[0]!),
      (fields: object) => post(`/pay?${form(fields)}`, '', forms[0]!),
      ...forms.map((type) => (fields: object) => post('/pay', form(fields), type)),
    ]
    for (const [nth, send] of senders.entries()) {
      const fields = notification({ AccountId: `Ән & ${nth}` })
      expect(await send(fields), String(nth)).toEqual(answered(0))
      expect(await tested.row(fields.TransactionId as string)).toEqual({
        ...{
          id: expect.any(Number),
          request_id: expect.any(String),
          account: `Ән & ${nth}`,
          code: fields.TransactionId,
          sum: 10,
          sum_minor: 1000,
        },
        ...{ currency: 'KZT', status: 1, is_test: false, created_at: expect.any(Date) },
      })
    }
  })

  it('is ignored in a HEAD request', async () => {
    const fields = notification()
    const response = await tested.fetch(`http://payment/pay?${form(fields)}`, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(await tested.row(fields.TransactionId)).toBeUndefined()
  })

  it('is read from the body, and from the query only without a body', async () => {
    const [inQuery, inBody] = [notification({ AccountId: 'eve' }), notification({ AccountId: 'ann' })]
    await post(`/pay?${form(inQuery)}`, form(inBody), 'application/x-www-form-urlencoded')
    expect(await tested.row(inQuery.TransactionId as string)).toBeUndefined()
    expect(await tested.row(inBody.TransactionId as string)).toMatchObject({ account: 'ann' })
  })

  it.each([
    ['0.1', 10, 0.1],
    ['10.10', 1010, 10.1],
    ['999999999999.99', 99999999999999, 999999999999.99],
  ])('of %s is stored as %i hundredths', async (Amount, sum_minor, sum) => {
    for (const send of [get, json]) {
      const fields = notification({ Amount })
      expect(await send('/pay', fields)).toEqual(answered(0))
      expect(await tested.row(fields.TransactionId as string)).toMatchObject({ sum, sum_minor })
    }
  })

  it.each(['1e3', '1,5', '-1', '+1', 'NaN', '1.005', '0', '0.00', '1000000000000', '', 'Infinity', ' 1'])(
    'of %j is answered with 10',
    async (Amount) => {
      for (const send of [get, json])
        for (const path of ['/check', '/pay']) {
          const fields = notification({ Amount })
          expect(await send(path, fields)).toEqual(answered(10))
          expect(await tested.row(fields.TransactionId as string)).toBeUndefined()
        }
    },
  )

  it.each(['1e3', '1.005', '-1', '0', '1E1', '10.100', 'null', '[10]', '{"a":1}', 'true'])(
    'with the number %s in JSON is answered with 10',
    async (number) => {
      const { Amount: _, ...fields } = notification()
      const body = JSON.stringify(fields).replace('{', `{"Amount":${number},`)
      expect(await post('/pay', body, 'application/json')).toEqual(answered(10))
    },
  )

  it('in JSON keeps the text of its numbers', async () => {
    const { Amount: _, ...fields } = notification()
    const body = JSON.stringify(fields).replace('{', '{"Amount":10.10,')
    expect(await post('/pay', body, 'application/json')).toEqual(answered(0))
    expect(await tested.row(fields.TransactionId as string)).toMatchObject({ sum_minor: 1010 })
  })

  it.each([
    ...[{ TransactionId: '' }, { TransactionId: 'x'.repeat(256) }, { AccountId: '' }, { AccountId: 'a'.repeat(256) }],
    ...[{ Currency: 'tenge' }, { Currency: '398' }, { TestMode: '2' }, { TestMode: 'maybe' }, { AccountId: 'a\0b' }],
  ])('with %j gets code 10', async (more) => {
    for (const path of ['/check', '/pay']) expect(await get(path, notification(more))).toEqual(answered(10))
  })

  it.each(['TransactionId', 'Amount', 'AccountId'])('without %s gets code 10', async (name) => {
    const fields = Object.fromEntries(Object.entries(notification()).filter(([key]) => key !== name))
    for (const send of [get, json]) expect(await send('/pay', fields)).toEqual(answered(10))
  })

  it.each(['{', '[]', '{"a":', '{}', '', '\xff', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`])(
    'that is %j is answered with 10',
    async (body) => {
      for (const type of ['application/json', 'application/x-www-form-urlencoded'])
        expect(await post('/pay', body, type)).toEqual(answered(10))
    },
  )

  it('with a duplicate field gets code 10', async () => {
    const { TransactionId, ...fields } = notification()
    for (const twice of [
      `Amount=1&${form(fields)}`,
      `${form(fields)}&TransactionId=1`,
      `%41ccountId=a&${form(fields)}`,
    ])
      expect(await post('/pay', `TransactionId=${TransactionId}&${twice}`, 'text/plain')).toEqual(answered(10))
    expect(await tested.row(TransactionId as string)).toBeUndefined()
  })

  it.each(['Declined', 'Cancelled', 'AwaitingAuthentication', 'completed', '0'])(
    'that is %s is refused',
    async (Status) => {
      const fields = notification({ Status })
      for (const path of ['/check', '/pay']) expect(await get(path, fields)).toEqual(answered(13))
      expect(await tested.row(fields.TransactionId as string)).toBeUndefined()
    },
  )

  it.each(['Refund', 'CardPayout', 'payment', '0'])('of the operation type %s is refused', async (OperationType) => {
    const fields = notification({ OperationType })
    for (const send of [get, json])
      for (const path of ['/check', '/pay']) expect(await send(path, fields)).toEqual(answered(13))
    expect(await tested.row(fields.TransactionId as string)).toBeUndefined()
    expect(await get('/pay', notification({ OperationType: 'Payment' }))).toEqual(answered(0))
  })

  it.each(['Completed', 'Authorized'])('with the status %j reports a payment', async (Status) => {
    for (const path of ['/check', '/pay']) expect(await get(path, notification({ Status }))).toEqual(answered(0))
  })

  it.each([
    ['a failed payment', { Status: undefined, Reason: 'InsufficientFunds', ReasonCode: '5051' }],
    ['a failed payment with a status', { Reason: 'InsufficientFunds', ReasonCode: 5051 }],
    ['a reason alone', { Reason: 'Approved' }],
    ['a reason code alone', { ReasonCode: '0' }],
    ['a cancelled payment', { Status: undefined, InvoiceId: undefined }],
    ['a cancelled payment without an account', { Status: undefined, AccountId: undefined }],
    ['an empty status', { Status: '' }],
  ])('of %s to /pay is refused, and no webhook is sent', async (_, more) => {
    const merchant = merchantEndpoint()
    const PAYMENT_WEBHOOK_URL = merchant.url
    const paid = paymentOn({ dialect: tested.dialect, ...tested.env } as never, { PAYMENT_WEBHOOK_URL })
    for (const method of ['GET', 'POST'] as const) {
      const fields = JSON.parse(JSON.stringify(notification(more))) as Record<string, string>
      expect(await paid.send(method, '/pay', fields)).toEqual(answered(13))
      expect(await tested.row(fields.TransactionId!)).toBeUndefined()
      const logged = (await paid.logs()).filter((row) => (row.url + row.body).includes(fields.TransactionId!))
      expect(logged).toHaveLength(1)
    }
    expect(await merchant.visits()).toEqual([])
  })

  it('without a status is accepted by /check, which precedes the payment', async () => {
    expect(await get('/check', notification({ Status: '' }))).toEqual(answered(0))
  })

  it('with an empty reason reports a payment', async () => {
    expect(await get('/pay', notification({ Reason: '', ReasonCode: '' }))).toEqual(answered(0))
  })

  it.each([
    ['a percent-encoded account', 'AccountId=%e0', 'AccountId=%e0'],
    ['an account', 'AccountId=\xe0', 'AccountId=\\xE0'],
    ['a field that is not used', 'AccountId=a&Name2=%E0', 'Name2=%E0'],
    ['a card number in groups', 'AccountId=\xe0&x=4111\xa01111\xa01111\xa01111', 'x=***'],
  ])('with bytes that are not UTF-8 in %s is refused and logged', async (_, more, logged) => {
    const { AccountId: __, ...fields } = notification() as Record<string, string>
    for (const path of ['/check', '/pay']) {
      const body = Uint8Array.from(`${form(fields)}&${more}`, (character) => character.charCodeAt(0))
      const response = await tested.fetch(`http://component${path}`, { method: 'POST', body })
      expect(await response.json()).toEqual({ code: 10 })
      expect((await tested.logs()).at(-1)!.body).toContain(logged)
    }
    expect(await tested.row(fields.TransactionId!)).toBeUndefined()
  })

  it('in JSON with bytes that are not UTF-8 is refused and logged', async () => {
    const { AccountId: _, ...fields } = notification() as Record<string, string>
    const text = JSON.stringify({ AccountId: '\xe0', ...fields })
    const body = Uint8Array.from(text, (character) => character.charCodeAt(0))
    const response = await tested.fetch('http://component/pay', { method: 'POST', body })
    expect(await response.json()).toEqual({ code: 10 })
    expect((await tested.logs()).at(-1)!.body).toContain('"AccountId":"\\xE0"')
    expect(await tested.row(fields.TransactionId!)).toBeUndefined()
  })

  it('of a test is refused unless PAYMENT_TEST is true', async () => {
    for (const TestMode of ['1', 'true', 'True', 1, true]) {
      const fields = notification({ TestMode })
      for (const path of ['/check', '/pay']) expect(await json(path, fields)).toEqual(answered(13))
      expect(await tested.row(fields.TransactionId as string)).toBeUndefined()
      const testing = paymentOn({ dialect: tested.dialect, ...tested.env } as never, { PAYMENT_TEST: 'true' })
      expect(await testing.send('GET', '/pay', fields)).toEqual(answered(0))
      expect(await tested.row(fields.TransactionId as string)).toMatchObject({ sum_minor: 1000, is_test: true })
    }
  })

  it('without a currency gets PAYMENT_CURRENCY', async () => {
    const tenge = paymentOn({ dialect: tested.dialect, ...tested.env } as never, { PAYMENT_CURRENCY: 'KZT' })
    for (const [payments, currency] of [
      [tested, 'RUB'],
      [tenge, 'KZT'],
    ] as const) {
      const fields = notification({ Currency: '' })
      expect(await payments.send('GET', '/pay', fields)).toEqual(answered(0))
      expect(await tested.row(fields.TransactionId as string)).toMatchObject({ currency })
    }
    const yen = notification({ Currency: 'jpy', Amount: '1000' })
    await get('/pay', yen)
    expect(await tested.row(yen.TransactionId as string)).toMatchObject({
      currency: 'JPY',
      sum: 1000,
      sum_minor: 100_000,
    })
  })

  it('must not exceed the usual megabyte', async () => {
    const body = form({ ...notification(), Data: 'x'.repeat(1_000_000) })
    expect(await post('/pay', body, 'application/x-www-form-urlencoded')).toMatchObject({ status: 413 })
  })
})

describe.each(payments())('a repeated notification on $dialect', (tested) => {
  const pay = (fields: object) => tested.send('GET', '/pay', fields)
  const check = (fields: object) => tested.send('GET', '/check', fields)

  it('changes nothing, in any notation of the amount', async () => {
    const fields = notification({ Amount: '10.10' })
    for (const Amount of ['10.10', '10.1', '010.10']) {
      expect(await pay({ ...fields, Amount })).toEqual(answered(0))
      expect(await check({ ...fields, Amount })).toEqual(answered(0))
    }
    expect((await tested.rows()).filter(({ code }) => code === fields.TransactionId)).toHaveLength(1)
  })

  it.each([
    [{ Amount: '10.01' }, 12],
    [{ Amount: '1000' }, 12],
    [{ Currency: 'USD' }, 12],
    [{ AccountId: 'eve' }, 11],
  ])('with %j gets code %i, and changes nothing', async (more, code) => {
    const fields = notification()
    expect(await pay(fields)).toEqual(answered(0))
    const before = await tested.row(fields.TransactionId as string)
    expect(await pay({ ...fields, ...more })).toEqual(answered(code))
    expect(await check({ ...fields, ...more })).toEqual(answered(code))
    expect(await tested.row(fields.TransactionId as string)).toEqual(before)
    expect(await pay(fields)).toEqual(answered(0))
  })
})

describe('the account check', () => {
  const checking = (PAYMENT_CHECK_URL: string) => paymentOn(databases[0]!, { PAYMENT_CHECK_URL })

  it('calls the merchant with the account in the query', async () => {
    const accountChecks = merchantEndpoint()
    const fields = notification({ AccountId: 'ann & Ән/1' })
    expect(await checking(accountChecks.url).send('GET', '/check', fields)).toEqual(answered(0))
    const [visit, ...others] = await accountChecks.visits()
    expect(others).toEqual([])
    expect(visit).toMatchObject({ method: 'GET', body: '' })
    expect(new URLSearchParams(visit!.search).get('account')).toBe('ann & Ән/1')
  })

  it.each(['201', '204', '304', '400', '404', '500', '503'])(
    'refuses the account where it answers %s',
    async (statuses) => {
      expect(await checking(merchantEndpoint({ statuses }).url).send('GET', '/check', notification())).toEqual(
        answered(11),
      )
    },
  )

  it('refuses the account if the merchant redirects to another origin', async () => {
    const elsewhere = merchantEndpoint().url.replace('127.0.0.1', 'localhost')
    const url = target(`/redirect?to=${encodeURIComponent(elsewhere)}`)
    expect(await checking(url).send('GET', '/check', notification())).toEqual(answered(11))
  })

  it.each([nowhere, target('/cut')])('refuses the payment without a response: %s', async (url) => {
    expect(await checking(url).send('GET', '/check', notification())).toEqual(answered(13))
  })

  it.runIf(isFull)('refuses the payment if the merchant does not respond in time', async () => {
    expect(await checking(target('/never')).send('GET', '/check', notification())).toEqual(answered(13))
  })

  it('is skipped for refused notifications, and for Pay notifications', async () => {
    const accountChecks = merchantEndpoint({ statuses: '404' })
    const { send } = checking(accountChecks.url)
    for (const more of [{ Amount: '0' }, { TestMode: '1' }, { Status: 'Declined' }])
      await send('GET', '/check', notification(more))
    const fields = notification()
    expect(await send('GET', '/pay', fields)).toEqual(answered(0))
    expect(await send('GET', '/check', { ...fields, Amount: '1' })).toEqual(answered(12))
    expect(await accountChecks.visits()).toEqual([])
  })
})
