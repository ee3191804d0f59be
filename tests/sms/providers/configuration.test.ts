// Tests which variables each SMS driver requires, and which values it rejects.
import { describe, expect, it } from 'vitest'
import type { Subject } from './setting.ts'
import { configuration, refused, set } from './setting.ts'
import { subjects } from './subjects.ts'

const named = (name: string): Subject => subjects.find((subject) => subject.name === name)!
const http = named('http with JSON')
const form = named('http with a form')
const fields = async (seen: Promise<{ body: string }[]>) => new URLSearchParams((await seen)[0]!.body)

describe.each([
  ['smsc', ['USERNAME', 'PASSWORD']],
  ['smsc with a key, calling', ['APIKEY']],
  ['twilio', ['SENDER', 'USERNAME', 'PASSWORD']],
  ['twilio with a key and a messaging service', ['SENDER', 'ACCOUNT', 'USERNAME', 'PASSWORD']],
  ['vonage', ['SENDER', 'USERNAME', 'PASSWORD']],
])('%s', (name, needed) => {
  const { variables } = named(name)

  it('is valid with only the required variables', () => expect(configuration(variables)).toHaveProperty('driver'))

  it.each(needed)('requires %s', (variable) => {
    const expected = name.includes('with a key, calling') ? 'USERNAME' : variable
    expect(configuration({ ...variables, [variable]: '' })).toMatchObject({ unset: `PROVIDER_A_${expected}` })
  })
})

describe('http', () => {
  const URL = 'https://gateway.quartermaster.dev/send'

  it('requires only a URL', () => expect(configuration({ DRIVER: 'http', URL })).toHaveProperty('driver'))

  it.each([
    ['URL', ''],
    ['URL', 'nowhere'],
    ['URL', 'ftp://gateway.quartermaster.dev/'],
    ['CALL_URL', 'nowhere'],
    ['METHOD', 'DELETE'],
    ['METHOD', 'post'],
    ['FORMAT', 'xml'],
    ['BODY', '{"to": }'],
    ['BODY', '["{phone}"]'],
    ['BODY', '{"to": "{phone}"'],
    ['HEADERS', 'x-key: 1'],
    ['HEADERS', '["x-key"]'],
    ['HEADERS', '{"x-key": 1}'],
    ['HEADERS', '{"x key": "1"}'],
    ['HEADERS', '{"x-key": "1\\r\\nx-other: 2"}'],
    ['RECEIPT_STATES', '{"1": "here"}'],
    ['RECEIPT_STATES', 'delivered'],
  ])('refuses %s=%s', (name, value) => {
    expect(configuration({ DRIVER: 'http', URL, [name]: value })).toMatchObject({ unset: `PROVIDER_A_${name}` })
  })

  it('cannot send a body with GET', () => {
    const get = { DRIVER: 'http', URL, METHOD: 'GET' }
    expect(configuration(get)).toHaveProperty('driver')
    expect(configuration({ ...get, FORMAT: 'form' })).toMatchObject({ unset: 'PROVIDER_A_FORMAT' })
  })

  it('sends phone, text, sender and id by default', async () => {
    const { BODY: _, ...variables } = http.variables
    const { send, seen } = set({ ...http, variables })
    await send({ text: 'a "b"' })
    const { body, headers } = (await seen())[0]!
    expect(JSON.parse(body)).toEqual({ phone: '77011234567', text: 'a "b"', sender: 'Shop', id: '17' })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      authorization: expect.stringMatching(/^Basic /),
    })
  })

  it('replaces the default credentials with the configured headers', async () => {
    const HEADERS = '{"X-Key": "{username}:{password}", "Content-Type": "application/vnd.sms+json"}'
    const { send, seen } = set(http, { PASSWORD: 'secret', HEADERS })
    await send()
    const { headers } = (await seen())[0]!
    expect(headers).toMatchObject({ 'x-key': 'shop:secret', 'content-type': 'application/vnd.sms+json' })
    expect(headers).not.toHaveProperty('authorization')
  })

  it('makes no request if a header value is invalid', async () => {
    const { send, seen } = set(http, { HEADERS: '{"x-text": "{text}"}' })
    expect(await send({ text: 'one\nx-other: two' })).toEqual(refused('rejected'))
    expect(await seen()).toEqual([])
  })

  it('sends non-text values and unknown placeholders unchanged', async () => {
    const BODY =
      '{"n": 1, "yes": true, "none": null, "list": ["{phone}", 2], "deep": {"{phone}": "{nothing} {id}{id}"}}'
    const { send, seen } = set(http, { BODY })
    await send()
    expect(JSON.parse((await seen())[0]!.body)).toEqual({
      ...{ n: 1, yes: true, none: null, list: ['77011234567', 2] },
      deep: { '{phone}': '{nothing} 1717' },
    })
  })

  it('sends lists of a form item by item, and the rest as JSON', async () => {
    const BODY = '{"to": ["{phone}", "{+phone}"], "n": 1, "content": {"text": "{text}"}}'
    const { send, seen } = set(form, { BODY })
    await send({ text: 'a&b="c"' })
    expect([...(await fields(seen()))]).toEqual([
      ['to', '77011234567'],
      ['to', '+77011234567'],
      ['n', '1'],
      ['content', JSON.stringify({ text: 'a&b="c"' })],
    ])
  })

  it('sends the receipt URL', async () => {
    const { send, seen } = set(form, { BODY: 'dlr={receipt_url}?token=x' })
    const receiptUrl = 'https://api.quartermaster.dev/sms/receipt/provider_a'
    await send({ receiptUrl })
    expect((await fields(seen())).get('dlr')).toBe(`${receiptUrl}?token=x`)
  })

  it('refuses a call instead of sending it as a text', async () => {
    const { send, seen } = set(http)
    expect(await send({ kind: 'call' })).toEqual(refused('rejected'))
    expect(await seen()).toEqual([])
  })

  it('sends calls to the call URL', async () => {
    const [texts, calls] = [set(http), set(http)]
    const CALL_URL = calls.account.variable('URL')!
    const { send } = set(http, { URL: texts.account.variable('URL')!, CALL_URL })
    expect(await send({ kind: 'call' })).toMatchObject({ state: 'sent' })
    expect(await texts.seen()).toEqual([])
    expect(await calls.seen()).toHaveLength(1)
  })

  it('accepts any 2xx response if no id path is configured', async () => {
    const { ID: _, ...variables } = http.variables
    const { plan, send } = set({ ...http, variables })
    for (const status of [200, 201, 202, 204]) {
      await plan({ does: 'answer', answer: { status, body: '' } })
      expect(await send()).toEqual({ state: 'sent', provider_id: null })
    }
  })

  it.each([
    '{"messages": []}',
    '{"messages": [{"id": ""}]}',
    '{"messages": [{"id": null}]}',
    '{"messages": [{"id": {}}]}',
  ])('reports an unknown outcome for the response %s without an id', async (body) => {
    const { plan, send } = set(http)
    await plan({ does: 'answer', answer: { status: 200, body } })
    expect(await send()).toEqual({ state: 'unknown', reason: 'unreadable' })
  })
})

