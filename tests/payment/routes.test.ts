// Tests of the API of payments: lists, one payment, access and configuration.
import { describe, expect, it } from 'vitest'
import type { Description } from '#core/http/openapi'
import { fieldNames } from '#payment/notification-parser'
import { databases } from '../support/databases.ts'
import { errorReply, validationError } from '../support/refusals.ts'
import { withoutId } from '../support/requests.ts'
import { merchantEndpoint, notification, paymentOn, payments } from './support.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))

describe.each(payments())('payments on $dialect', (tested) => {
  /** Stores a payment with the given second in `created_at`. */
  const addPayment = async (code: string, second: number, more: object = {}) => {
    const { db, transactions } = tested.store
    const row = {
      account: 'ann',
      code,
      sum: 10.5,
      sum_minor: 1050,
      currency: 'KZT',
      status: 1 as const,
      created_at: at(second),
    }
    await db.insert(transactions).values({ ...row, ...more })
  }
  const listed = async (params: object) => {
    const { transactions } = await tested.content('GET', '/transactions', params)
    return (transactions as unknown as { code: string }[]).map(({ code }) => code)
  }

  it('are listed with paging and filters, the newest first', async () => {
    await tested.clear()
    await addPayment('one', 1)
    await addPayment('two', 2, { account: 'bob', status: 0 })
    await addPayment('three', 2)
    await addPayment('four', 3, { account: 'bob' })
    expect(await listed({})).toEqual(['four', 'three', 'two', 'one'])
    expect(await listed({ limit: 2, offset: 1 })).toEqual(['three', 'two'])
    expect(await listed({ account: 'bob' })).toEqual(['four', 'two'])
    expect(await listed({ account: 'bob', status: 0 })).toEqual(['two'])
    expect(await listed({ status: 1 })).toEqual(['four', 'three', 'one'])
    expect(await listed({ code: 'three' })).toEqual(['three'])
    expect(await listed({ created_from: '2026-01-01 00:00:02' })).toEqual(['four', 'three', 'two'])
    expect(await listed({ created_to: '2026-01-01T05:00:02+05:00' })).toEqual(['one'])
    expect(await listed({ created_from: '2026-01-01 00:00:02', created_to: '2026-01-01 00:00:03' })).toEqual([
      'three',
      'two',
    ])
    expect(await tested.content('GET', '/transactions', { account: 'bob', limit: 1, count: true })).toEqual({
      nb_results: 2,
      transactions: [
        {
          ...{ id: expect.any(Number), account: 'bob', code: 'four', sum: 10.5, sum_minor: 1050, currency: 'KZT' },
          ...{ status: 1, is_test: false, created_at: '2026-01-01 00:00:03' },
        },
      ],
    })
  })

  it('are listed by POST as by GET', async () => {
    await tested.clear()
    await addPayment('one', 1)
    await addPayment('two', 2, { account: 'bob' })
    for (const params of [{}, { account: 'bob', count: true }, { account: 'eve' }, { created_from: 'soon' }])
      expect(withoutId(await tested.send('POST', '/transactions', params))).toEqual(
        withoutId(await tested.send('GET', '/transactions', params)),
      )
    expect(await tested.content('POST', '/transactions', { account: 'bob' })).toMatchObject({
      transactions: [{ code: 'two' }],
    })
  })

  it.each([
    ...[
      { limit: 0 },
      { limit: 1001 },
      { offset: -1 },
      { status: 2 },
      { created_from: 'yesterday' },
      { account: 'a'.repeat(256) },
    ],
  ])('are not listed with the invalid parameters %j', async (params) => {
    expect(await tested.send('GET', '/transactions', params)).toMatchObject(validationError(...Object.keys(params)))
  })

  it('are read by id, code or both', async () => {
    await addPayment('read', 5)
    const { id } = (await tested.row('read'))!
    const transaction = {
      ...{ id, account: 'ann', code: 'read', sum: 10.5, sum_minor: 1050, currency: 'KZT', status: 1, is_test: false },
      ...{ created_at: '2026-01-01 00:00:05', webhooks: [], next_webhook_at: null },
    }
    for (const by of [{ id }, { code: 'read' }, { id, code: 'read' }])
      expect(await tested.content('GET', '/transaction', by)).toEqual({ transaction })
    for (const by of [{ id: id + 1_000 }, { code: 'unread' }, { id, code: 'unread' }])
      expect(await tested.send('GET', '/transaction', by)).toMatchObject(errorReply(404, 'transaction_not_found'))
    expect(await tested.send('GET', '/transaction', { id: id + 1_000 })).toMatchObject({
      json: { message: `No payment has the id ${id + 1_000}.` },
    })
    expect(await tested.send('GET', '/transaction', { code: 'unread' })).toMatchObject({
      json: { message: 'No payment has this id or code.' },
    })
    expect(await tested.send('GET', '/transaction')).toMatchObject({
      ...validationError('id'),
      json: { errors: { id: 'id is required unless code is given.' } },
    })
    expect(await tested.send('GET', '/transaction', { id: 0 })).toMatchObject(validationError('id'))
  })
})

