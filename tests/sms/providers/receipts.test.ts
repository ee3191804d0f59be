// Tests how each driver verifies and reads the delivery receipts of its provider.
import { describe, expect, it } from 'vitest'
import type { UnvalidatedRequest } from '#core/http/declaration'
import type { Receipt } from '#sms/providers/driver'
import { configured } from './setting.ts'

interface ReceiptInit {
  method?: string
  url?: string
  form?: Record<string, string>
  json?: unknown
  headers?: Record<string, string>
}

const home = 'https://api.quartermaster.dev/sms/receipt/provider_a'

/** The request of a receipt, in the form in which the gateway passes it to a driver. */
function requestOf({
  method = 'POST',
  url = home,
  form,
  json,
  headers = {},
}: ReceiptInit): UnvalidatedRequest<unknown> {
  const body = json === undefined ? new URLSearchParams(form).toString() : JSON.stringify(json)
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  const isGet = method === 'GET'
  const request = new Request(url, { method, headers: { 'content-type': type, ...headers }, ...(!isGet && { body }) })
  return { env: {}, request, url: new URL(url), bytes: isGet ? new Uint8Array() : new TextEncoder().encode(body) }
}

const inQuery = (fields: Record<string, string>): ReceiptInit => ({
  method: 'GET',
  url: `${home}?${new URLSearchParams(fields)}`,
})

/** Verifies and reads receipts with the driver that these variables configure. */
function reader(variables: Record<string, string>) {
  const { driver, account } = configured(variables)
  return {
    verifyReceipt: (sent: ReceiptInit) => driver.verifyReceipt!(account, requestOf(sent)),
    read: (sent: ReceiptInit) => driver.readReceipt!(account, requestOf(sent)),
  }
}

const changed = (fields: Record<string, string>, name: string) => ({ ...fields, [name]: `${fields[name]}0` })

describe('smsc', () => {
  const variables = { DRIVER: 'smsc', USERNAME: 'shop', PASSWORD: 'x' }
  const { verifyReceipt, read } = reader({ ...variables, RECEIPT_SECRET: 'a secret : of receipts' })
  const id = '5f0c1d2e-1111-4222-8333-444455556666'
  const fields = { id, phone: '77011234567', status: '1', time: '21.11.2026 10:00:00', err: '0', cnt: '1', type: '0' }
  const md5 = '6245b89ecf84a6e6d67cf03933dfdc06'
  const sha1 = 'b460ec0de033fc02b83f76e9d16cc658f9c8e466'

  it.each([{ md5 }, { sha1 }, { sha1: sha1.toUpperCase() }, { md5: 'wrong', sha1 }])(
    'proves itself by %j',
    async (proof) => {
      expect(await verifyReceipt({ form: { ...fields, ...proof } })).toBe(true)
      expect(await verifyReceipt({ json: { ...fields, status: 1, ...proof } })).toBe(true)
    },
  )

  it.each(['id', 'phone', 'status', 'sha1'])('fails verification if its %s changes', async (name) => {
    expect(await verifyReceipt({ form: changed({ ...fields, sha1 }, name) })).toBe(false)
  })

  it('fails verification without a signature, with the signature of another secret, or with a checksum', async () => {
    expect(await verifyReceipt({ form: fields })).toBe(false)
    expect(await verifyReceipt({ form: { ...fields, sha1: md5, md5: sha1 } })).toBe(false)
    expect(await verifyReceipt({ form: { ...fields, crc32: '2274834418' } })).toBe(false)
    expect(await verifyReceipt(inQuery({ ...fields, id: '1', sha1 }))).toBe(false)
    const other = reader({ ...variables, RECEIPT_SECRET: 'another' })
    expect(await other.verifyReceipt({ form: { ...fields, sha1 } })).toBe(false)
  })

  it('cannot be verified without a secret', async () => {
    expect(await reader(variables).verifyReceipt({ form: { ...fields, sha1 } })).toBeUndefined()
  })

  it.each<[string, Receipt['state']]>([
    ['-3', 'unknown'],
    ['-2', 'rejected'],
    ['-1', 'accepted'],
    ['0', 'accepted'],
    ['1', 'delivered'],
    ['2', 'delivered'],
    ['3', 'expired'],
    ['4', 'delivered'],
    ['20', 'undelivered'],
    ['22', 'rejected'],
    ['23', 'rejected'],
    ['24', 'rejected'],
    ['25', 'undelivered'],
    ['99', 'unknown'],
  ])('maps the status %s to the message state %s', (status, state) => {
    expect(read({ form: { ...fields, status } })).toEqual({ provider_id: id, state, code: status })
  })

  it('returns the error code', () => {
    const form = { ...fields, status: '20', err: '13' }
    expect(read({ form })).toEqual({ provider_id: id, state: 'undelivered', code: '13' })
  })

  it('is ignored without an id and a status, such as for an incoming message', () => {
    expect(read({ form: { phone: '77011234567', mes: 'Hello', to: '77010000000', sha1 } })).toBeUndefined()
    expect(read({ form: { ...fields, status: 'constructor' } })).toBeUndefined()
    expect(read({ json: [] })).toBeUndefined()
    expect(read({ json: {} })).toBeUndefined()
  })
})

