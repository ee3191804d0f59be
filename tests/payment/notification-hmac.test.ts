// Tests of the authentication of notifications by their HMAC, also against forged ones.
import { signString } from 'cloudpayments/dist/utils'
import { describe, expect, it } from 'vitest'
import type { Env } from '#payment/bindings'
import { decodedText } from '#payment/notification-hmac'
import { databases } from '../support/databases.ts'
import { errorReply } from '../support/refusals.ts'
import { checkSample, encoded, inJson, paySample } from './samples.ts'
import { answered, notification, paymentOn, payments } from './support.ts'

const secret = 'the secret of the processor'
const type = { form: 'application/x-www-form-urlencoded', json: 'application/json; charset=utf-8' }

interface SignedRequest {
  path: string
  text: string
  how: 'query' | 'form' | 'json'
  headers?: Record<string, string>
}

const sender =
  ({ fetch }: ReturnType<typeof paymentOn>) =>
  async ({ path, text, how, headers = {} }: SignedRequest) => {
    const response =
      how === 'query'
        ? await fetch(`http://component${path}?${text}`, { headers })
        : await fetch(`http://component${path}`, {
            method: 'POST',
            body: text,
            headers: { 'content-type': type[how], ...headers },
          })
    return { status: response.status, json: (await response.json()) as object }
  }

describe.each(payments({ PAYMENT_API_SECRET: secret }))('a signed notification on $dialect', (tested) => {
  const send = sender(tested)
  const ways = [
    ['query', encoded],
    ['form', encoded],
    ['json', inJson],
  ] as const

  it.each(ways)('with every documented field is accepted in %s', async (how, write) => {
    const checked = write(checkSample())
    const proof = (text: string) => ({
      'content-hmac': signString(secret, text),
      'x-content-hmac': signString(secret, decodedText(text) ?? text),
    })
    expect(await send({ path: '/check', text: checked, how, headers: proof(checked) })).toEqual(answered(0))
    const fields = paySample()
    const paid = write(fields)
    for (let copy = 0; copy < 2; copy++)
      expect(await send({ path: '/pay', text: paid, how, headers: proof(paid) })).toEqual(answered(0))
    expect(await tested.row(fields.TransactionId)).toMatchObject({
      account: 'user@example.com',
      sum_minor: 12_300,
      currency: 'RUB',
    })
  })

  it.each(ways)('is authenticated by either header in %s', async (how, write) => {
    const text = write(paySample())
    const proofs = [{ 'content-hmac': signString(secret, text) }, { 'x-content-hmac': signString(secret, text) }]
    if (how !== 'json')
      proofs.push({ 'x-content-hmac': signString(secret, decodeURIComponent(text.replaceAll('+', ' '))) })
    for (const headers of proofs)
      expect(await send({ path: '/pay', text, how, headers: headers as never })).toEqual(answered(0))
  })

  it.each(ways)('is authenticated by one right header beside a wrong one in %s', async (how, write) => {
    const text = write(paySample())
    const right = signString(secret, text)
    for (const headers of [
      { 'content-hmac': 'x', 'x-content-hmac': right },
      { 'content-hmac': right, 'x-content-hmac': 'x' },
    ])
      expect(await send({ path: '/pay', text, how, headers })).toEqual(answered(0))
  })

  it('is authenticated by its decoded text after a proxy re-encoded the query', async () => {
    const sent = encoded(paySample())
    const headers = {
      'content-hmac': signString(secret, sent),
      'x-content-hmac': signString(secret, decodeURIComponent(sent.replaceAll('+', ' '))),
    }
    const text = sent.replaceAll(/%[\da-f]{2}/g, (code) => code.toUpperCase())
    expect(text).not.toBe(sent)
    expect(await send({ path: '/pay', text, how: 'query', headers })).toEqual(answered(0))
  })

  it.each(ways)('gets 401 without a right HMAC in %s, and is not stored', async (how, write) => {
    const fields = paySample()
    const text = write(fields)
    const right = signString(secret, text)
    const wrongs: Record<string, string>[] = [
      ...[{}, { 'content-hmac': '' }, { 'content-hmac': signString('another', text) }, { 'x-content-hmac': 'x' }],
      ...[
        { 'content-hmac': right.slice(0, -1) },
        { 'content-hmac': right.toLowerCase() },
        { authorization: `Bearer ${secret}` },
      ],
      ...[{ 'content-hmac': 'x', 'x-content-hmac': 'x' }, { 'content-hmac': signString(secret, `${text}&`) }],
    ]
    for (const headers of wrongs)
      for (const path of ['/check', '/pay'])
        expect(await send({ path, text, how, headers }), JSON.stringify(headers)).toMatchObject(
          errorReply(401, 'unauthorized'),
        )
    expect(await tested.row(fields.TransactionId)).toBeUndefined()
  })

  it('gets 401 if one byte was changed', async () => {
    const text = encoded(paySample())
    const headers = { 'content-hmac': signString(secret, text) }
    for (const forged of [
      text.replace('123.00', '923.00'),
      text.replace('%d0', '%D0'),
      `${text}&x=1`,
      text.slice(0, -1),
    ])
      for (const how of ['query', 'form'] as const)
        expect(await send({ path: '/pay', text: forged, how, headers })).toMatchObject(errorReply(401, 'unauthorized'))
  })

  it('cannot be split into other values by an attacker who knows the HMAC of its decoded text', async () => {
    const fields = notification({ Description: 'x&Amount=1.00' }) as Record<string, string>
    const text = encoded(fields)
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    const headers = { 'x-content-hmac': signString(secret, decoded) }
    const forged = text.replace('x%26Amount%3d1.00', 'x&Amount=1.00')
    const others = [
      ...[forged, forged.replace('&Amount=1.00', '&%41mount=1.00')],
      // Makes the real amount a part of the value before it, so that the amount of the attacker would apply.
      forged.replace('&Amount=10.00', '%26Amount%3d10.00'),
    ]
    for (const other of others) {
      expect(decodeURIComponent(other.replaceAll('+', ' '))).toBe(decoded)
      for (const how of ['form', 'query'] as const)
        expect(await send({ path: '/pay', text: other, how, headers })).toMatchObject(errorReply(401, 'unauthorized'))
    }
    const exact = { ...headers, 'content-hmac': signString(secret, text) }
    expect(await send({ path: '/pay', text, how: 'form', headers: exact })).toEqual(answered(0))
  })

  it('cannot get additional fields from an attacker who knows the HMAC of its decoded text', async () => {
    const text = encoded(notification({ TestMode: '1' }) as Record<string, string>)
    const headers = { 'x-content-hmac': signString(secret, decodedText(text)!) }
    expect(await send({ path: '/pay', text, how: 'form', headers })).toEqual(answered(13))
    for (const [cut, joined] of [
      ['&TestMode=1', '%26TestMode%3d1'],
      ['&Currency', '%26Currency'],
      ['&InvoiceId', '%26InvoiceId'],
    ] as const)
      expect(await send({ path: '/pay', text: text.replace(cut, joined), how: 'form', headers })).toMatchObject(
        errorReply(401, 'unauthorized'),
      )
  })

  it('in JSON is authenticated only by the HMAC of the text as sent', async () => {
    const { TestMode: _, ...fields } = notification({ Description: 'x' })
    const text = JSON.stringify({ ...fields, TestMode: '1' })
    const forged = text.replace('x","TestMode":"1"', 'x%22,%22TestMode%22:%221"')
    expect(decodeURIComponent(forged)).toBe(text)
    const headers = { 'x-content-hmac': signString(secret, text) }
    expect(await send({ path: '/pay', text, how: 'json', headers })).toEqual(answered(13))
    expect(await send({ path: '/pay', text: forged, how: 'json', headers })).toMatchObject(
      errorReply(401, 'unauthorized'),
    )
  })

  it('is signed in its body, with any query', async () => {
    const fields = notification() as Record<string, string>
    const text = encoded(fields)
    const headers = { 'content-hmac': signString(secret, text) }
    expect(await send({ path: '/pay?shop=1&Amount=1.00', text, how: 'form', headers })).toEqual(answered(0))
    expect(await tested.row(fields.TransactionId!)).toMatchObject({ sum_minor: 1000 })
    const query = encoded(notification({ AccountId: 'eve' }) as Record<string, string>)
    const stolen = { path: `/pay?${query}`, text, how: 'form' as const, headers }
    expect(await send(stolen)).toEqual(answered(0))
    expect((await tested.rows()).filter(({ account }) => account === 'eve')).toEqual([])
  })

  it('with a right HMAC may still be malformed', async () => {
    for (const text of ['x', '{', 'Amount=1'])
      expect(
        await send({ path: '/pay', text, how: 'form', headers: { 'content-hmac': signString(secret, text) } }),
      ).toEqual(answered(10))
  })
})