it.each(['/check', '/pay'])('the fields of %s are documented: in the query, as a form and as JSON', async (path) => {
  const { fetch } = paymentOn(databases[0]!)
  const { paths } = (await (await fetch('http://a/_openapi.json')).json()) as Description
  const { get, post } = paths[path]!
  const inQuery = get!.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  expect(inQuery).toEqual(fieldNames)
  const content = Object.entries(post!.requestBody!.content)
  expect(content.map(([type]) => type)).toEqual(['application/x-www-form-urlencoded', 'application/json'])
  for (const [, { schema }] of content) {
    expect(schema).toMatchObject({ required: ['TransactionId', 'Amount', 'AccountId'], additionalProperties: {} })
    expect(Object.keys(schema!.properties as object)).toEqual(fieldNames)
  }
})

describe('access', () => {
  const { send, fetch } = paymentOn(databases[0]!, {
    LOCAL: '',
    AUTH_TOKENS: 'token',
    PAYMENT_API_SECRET: 'secret',
  } as never)

  it.each([
    ['GET', '/transactions'],
    ['POST', '/transactions'],
    ['GET', '/transaction'],
    ['POST', '/transaction/webhook'],
  ])('is needed for %s %s', async (method, path) => {
    expect(await send(method, path, { id: 1 })).toMatchObject(errorReply(401, 'unauthorized'))
    expect((await send(method, path, { id: 999_999 }, { authorization: 'Bearer token' })).status).not.toBe(401)
  })

  it('reports whether the database is up', async () => {
    const health = async (headers: Record<string, string>) =>
      (await (await fetch('http://a/_health', { headers })).json()) as object
    expect(await health({})).toEqual({ status: true, content: { state: 'up' } })
    expect(await health({ authorization: 'Bearer token' })).toMatchObject({
      content: { dependencies: { database: { state: 'up' } } },
    })
  })

  it('does not allow other methods', async () => {
    expect(await send('PUT', '/pay', {}, { authorization: 'Bearer token' })).toMatchObject(
      errorReply(405, 'method_not_allowed'),
    )
  })
})

describe('the configuration', () => {
  it.each([
    [{ PAYMENT_CURRENCY: 'tenge' }, 'PAYMENT_CURRENCY'],
    [{ PAYMENT_TEST: 'yes' }, 'PAYMENT_TEST'],
    [{ PAYMENT_LOG_DAYS: '0' }, 'PAYMENT_LOG_DAYS'],
    [{ PAYMENT_LOG_DAYS: 'many' }, 'PAYMENT_LOG_DAYS'],
    [{ PAYMENT_LOG_STRANGERS: '-1' }, 'PAYMENT_LOG_STRANGERS'],
    [{ PAYMENT_LOG_STRANGERS: 'all' }, 'PAYMENT_LOG_STRANGERS'],
    [{ PAYMENT_CHECK_URL: 'example.com' }, 'PAYMENT_CHECK_URL'],
    [{ PAYMENT_CHECK_URL: 'ftp://example.com' }, 'PAYMENT_CHECK_URL'],
    [{ PAYMENT_WEBHOOK_URL: 'http://user:pass@example.com' }, 'PAYMENT_WEBHOOK_URL'],
    [{ PAYMENT_SIGNING_SECRET: 'short' }, 'PAYMENT_SIGNING_SECRET'],
  ])('rejects %j, and names the variable', async (variables, name) => {
    const tested = paymentOn(databases[0]!, variables)
    for (const [path, params] of [
      ['/pay', notification()],
      ['/transactions', {}],
    ] as const) {
      const reply = await tested.send('GET', path, params)
      expect(reply).toMatchObject(errorReply(503, 'not_configured'))
      expect(JSON.stringify(reply.json)).toContain(name)
    }
  })

  it('allows private addresses, since no caller chooses them', async () => {
    const accountChecks = merchantEndpoint({ statuses: '404' })
    const tested = paymentOn(databases[0]!, { PAYMENT_CHECK_URL: accountChecks.url, ALLOW_PRIVATE_TARGETS: '' })
    expect(await tested.send('GET', '/check', notification())).toMatchObject({ json: { code: 11 } })
    expect(await accountChecks.visits()).toHaveLength(1)
  })

  it('may be empty: then no account is checked and no webhook is sent', async () => {
    const tested = paymentOn(databases[0]!, { PAYMENT_CHECK_URL: '', PAYMENT_WEBHOOK_URL: '' })
    const fields = notification()
    expect(await tested.send('GET', '/check', fields)).toMatchObject({ json: { code: 0 } })
    expect(await tested.send('GET', '/pay', fields)).toMatchObject({ json: { code: 0 } })
    expect(await tested.row(fields.TransactionId as string)).toMatchObject({ status: 1 })
    const reply = await tested.send('POST', '/transaction/webhook', { code: fields.TransactionId })
    expect(reply).toMatchObject(errorReply(503, 'not_configured'))
  })

  it('sends webhooks to the catcher on a local start without PAYMENT_WEBHOOK_URL', async () => {
    const caught = merchantEndpoint()
    const CATCHER_URL = `${caught.url}&path=`
    const tested = paymentOn(databases[0]!, { CATCHER_URL })
    await tested.clear()
    const fields = notification()
    await tested.send('GET', '/pay', fields)
    await caught.arrived(1)
    await expect.poll(() => tested.row(fields.TransactionId as string)).toMatchObject({ status: 1 })
    expect((await tested.attempts((await tested.row(fields.TransactionId as string))!.id))[0]!.url).toMatch(
      /\/payments$/,
    )
  })
})