describe('twilio', () => {
  const account = { USERNAME: `AC${'0a'.repeat(16)}`, PASSWORD: 'the token of twilio' }
  const variables = { DRIVER: 'twilio', SENDER: '15005550006' }
  const { verifyReceipt, read } = reader({ ...variables, ...account })
  const sid = `SM${'0c'.repeat(16)}`
  const form = {
    ...{ MessageSid: sid, MessageStatus: 'delivered', To: '+77011234567' },
    ...{ AccountSid: account.USERNAME, ErrorCode: '', Body: 'a&b=c é' },
  }
  const signed = (signature: string) => ({ 'x-twilio-signature': signature })
  const right = signed('32VDgrncpOLa9Bt3gqBf+qFib+8=')

  it('verifies the example of the documentation', async () => {
    const { verifyReceipt } = reader({ ...variables, USERNAME: 'AC1', PASSWORD: '12345' })
    const example = {
      url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
      headers: signed('RSOYDt4T1cUTdK1PDd93/VVr8B8='),
      form: {
        ...{ CallSid: 'CA1234567890ABCDE', Caller: '+14158675309', Digits: '1234' },
        ...{ From: '+14158675309', To: '+18005551212' },
      },
    }
    expect(await verifyReceipt(example)).toBe(true)
    expect(await verifyReceipt({ ...example, url: `${example.url}3` })).toBe(false)
  })

  it('fails verification quickly with the maximum number of fields', async () => {
    const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [i.toString(36), '']))
    expect(await verifyReceipt({ form: many, headers: right })).toBe(false)
  })

  it('verifies with and without the port in its URL', async () => {
    expect(await verifyReceipt({ form, headers: right })).toBe(true)
    expect(await verifyReceipt({ form, headers: signed('EhcYrFXaKtkfOfV29HcrL+ltpn0=') })).toBe(true)
    const url = `${home}?a=1`
    expect(await verifyReceipt({ form, url, headers: signed('wMioxlv+UTkQcmz8FPqORyLHOXY=') })).toBe(true)
    expect(await verifyReceipt({ form, url, headers: right })).toBe(false)
  })

  it.each(Object.keys(form))('fails verification if its %s changes', async (name) => {
    expect(await verifyReceipt({ form: changed(form, name), headers: right })).toBe(false)
  })

  it('fails verification with a field more or less, a wrong or missing signature, or another URL', async () => {
    const { Body: _, ...less } = form
    expect(await verifyReceipt({ form: { ...form, X: '1' }, headers: right })).toBe(false)
    expect(await verifyReceipt({ form: less, headers: right })).toBe(false)
    expect(await verifyReceipt({ form })).toBe(false)
    expect(await verifyReceipt({ form, headers: signed('') })).toBe(false)
    expect(await verifyReceipt({ form, headers: signed('32vdgrncpola9bt3gqbf+qfib+8=') })).toBe(false)
    expect(await verifyReceipt({ form, headers: right, url: home.replace('provider_a', 'provider_b') })).toBe(false)
    expect(await verifyReceipt({ ...inQuery(form), headers: right })).toBe(false)
  })

  it('is verified with the account token, not with the secret of an API key', async () => {
    const key = { USERNAME: `SK${'0b'.repeat(16)}`, PASSWORD: 'the token of twilio', ACCOUNT: account.USERNAME }
    expect(await reader({ ...variables, ...key }).verifyReceipt({ form, headers: right })).toBeUndefined()
    const known = { ...key, PASSWORD: 'x', RECEIPT_SECRET: 'the token of twilio' }
    expect(await reader({ ...variables, ...known }).verifyReceipt({ form, headers: right })).toBe(true)
  })

  it.each<[string, Receipt['state']]>([
    ['accepted', 'accepted'],
    ['scheduled', 'accepted'],
    ['queued', 'accepted'],
    ['sending', 'accepted'],
    ['sent', 'accepted'],
    ['delivered', 'delivered'],
    ['read', 'delivered'],
    ['partially_delivered', 'undelivered'],
    ['undelivered', 'undelivered'],
    ['failed', 'rejected'],
    ['canceled', 'rejected'],
  ])('maps the status %s to the message state %s', (MessageStatus, state) => {
    expect(read({ form: { ...form, MessageStatus } })).toEqual({ provider_id: sid, state, code: MessageStatus })
  })

  it.each<[string, Receipt['state']]>([
    ['queued', 'accepted'],
    ['initiated', 'accepted'],
    ['ringing', 'accepted'],
    ['in-progress', 'accepted'],
    ['completed', 'delivered'],
    ['busy', 'undelivered'],
    ['no-answer', 'undelivered'],
    ['failed', 'undelivered'],
    ['canceled', 'rejected'],
  ])('maps the status %s to the call state %s', (CallStatus, state) => {
    expect(read({ form: { CallSid: 'CA1', CallStatus } })).toEqual({ provider_id: 'CA1', state, code: CallStatus })
  })

  it('returns the error code', () => {
    const sent = { form: { ...form, MessageStatus: 'undelivered', ErrorCode: '30003' } }
    expect(read(sent)).toEqual({ provider_id: sid, state: 'undelivered', code: '30003' })
  })

  it('maps the error 21610 to an opt-out of the recipient', () => {
    const sent = { form: { ...form, MessageStatus: 'failed', ErrorCode: '21610' } }
    expect(read(sent)).toEqual({ provider_id: sid, state: 'unsubscribed', code: '21610' })
  })

  it('is ignored for an incoming message and for an empty one', () => {
    expect(read({ form: { MessageSid: sid, SmsStatus: 'received', Body: 'Hello' } })).toBeUndefined()
    expect(read({ form: { ...form, MessageStatus: 'constructor' } })).toBeUndefined()
    expect(read({ form: {} })).toBeUndefined()
  })
})

