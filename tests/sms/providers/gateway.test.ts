// Tests the SMS gateway with real drivers against a test server that imitates the providers' APIs.
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { databases } from '../../support/databases.ts'
import type { Plan } from '../../support/sms-providers.ts'
import { freshPhone, messagesOf, smsOn, type TestedSms } from '../support.ts'
import type { Subject } from './setting.ts'
import { seenBy, server } from './setting.ts'
import { subjects } from './subjects.ts'

const home = 'https://api.quartermaster.dev/sms'

interface Place {
  key: string
  plan(plan: Plan): Promise<unknown>
}

/** Variables of a provider that is on the test server of this file, and where to read its requests. */
function providerAt(letter: 'A' | 'B', name: string): [variables: Record<string, string>, place: Place] {
  const { protocol, path = '', variables } = subjects.find((subject: Subject) => subject.name === name)!
  const key = crypto.randomUUID()
  const all = { URL: `${server}/${protocol}/${key}${path}`, ...variables, RECEIPT_SECRET: 'the secret of receipts' }
  const named = Object.entries(all).map(([name, value]) => [`PROVIDER_${letter}_${name}`, value])
  const plan = (plan: Plan) => fetch(`${server}/plan/${key}`, { method: 'PUT', body: JSON.stringify(plan) })
  return [Object.fromEntries(named), { key, plan }]
}

const stateOf = async ({ send }: TestedSms, id: number) => {
  const { json } = await send('GET', '/message', { id })
  return (json.content as unknown as { message: object }).message
}

/** A receipt as Twilio sends it. With `signed`, the signature is that of other fields, so it is wrong. */
function receipt(fields: Record<string, string>, signed = fields) {
  const text = Object.keys(signed)
    .sort()
    .reduce((all, name) => all + name + signed[name], `${home}/receipt/provider_a`)
  const signature = createHmac('sha1', 'the secret of receipts').update(text).digest('base64')
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature }
  return { method: 'POST', headers, body: new URLSearchParams(fields).toString() }
}

describe.each(databases)('the gateway on $dialect, with providers', (database) => {
  it('sends a message, and updates its state from a receipt', async () => {
    const [variables, { key }] = providerAt('A', 'twilio')
    const gateway = smsOn(database, { ...variables, BASE_URL: 'https://api.quartermaster.dev', AUTH_TOKENS: 'x' })
    const access = { authorization: 'Bearer x' }
    const { json } = await gateway.send('POST', '/sms', { phones: freshPhone(), message: 'Hello' }, access)
    const [message] = messagesOf({ json })
    expect(message).toMatchObject({ state: 'sent', provider: 'provider_a', provider_id: `SM${'0c'.repeat(16)}` })
    const [seen] = await seenBy(key)
    expect(new URLSearchParams(seen!.body).get('StatusCallback')).toBe(`${home}/receipt/provider_a`)
  })

  it('accepts receipts only with the credentials of their provider', async () => {
    const [variables] = providerAt('A', 'twilio')
    const gateway = smsOn(database, { ...variables, BASE_URL: 'https://api.quartermaster.dev', LOCAL: 'true' })
    const { json } = await gateway.send('POST', '/sms', { phones: freshPhone(), message: 'Hello' })
    const { id, provider_id } = messagesOf({ json })[0]!
    const report = async (fields: Record<string, string>, signed = fields) =>
      (await gateway.fetch('http://component/receipt/provider_a', receipt(fields, signed))).status
    const undelivered = { MessageSid: provider_id!, MessageStatus: 'undelivered', ErrorCode: '30003' }
    expect(await report({ ...undelivered, MessageStatus: 'delivered' }, undelivered)).toBe(401)
    expect(await stateOf(gateway, id)).toMatchObject({ state: 'sent', receipt_code: null })
    expect(await report(undelivered)).toBe(200)
    expect(await stateOf(gateway, id)).toMatchObject({ state: 'undelivered', receipt_code: '30003' })
  })

  it('sends through the next provider if the first certainly did not take the message', async () => {
    const [first, { plan, key }] = providerAt('A', 'smsc')
    const [second, next] = providerAt('B', 'vonage')
    const gateway = smsOn(database, { ...first, ...second, SMS_FALLBACK: 'provider_b' })
    await plan({ does: 'fail', code: '3' })
    const { json } = await gateway.send('POST', '/sms', { phones: freshPhone(), message: 'Привет' })
    expect(messagesOf({ json })).toMatchObject([
      { state: 'sent', provider: 'provider_b', provider_id: '0C00000212345670' },
    ])
    expect([await seenBy(key), await seenBy(next.key)]).toMatchObject([{ length: 1 }, { length: 1 }])
  })

  it('tries no other provider if the first may have taken the message, and a receipt confirms it later', async () => {
    const [first, { plan, key }] = providerAt('A', 'smsc')
    const [second, next] = providerAt('B', 'vonage')
    const gateway = smsOn(database, { ...first, ...second, SMS_FALLBACK: 'provider_b' })
    await plan({ does: 'half' })
    const { json } = await gateway.send('POST', '/sms', { phones: freshPhone(), message: 'Hello' })
    const [message] = messagesOf({ json })
    expect(message).toMatchObject({ state: 'unknown', reason: 'unreachable', provider: 'provider_a' })
    expect(await seenBy(next.key)).toEqual([])
    const id = new URLSearchParams((await seenBy(key))[0]!.body).get('id')!
    const sha1 = await sha1Of(`${id}:77011234567:1:the secret of receipts`)
    const body = new URLSearchParams({ id, phone: '77011234567', status: '1', err: '0', sha1 }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status } = await gateway.fetch('http://component/receipt/provider_a', { method: 'POST', headers, body })
    expect(status).toBe(200)
    expect(await stateOf(gateway, message!.id)).toMatchObject({ state: 'delivered', provider_id: id })
  })

  it.each(['smsc with a key, calling', 'twilio, calling', 'http with JSON, calling'])(
    'calls through %s',
    async (name) => {
      const [variables, { key }] = providerAt('A', name)
      const { json } = await smsOn(database, variables).send('POST', '/call', {
        phones: freshPhone(),
        message: '1 2 3',
      })
      expect(messagesOf({ json })).toMatchObject([{ state: 'sent' }])
      expect(await seenBy(key)).toEqual([expect.not.objectContaining({ objection: expect.anything() })])
    },
  )

  it('makes no calls through providers that cannot make calls', async () => {
    const [variables] = providerAt('A', 'vonage')
    const { status } = await smsOn(database, variables).send('POST', '/call', { phones: freshPhone(), message: '1' })
    expect(status).toBe(400)
  })
})

async function sha1Of(text: string) {
  return new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text))).toHex()
}
