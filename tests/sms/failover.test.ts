// Tests which provider is asked next if duplicates are allowed, and which one after an opt-out.
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { countOf, fresh, place } from './places.ts'
import { seenBy, server } from './providers/setting.ts'
import { subjects } from './providers/subjects.ts'
import { errorReply, freshPhone, freshPhones, messageOf, messagesOf, smsOn, target } from './support.ts'

describe.each(databases)('a message that may arrive twice on $dialect', (database) => {
  const withTwo = (first: object, second: object) =>
    smsOn(database, { SMS_FALLBACK: 'provider_b', ...first, ...second })
  const sendTo = ({ send }: ReturnType<typeof withTwo>, phone = freshPhone(), headers = {}) =>
    send('POST', '/sms', { phones: phone, message: 'Your code', allow_duplicates: true }, headers)

  it('goes to the next provider after a 5xx', async () => {
    const [a, b] = [fresh(), fresh()]
    const reply = await sendTo(withTwo(place('A', a, 'statuses=500'), place('B', b, '')))
    expect(messageOf(reply)).toMatchObject({ state: 'sent', provider: 'provider_b' })
    expect([await countOf(a), await countOf(b)]).toEqual([1, 1])
  })

  it('goes to the next provider when one hangs', async () => {
    const [a, b] = [fresh(), fresh()]
    const reply = await sendTo(withTwo(place('A', a, 'hold'), place('B', b, '')))
    expect(messageOf(reply)).toMatchObject({ state: 'sent', provider: 'provider_b' })
    expect([await countOf(a), await countOf(b)]).toEqual([1, 1])
    await fetch(target(`/release?key=${a}`))
  })

  it('returns 502 while no provider is known to have taken it, and a retry with the same key sends it', async () => {
    const [a, b] = [fresh(), fresh()]
    const gateway = withTwo(place('A', a, 'statuses=500'), place('B', b, 'statuses=400,200'))
    const [phone, headers] = [freshPhone(), { 'idempotency-key': fresh() }]

    const first = await sendTo(gateway, phone, headers)
    expect(first).toMatchObject(errorReply(502, 'sms_failed'))
    // The first provider may have sent the message. The error of the second provider does not change that.
    expect(messagesOf(first)).toMatchObject([{ state: 'unknown', provider: 'provider_a', reason: 'unavailable' }])
    expect(messageOf(await sendTo(gateway, phone, headers))).toMatchObject({ state: 'sent', provider: 'provider_b' })
    expect([await countOf(a), await countOf(b)]).toEqual([2, 2])
  })

  it('is not resent to phones that already have it if other phones do not', async () => {
    const a = fresh()
    const { send } = smsOn(database, place('A', a, 'statuses=200,500'))
    const headers = { 'idempotency-key': fresh() }
    const order = { phones: freshPhones(2), message: 'Your code', allow_duplicates: true }
    for (let n = 0; n < 2; n++) {
      const states = messagesOf(await send('POST', '/sms', order, headers)).map(({ state }) => state)
      expect(states.toSorted()).toEqual(['sent', 'unknown'])
    }
    expect(await countOf(a)).toBe(2)
  })
})

const configured = subjects.find(({ name }) => name === 'http with JSON')!.variables

describe.each(databases)('a recipient who has opted out, on $dialect', (database) => {
  const twilio = (key: string) => ({
    ...{ PROVIDER_A_DRIVER: 'twilio', PROVIDER_A_SENDER: '15005550006', PROVIDER_A_URL: `${server}/twilio/${key}` },
    ...{ PROVIDER_A_USERNAME: `AC${'0a'.repeat(16)}`, PROVIDER_A_PASSWORD: 'the token of twilio' },
  })
  const vonage = (key: string) => ({
    ...{ PROVIDER_A_DRIVER: 'vonage', PROVIDER_A_SENDER: '+15005550006', PROVIDER_A_URL: `${server}/vonage/${key}` },
    ...{ PROVIDER_A_USERNAME: 'abcd1234', PROVIDER_A_PASSWORD: 'a secret = of vonage' },
  })
  const http = (key: string) => {
    const variables = { ...configured, URL: `${server}/http/${key}/v1/messages`, STOP: 'error.code=7,opted_out' }
    return Object.fromEntries(Object.entries(variables).map(([name, value]) => [`PROVIDER_A_${name}`, value]))
  }
  const stop = { does: 'answer', answer: { status: 400, body: '{"error": {"code": "opted_out"}}', headers: {} } }

  it.each([
    ['twilio', twilio, { does: 'fail', code: '21610' }],
    ['twilio, by the state of the message', twilio, { does: 'fail', code: 'failed 21610' }],
    ['vonage', vonage, { does: 'fail', code: '7' }],
    ['http', http, stop],
  ])('gets nothing through another provider after a STOP from %s, and enters the blacklist', async (_, first, plan) => {
    const [key, b] = [fresh(), fresh()]
    await fetch(`${server}/plan/${key}`, { method: 'PUT', body: JSON.stringify(plan) })
    const { send } = smsOn(database, { SMS_FALLBACK: 'provider_b', ...first(key), ...place('B', b, '') })
    const phone = freshPhone()

    const reply = await send('POST', '/sms', { phones: phone, message: 'Sale!', allow_duplicates: true })

    const ended = { state: 'blacklisted', reason: 'unsubscribed', provider: 'provider_a' }
    expect(reply.status).toBe(200)
    expect(messagesOf(reply)).toMatchObject([ended])
    expect((await send('GET', '/messages', { phone })).json.content).toMatchObject({ messages: [ended] })
    expect((await send('GET', '/blacklist', { phone })).status).toBe(200)
    expect(messageOf(await send('POST', '/sms', { phones: phone, message: 'Sale!' }))).toMatchObject({
      state: 'blacklisted',
      provider: null,
    })
    expect([(await seenBy(key)).length, await countOf(b)]).toEqual([1, 0])

    const down = smsOn(database, {
      SMS_FALLBACK: 'provider_b',
      ...place('A', fresh(), 'statuses=500'),
      ...place('B', b, ''),
    })
    const forced = { phones: phone, message: 'Your code', force: true, allow_duplicates: true }
    expect(messagesOf(await down.send('POST', '/sms', forced))).toMatchObject([
      { state: 'unknown', provider: 'provider_a' },
    ])
    const around = await down.send('POST', '/sms', { ...forced, provider: 'provider_b' })
    expect(messagesOf(around)).toMatchObject([ended])
    expect(await countOf(b)).toBe(0)
    await send('DELETE', '/blacklist', { phone })
    expect(messageOf(await down.send('POST', '/sms', forced))).toMatchObject({ state: 'sent', provider: 'provider_b' })
  })

  it('does not blacklist the phone after other rejections of the http driver', async () => {
    const [key, b] = [fresh(), fresh()]
    const plan = { does: 'answer', answer: { status: 400, body: '{"error": {"code": 8}}', headers: {} } }
    await fetch(`${server}/plan/${key}`, { method: 'PUT', body: JSON.stringify(plan) })
    const { send } = smsOn(database, { SMS_FALLBACK: 'provider_b', ...http(key), ...place('B', b, '') })
    const phone = freshPhone()
    expect(messageOf(await send('POST', '/sms', { phones: phone, message: 'Hi' }))).toMatchObject({ state: 'sent' })
    expect((await send('GET', '/blacklist', { phone })).status).toBe(400)
  })
})