describe('without PAYMENT_API_SECRET', () => {
  const shut = (variables: Partial<Env>) => paymentOn(databases[0]!, { LOCAL: '', ...variables } as never)
  const headers = { authorization: 'Bearer token' }
  const hmac = { 'content-hmac': signString('', encoded(notification() as never)) }

  it('notifications need the API token', async () => {
    const { send } = shut({ AUTH_TOKENS: 'token' })
    for (const path of ['/check', '/pay']) {
      expect(await send('GET', path, notification())).toMatchObject(errorReply(401, 'unauthorized'))
      expect(await send('GET', path, notification(), hmac)).toMatchObject(errorReply(401, 'unauthorized'))
      expect(await send('GET', path, notification(), headers)).toEqual(answered(0))
    }
  })

  it('all notifications are refused if no access is configured', async () => {
    const { send } = shut({})
    for (const path of ['/check', '/pay'])
      expect(await send('GET', path, notification(), hmac)).toMatchObject(errorReply(503, 'not_configured'))
  })

  it('with PAYMENT_API_SECRET, credentials do not replace the HMAC', async () => {
    const { send } = shut({ AUTH_TOKENS: 'token', PAYMENT_API_SECRET: secret, OPEN: 'true' })
    expect(await send('GET', '/pay', notification(), headers)).toMatchObject(errorReply(401, 'unauthorized'))
  })
})