describe('vonage', () => {
  const variables = { DRIVER: 'vonage', SENDER: 'Shop', USERNAME: 'abcd1234', PASSWORD: 'x' }
  const { verifyReceipt, read } = reader({ ...variables, RECEIPT_SECRET: 'my_secret_key_for_testing' })
  const fields = {
    'message-timestamp': '2013-11-21 15:27:30',
    messageId: '020000001B0FE827',
    msisdn: '14843472194',
    text: 'Test again',
    timestamp: '1385047698',
    to: '13239877404',
    type: 'text',
  }
  const sha256 = 'DDB8397C2B90AAC7F3882D306475C9A5058C92322EEF43C92B298B6E0FC0D330'

  // The signatures with which Vonage tests its own libraries.
  it.each([
    ['a digest by MD5', 'd2e7b1dc968737c5998ad624e02f90b7'],
    ['HMAC by MD5', 'DDEBD46008C2D4E93CCE578A332A52D5'],
    ['HMAC by SHA-1', '27D0D05C2876C7CB1720DBCDBA4D492E1E55C09A'],
    ['HMAC by SHA-256', sha256],
    [
      'HMAC by SHA-512',
      'E0D3C650F8C9D1A5C174D10DDDBFB003E561F59B265616208B0487C5D819481CD3C311D59CF6165ECD1139622D5BA3A256C0D763AC4A9AD9144B5A426B94FE82',
    ],
  ])('is verified with %s, in a query, a form and JSON', async (_, sig) => {
    expect(await verifyReceipt(inQuery({ ...fields, sig }))).toBe(true)
    expect(await verifyReceipt({ form: { ...fields, sig } })).toBe(true)
    expect(await verifyReceipt({ json: { ...fields, sig } })).toBe(true)
  })

  it.each([...Object.keys(fields), 'sig'])('fails verification if its %s changes', async (name) => {
    expect(await verifyReceipt({ form: changed({ ...fields, sig: sha256 }, name) })).toBe(false)
  })

  it('fails verification with a field more or less, or without a signature', async () => {
    const { text: _, ...less } = fields
    expect(await verifyReceipt({ form: { ...fields, sig: sha256, x: '1' } })).toBe(false)
    expect(await verifyReceipt({ form: { ...less, sig: sha256 } })).toBe(false)
    expect(await verifyReceipt({ form: fields })).toBe(false)
    expect(await verifyReceipt({ form: { ...fields, sig: '' } })).toBe(false)
  })

  it('is signed with & and = replaced by another character', async () => {
    const sig = '7f9aa8af206dcfd9f1727dcdc5b6c1fb861eacf64b86d66b098920e4cfce71f5'
    expect(await verifyReceipt({ form: { ...fields, text: 'a&b=c', sig } })).toBe(true)
    expect(await verifyReceipt({ form: { ...fields, text: 'a', sig } })).toBe(false)
  })

  it('cannot be verified without a secret', async () => {
    expect(await reader(variables).verifyReceipt({ form: { ...fields, sig: sha256 } })).toBeUndefined()
  })

  const receipt = { ...fields, status: 'delivered', 'err-code': '0' }

  it.each<[string, Receipt['state']]>([
    ['accepted', 'accepted'],
    ['buffered', 'accepted'],
    ['delivered', 'delivered'],
    ['expired', 'expired'],
    ['failed', 'undelivered'],
    ['rejected', 'rejected'],
    ['unknown', 'unknown'],
    ['constructor', 'unknown'],
  ])('maps the status %s to the message state %s', (status, state) => {
    const expected = { provider_id: fields.messageId, state, code: status }
    expect(read({ json: { ...receipt, status } })).toEqual(expected)
    expect(read(inQuery({ ...receipt, status }))).toEqual(expected)
  })

  it('returns the error code', () => {
    const form = { ...receipt, status: 'failed', 'err-code': '6' }
    expect(read({ form })).toEqual({ provider_id: fields.messageId, state: 'undelivered', code: '6' })
  })

  it('maps the error 9 to an opt-out of the recipient', () => {
    const form = { ...receipt, status: 'failed', 'err-code': '9' }
    expect(read({ form })).toEqual({ provider_id: fields.messageId, state: 'unsubscribed', code: '9' })
  })

  it('is ignored for an incoming message', () => expect(read({ form: fields })).toBeUndefined())
})

