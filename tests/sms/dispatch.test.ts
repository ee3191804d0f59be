// Tests which providers get a message, in which order, and when no other provider is asked.
import { describe, expect, it } from 'vitest'
import { dispatch } from '#sms/dispatch'
import { insertMessages } from '#sms/ledger'
import { type Provider, providerOf } from '#sms/providers'
import { databases } from '../support/databases.ts'
import { countOf, fresh, phonesAt, place, visitsOf } from './places.ts'
import { errorReply, freshPhone, freshPhones, messagesOf, smsOn, type TestedSms, target } from './support.ts'

/** A gateway with two providers, of which the second is the fallback, and the keys under which their requests are recorded. */
function withTwo(database: (typeof databases)[number], first: string, second = 'statuses=200') {
  const [a, b] = [fresh(), fresh()]
  const variables = { SMS_FALLBACK: 'provider_a, provider_b', ...place('A', a, first), ...place('B', b, second) }
  return { a, b, ...smsOn(database, variables) }
}

describe.each(databases)('sending on $dialect', (database) => {
  it('sends one provider request per message, with its phone and text', async () => {
    const { a, b, send } = withTwo(database, 'statuses=200')
    const phones = freshPhones(20)

    const reply = await send('POST', '/sms', { phones, message: 'Hello' })

    expect(messagesOf(reply).every(({ state, provider }) => state === 'sent' && provider === 'provider_a')).toBe(true)
    expect((await phonesAt(a)).toSorted()).toEqual(phones)
    expect(JSON.parse((await visitsOf(a)).visits[0]!.body)).toMatchObject({ text: 'Hello' })
    expect(await countOf(b)).toBe(0)
  })

  it('tries the next provider if the first certainly did not take the message', async () => {
    const { a, b, send } = withTwo(database, 'statuses=400')
    const phone = freshPhone()

    const reply = await send('POST', '/sms', { phones: phone, message: 'Hello' })

    expect(messagesOf(reply)).toMatchObject([{ state: 'sent', provider: 'provider_b' }])
    expect([await countOf(a), await countOf(b)]).toEqual([1, 1])
    const { json } = await send('GET', '/messages', { phone })
    expect(json.content).toMatchObject({ messages: [{ state: 'sent', provider: 'provider_b', reason: null }] })
  })

  it('starts with the provider that the request names', async () => {
    const { a, b, send } = withTwo(database, 'statuses=200', 'statuses=400')
    const reply = await send('POST', '/sms', { phones: freshPhone(), message: 'Hello', provider: 'provider_b' })
    expect(messagesOf(reply)).toMatchObject([{ state: 'sent', provider: 'provider_a' }])
    expect([await countOf(a), await countOf(b)]).toEqual([1, 1])
  })

  it('tries no other provider if the first may have taken the message', async () => {
    const { a, b, send } = withTwo(database, 'statuses=500')
    const phone = freshPhone()

    const reply = await send('POST', '/sms', { phones: phone, message: 'Hello' })

    expect(reply.status).toBe(200)
    expect(messagesOf(reply)).toMatchObject([{ state: 'unknown', provider: 'provider_a', reason: 'unavailable' }])
    expect([await countOf(a), await countOf(b)]).toEqual([1, 0])
    const { json } = await send('GET', '/messages', { phone, state: 'unknown' })
    expect(json.content).toMatchObject({ messages: [{ provider: 'provider_a', reason: 'unavailable' }] })
  })

  it('tries no other provider if the connection breaks', async () => {
    const b = fresh()
    const { send } = smsOn(database, {
      ...{ SMS_FALLBACK: 'provider_b', ...place('B', b, '') },
      ...{ PROVIDER_A_DRIVER: 'http', PROVIDER_A_URL: target('/cut') },
    })
    const reply = await send('POST', '/sms', { phones: freshPhone(), message: 'Hello' })
    expect(messagesOf(reply)).toMatchObject([{ state: 'unknown' }])
    expect(await countOf(b)).toBe(0)
  })

  it('returns 502 with reasons if certainly no provider took a message', async () => {
    const { a, b, send } = withTwo(database, 'statuses=400', 'statuses=403')
    const phones = freshPhones(2)

    const reply = await send('POST', '/sms', { phones, message: 'Hello' })

    expect(reply).toMatchObject(errorReply(502, 'sms_failed'))
    expect(messagesOf(reply)).toEqual(
      phones.map((phone) => ({
        ...{ id: expect.any(Number), phone, state: 'failed', provider: 'provider_b', provider_id: null },
        ...{ segments: 1, reason: 'forbidden' },
      })),
    )
    expect([await countOf(a), await countOf(b)]).toEqual([2, 2])
    const { json } = await send('GET', '/messages', { phone: phones[0] })
    expect(json.content).toMatchObject({ messages: [{ state: 'failed', provider: 'provider_b', reason: 'forbidden' }] })
  })

  it('returns 200 if one of many messages was sent', async () => {
    const { send } = withTwo(database, 'statuses=400,200', 'statuses=400')
    const reply = await send('POST', '/sms', { phones: freshPhones(2), message: 'Hello' })
    expect(reply.status).toBe(200)
    expect(
      messagesOf(reply)
        .map(({ state }) => state)
        .toSorted(),
    ).toEqual(['failed', 'sent'])
  })

  it('returns 200 if the remaining phones are blacklisted', async () => {
    const { send } = withTwo(database, 'statuses=400', 'statuses=400')
    const [blocked, phone] = freshPhones(2)
    await send('POST', '/blacklist', { phone: blocked })
    const reply = await send('POST', '/sms', { phones: [blocked, phone], message: 'Hello' })
    expect(reply.status).toBe(200)
    expect(messagesOf(reply)).toMatchObject([{ state: 'blacklisted' }, { state: 'failed', reason: 'rejected' }])
  })

  it('makes calls through the first provider only', async () => {
    const [a, b] = [fresh(), fresh()]
    const PROVIDER_A_CALL_URL = target(`/visit?key=${a}&statuses=400`)
    const { send } = smsOn(database, {
      ...{ SMS_FALLBACK: 'provider_b', PROVIDER_A_CALL_URL },
      ...{ ...place('A', fresh(), ''), ...place('B', b, '') },
    })
    const reply = await send('POST', '/call', { phones: freshPhone(), message: 'Hello' })
    expect(reply).toMatchObject(errorReply(502, 'call_failed'))
    expect([await countOf(a), await countOf(b)]).toEqual([1, 0])
  })

  it('waits for a throttling provider and retries it', async () => {
    const { a, b, send } = withTwo(database, 'statuses=429,429,200&retry_after=0')
    const reply = await send('POST', '/sms', { phones: freshPhone(), message: 'Hello' })
    expect(messagesOf(reply)).toMatchObject([{ state: 'sent', provider: 'provider_a' }])
    expect([await countOf(a), await countOf(b)]).toEqual([3, 0])
  })

  it('switches to the next provider if the first throttles for long or repeatedly', async () => {
    const long = withTwo(database, 'statuses=429&retry_after=60')
    const again = withTwo(database, 'statuses=429&retry_after=0')
    for (const { send } of [long, again]) {
      const reply = await send('POST', '/sms', { phones: freshPhone(), message: 'Hello' })
      expect(messagesOf(reply)).toMatchObject([{ state: 'sent', provider: 'provider_b' }])
    }
    expect([await countOf(long.a), await countOf(long.b)]).toEqual([1, 1])
    expect([await countOf(again.a), await countOf(again.b)]).toEqual([4, 1])
  })

  it('stops using a provider that rejects everything, and sends the remaining messages through the next', async () => {
    const { a, b, send } = withTwo(database, 'statuses=401')
    const phones = freshPhones(120)

    const reply = await send('POST', '/sms', { phones, message: 'Hello' })

    expect(messagesOf(reply).every(({ state, provider }) => state === 'sent' && provider === 'provider_b')).toBe(true)
    expect((await phonesAt(b)).toSorted()).toEqual(phones)
    expect(await countOf(a)).toBeLessThanOrEqual(10)
  })

  it('opens the circuit after repeated failures, and reports the untried messages as circuit_open', async () => {
    const key = fresh()
    const { send } = smsOn(database, place('A', key, 'statuses=500'))
    const phones = freshPhones(120)

    const messages = messagesOf(await send('POST', '/sms', { phones, message: 'Hello' }))

    const visited = await phonesAt(key)
    expect(visited.length).toBeGreaterThanOrEqual(5)
    expect(visited.length).toBeLessThanOrEqual(10)
    for (const { phone, state, reason, provider } of messages)
      expect([state, reason, provider]).toEqual(
        visited.includes(phone) ? ['unknown', 'unavailable', 'provider_a'] : ['failed', 'circuit_open', null],
      )
    const { json } = await send('GET', '/messages', { phone: phones.at(-1) })
    expect(json.content).toMatchObject({ messages: [{ state: 'failed', reason: 'circuit_open', provider: null }] })
  })

  it('sends at most six messages concurrently', async () => {
    const key = fresh()
    const { send } = smsOn(database, place('A', key, 'together=6'))
    const reply = await send('POST', '/sms', { phones: freshPhones(6), message: 'Hello' })
    expect(messagesOf(reply).every(({ state }) => state === 'sent')).toBe(true)
    const held = fresh()
    const slow = smsOn(database, place('A', held, 'hold'))
    const sending = slow.send('POST', '/sms', { phones: freshPhones(30), message: 'Hello' })
    for (let n = 0; n < 5; n++) {
      await expect.poll(async () => (await visitsOf(held)).open).toBe(6)
      await fetch(target(`/release?key=${held}&count=6`))
    }
    expect(messagesOf(await sending)).toHaveLength(30)
    expect(await visitsOf(held)).toMatchObject({ most: 6 })
  })

  it('records the message and its provider before it calls the provider', async () => {
    const { a, b, send } = withTwo(database, 'statuses=400', 'hold')
    const [phone] = freshPhones(1)
    const sending = send('POST', '/sms', { phones: phone, message: 'Hello' })
    await expect.poll(() => countOf(b)).toBe(1)
    expect(await countOf(a)).toBe(1)
    const { json } = await send('GET', '/messages', { phone })
    expect(json.content).toMatchObject({ messages: [{ state: 'sending', provider: 'provider_b', reason: null }] })
    await fetch(target(`/release?key=${b}`))
    expect(messagesOf(await sending)).toMatchObject([{ state: 'sent' }])
  })

  it('sends nothing after its deadline', async () => {
    const { a, sms, env } = withTwo(database, 'statuses=200')
    const common = { kind: 'sms' as const, segments: 1, provider: 'provider_a' as const, force: false }
    const rows = await insertMessages(sms, { ...common, phones: freshPhones(60) }, new Date())
    const texts = { kind: common.kind, text: 'Hello', segments: 1, keepsText: false }
    const order = { ...texts, receiptUrl: () => undefined, isForced: false, allowDuplicates: false }
    const providers = [providerOf(env, 'provider_a') as Provider]

    const { results } = await dispatch({ env, sms }, rows, order, providers, Date.now())

    expect([...results.values()].every(({ reason }) => reason === 'not_attempted')).toBe(true)
    expect(results.size).toBe(60)
    expect(await countOf(a)).toBe(0)
  })
})

