// Tests that an SMS or call with an `Idempotency-Key` is sent once, and again after a 502.
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { countOf, fresh, place } from './places.ts'
import { errorReply, freshPhone, messagesOf, smsOn, target } from './support.ts'

describe.each(databases)('an idempotency key on $dialect', (database) => {
  /** A gateway whose provider replies to texts and calls as `query` says, and the key under which its requests are recorded. */
  const gatewayWith = (query: string) => {
    const key = fresh()
    const PROVIDER_A_CALL_URL = target(`/visit?key=${key}&${query}`)
    return { key, ...smsOn(database, { ...place('A', key, query), PROVIDER_A_CALL_URL }) }
  }

  it.each(['/sms', '/call'])('sends once for many concurrent requests to POST %s', async (path) => {
    const { key, send } = gatewayWith('statuses=200')
    const phone = freshPhone()
    const post = () => send('POST', path, { phones: phone, message: 'Hello' }, { 'idempotency-key': `many${key}` })

    const replies = await Promise.all(Array.from({ length: 100 }, post))

    expect(await countOf(key)).toBe(1)
    const first = replies.find(({ status }) => status === 200)!
    for (const reply of replies) {
      if (reply.status === 200) expect(reply).toEqual(first)
      else expect(reply).toMatchObject(errorReply(409, 'idempotency_key_in_use'))
    }
    expect(await post()).toEqual(first)
    expect(await countOf(key)).toBe(1)
    const { json } = await send('GET', '/messages', { phone })
    expect(messagesOf({ json })).toHaveLength(1)
  })

  it('replays an unknown outcome', async () => {
    const { key, send } = gatewayWith('statuses=500,200')
    const body = { phones: freshPhone(), message: 'Hello' }
    const post = () => send('POST', '/sms', body, { 'idempotency-key': `u${key}` })
    const first = await post()
    expect(messagesOf(first)).toMatchObject([{ state: 'unknown' }])
    expect(await post()).toEqual(first)
    expect(await countOf(key)).toBe(1)
  })

  it('lets a retry send again if certainly no provider took a message', async () => {
    const { key, send } = gatewayWith('statuses=400,200')
    const body = { phones: freshPhone(), message: 'Hello' }
    const post = () => send('POST', '/sms', body, { 'idempotency-key': `f${key}` })

    expect(await post()).toMatchObject(errorReply(502, 'sms_failed'))
    const second = await post()
    expect(messagesOf(second)).toMatchObject([{ state: 'sent' }])
    expect(await post()).toEqual(second)

    expect(await countOf(key)).toBe(2)
    const { json } = await send('GET', '/messages', { phone: body.phones })
    expect(messagesOf({ json }).map(({ state }) => state)).toEqual(['sent', 'failed'])
  })

  it('refuses a different request', async () => {
    const { key, send } = gatewayWith('statuses=200')
    const headers = { 'idempotency-key': `o${key}` }
    await send('POST', '/sms', { phones: freshPhone(), message: 'Hello' }, headers)
    const other = await send('POST', '/sms', { phones: freshPhone(), message: 'Hello' }, headers)
    expect(other).toMatchObject(errorReply(409, 'idempotency_key_reused'))
    expect(await countOf(key)).toBe(1)
  })

  it('can be reused after a refused request', async () => {
    const { key, send } = gatewayWith('statuses=200')
    const headers = { 'idempotency-key': `r${key}` }
    expect((await send('POST', '/sms', { phones: 'x', message: 'Hello' }, headers)).status).toBe(400)
    expect((await send('POST', '/sms', { phones: freshPhone(), message: 'Hello' }, headers)).status).toBe(200)
  })
})