describe('http', () => {
  const variables = { DRIVER: 'http', URL: 'https://gateway.quartermaster.dev/send' }
  const { verifyReceipt } = reader({ ...variables, RECEIPT_SECRET: 'a secret' })
  const json = { id: 'm-1', state: 'delivered' }
  const bearing = (authorization: string): ReceiptInit => ({ json, headers: { authorization } })

  it('is verified with its secret, in a header or in the query', async () => {
    expect(await verifyReceipt(bearing('Bearer a secret'))).toBe(true)
    expect(await verifyReceipt({ json, url: `${home}?token=a%20secret` })).toBe(true)
  })

  it.each<[string, ReceiptInit]>([
    ['nothing', { json }],
    ['another secret', bearing('Bearer another')],
    ['half the secret', bearing('Bearer a')],
    ['no secret', bearing('Bearer ')],
    ['other credentials', bearing(`Basic ${btoa('a secret')}`)],
    ['another token', { json, url: `${home}?token=another` }],
    ['a token in its body', { form: { ...json, token: 'a secret' } }],
    ['a wrong header, with the right token', { ...bearing('Bearer x'), url: `${home}?token=a%20secret` }],
  ])('fails verification with %s', async (_, sent) => expect(await verifyReceipt(sent)).toBe(false))

  it('cannot be verified without a secret', async () => {
    expect(await reader(variables).verifyReceipt(bearing('Bearer a secret'))).toBeUndefined()
  })

  it.each<[string, Receipt['state']]>([
    ['accepted', 'accepted'],
    ['delivered', 'delivered'],
    ['undelivered', 'undelivered'],
    ['expired', 'expired'],
    ['rejected', 'rejected'],
    ['unknown', 'unknown'],
    ['ENROUTE', 'accepted'],
    ['ACCEPTD', 'accepted'],
    ['DELIVRD', 'delivered'],
    ['UNDELIV', 'undelivered'],
    ['REJECTD', 'rejected'],
    ['DELETED', 'rejected'],
    ['constructor', 'unknown'],
    ['anything', 'unknown'],
  ])('maps %s to the message state %s', (word, state) => {
    const { read } = reader(variables)
    const expected = { provider_id: 'm-1', state, code: word }
    expect(read({ json: { ...json, state: word } })).toEqual(expected)
    expect(read({ form: { ...json, state: word } })).toEqual(expected)
    expect(read(inQuery({ ...json, state: word }))).toEqual(expected)
  })

  it('is read with the configured paths and states', () => {
    const { read } = reader({
      ...variables,
      RECEIPT_ID: 'results.0.messageId',
      RECEIPT_STATE: 'results.0.status.code',
      RECEIPT_STATES: '{"5": "delivered", "Seen": "delivered", "expired": "undelivered"}',
    })
    const readCode = (code: unknown) => read({ json: { results: [{ messageId: 1, status: { code } }] } })
    expect(readCode(5)).toEqual({ provider_id: '1', state: 'delivered', code: '5' })
    expect(readCode('SEEN')).toEqual({ provider_id: '1', state: 'delivered', code: 'SEEN' })
    expect(readCode('expired')).toEqual({ provider_id: '1', state: 'undelivered', code: 'expired' })
    expect(readCode('rejected')).toEqual({ provider_id: '1', state: 'rejected', code: 'rejected' })
  })

  it('keeps every digit of an id', () => {
    const bytes = new TextEncoder().encode('{"id": 12345678901234567891, "state": "delivered"}')
    const { driver, account } = configured(variables)
    expect(driver.readReceipt!(account, { ...requestOf({ json }), bytes })?.provider_id).toBe('12345678901234567891')
  })

  it.each([
    {},
    { id: 'm-1' },
    { state: 'delivered' },
    { id: '', state: 'delivered' },
    { id: {}, state: [] },
    null,
    7,
    'x',
  ])('is ignored if it is %j', (json) => expect(reader(variables).read({ json })).toBeUndefined())
})