describe.each(databases)('the log driver on $dialect', (database) => {
  const local = smsOn(database)
  const deployed = smsOn(database, { LOCAL: '', OPEN: 'true', PROVIDER_A_DRIVER: 'log' })
  const read = async ({ send }: TestedSms, phone: string) =>
    messagesOf(await send('GET', '/messages', { phone })) as { text?: string }[]

  it('stores texts only on a local start', async () => {
    const phone = freshPhone()
    await deployed.send('POST', '/sms', { phones: phone, message: 'Hello' })
    expect(await read(local, phone)).toEqual([expect.not.objectContaining({ text: expect.anything() })])
  })

  it('shows texts only on a local start', async () => {
    const phone = freshPhone()
    await local.send('POST', '/sms', { phones: phone, message: 'Hello' })
    expect(await read(local, phone)).toMatchObject([{ text: 'Hello' }])
    expect(await read(deployed, phone)).toEqual([expect.not.objectContaining({ text: expect.anything() })])
  })

  it('stores no text of a message that another driver sent', async () => {
    const { send } = smsOn(database, place('A', fresh(), ''))
    const phone = freshPhone()
    await send('POST', '/sms', { phones: phone, message: 'Hello' })
    expect(await read(local, phone)).toEqual([expect.not.objectContaining({ text: expect.anything() })])
  })
})