describe('smsc', () => {
  it('assigns an id to each message, even if the response is lost', async () => {
    const { plan, send, seen } = set(named('smsc'))
    const first = await send()
    await plan({ does: 'cut' })
    const second = await send()
    const ids = (await seen()).map(({ body }) => new URLSearchParams(body).get('id'))
    expect([first, second]).toMatchObject([{ provider_id: ids[0] }, { state: 'unknown', provider_id: ids[1] }])
    expect(ids[0]).not.toBe(ids[1])
  })

  it('uses the id of the response', async () => {
    const { plan, send } = set(named('smsc'))
    await plan({ does: 'answer', answer: { status: 200, body: '{"id": 3218, "cnt": 1}' } })
    expect(await send()).toEqual({ state: 'sent', provider_id: '3218', segments: 1 })
  })

  it('sends no sender if none is configured', async () => {
    const { SENDER: _, ...variables } = named('smsc').variables
    const { send, seen } = set({ ...named('smsc'), variables })
    expect(await send()).toMatchObject({ state: 'sent' })
    expect((await fields(seen())).has('sender')).toBe(false)
  })
})

describe('twilio', () => {
  it.each([
    ['15005550006', '+15005550006'],
    ['+15005550006', '+15005550006'],
    ['12345', '12345'],
    ['My Shop', 'My Shop'],
  ])('sends from %s as %s', async (SENDER, from) => {
    const { send, seen } = set(named('twilio'), { SENDER })
    expect(await send()).toMatchObject({ state: 'sent' })
    expect((await fields(seen())).get('From')).toBe(from)
  })

  it('sends the receipt URL', async () => {
    const receiptUrl = 'https://api.quartermaster.dev/sms/receipt/provider_a'
    const { send, seen } = set(named('twilio'))
    await send({ receiptUrl })
    expect((await fields(seen())).get('StatusCallback')).toBe(receiptUrl)
  })
})

describe('vonage', () => {
  it('sends the receipt URL and the message id', async () => {
    const receiptUrl = 'https://api.quartermaster.dev/sms/receipt/provider_a'
    const { send, seen } = set(named('vonage'))
    await send({ receiptUrl })
    expect(Object.fromEntries(await fields(seen()))).toMatchObject({
      ...{ 'client-ref': '17', callback: receiptUrl, 'status-report-req': 'true' },
    })
  })

  it('reports the retry delay of the provider', async () => {
    const { plan, send } = set(named('vonage'))
    await plan({ does: 'fail', code: 'http 429', headers: { 'retry-after': '9' } })
    expect(await send()).toEqual(refused('throttled', 9))
  })
})
