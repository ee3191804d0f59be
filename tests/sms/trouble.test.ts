// Tests the SMS gateway when its database fails, or when a retry has taken over the request: which providers it still asks.
import { describe, expect, it } from 'vitest'
import type { Failure } from '#core/failure'
import { sendMessages } from '#sms/messages'
import { databases } from '../support/databases.ts'
import { isFast } from '../support/tier.ts'
import { countOf, fresh, phonesAt, place } from './places.ts'
import { freshPhone, freshPhones, messagesOf, smsOn } from './support.ts'

const ctx = { waitUntil: () => undefined } as unknown as ExecutionContext

describe.each(databases)('failures on $dialect', (database) => {
  it('sends nothing if a retry has replaced the request', async () => {
    const key = fresh()
    const { env, send } = smsOn(database, place('A', key, ''))
    const request = { kind: 'sms' as const, phones: freshPhones(60), message: 'Hello', force: false }
    const markPointOfNoReturn = () => Promise.reject(new Error('somebody else'))

    await expect(sendMessages(env, request, { ctx, base: 'http://sms', markPointOfNoReturn })).rejects.toThrow(
      'somebody else',
    )

    expect(await countOf(key)).toBe(0)
    for (const phone of [request.phones[0], request.phones[59]]) {
      const { json } = await send('GET', '/messages', { phone })
      expect(json.content).toMatchObject({ messages: [{ state: 'failed', reason: 'not_attempted', provider: null }] })
    }
  })

  it('commits before the first message, and does not commit if none is sent', async () => {
    const key = fresh()
    const { env, send } = smsOn(database, place('A', key, ''))
    const [blocked, phone] = freshPhones(2) as [string, string]
    await send('POST', '/blacklist', { phone: blocked })
    const counts: number[] = []
    const markPointOfNoReturn = async () => void counts.push(await countOf(key))
    const request = { kind: 'sms' as const, message: 'Hello', force: false }

    await sendMessages(env, { ...request, phones: [blocked] }, { ctx, base: 'http://sms', markPointOfNoReturn })
    expect(counts).toEqual([])
    await sendMessages(env, { ...request, phones: [blocked, phone] }, { ctx, base: 'http://sms', markPointOfNoReturn })
    expect(counts).toEqual([0])
    expect(await phonesAt(key)).toEqual([phone])
  })

  it('returns a 502 that reports that nothing took effect', async () => {
    const { env } = smsOn(database, place('A', fresh(), 'statuses=400'))
    const request = { kind: 'call' as const, phones: [freshPhone()], message: 'Hello', force: false }
    const failure: Failure = await sendMessages(env, request, {
      ctx,
      base: 'http://sms',
      markPointOfNoReturn: async () => undefined,
    }).then(
      () => expect.unreachable(),
      (error) => error,
    )
    expect(failure).toMatchObject({ code: 'call_failed', undone: true })
  })
})

/** A D1 database in which statements that match a pattern fail while `fails` is set. */
function failing(database: D1Database, pattern: RegExp) {
  const state = { fails: false }
  const DB = new Proxy(database, {
    get(target, name) {
      if (name === 'prepare')
        return (sql: string) => target.prepare(state.fails && pattern.test(sql) ? 'SELECT nothing FROM nowhere' : sql)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return Object.assign(state, { DB })
}

describe.runIf(isFast)('a ledger that cannot be written', () => {
  const { DB: bound } = { ...databases.find((database) => 'DB' in database) } as { DB: D1Database }

  it('still returns the true outcome', async () => {
    const key = fresh()
    const broken = failing(bound, /^\s*UPDATE/i)
    const { send } = smsOn({ dialect: 'D1', DB: broken.DB }, place('A', key, ''))
    const phone = freshPhone()
    broken.fails = true

    const reply = await send('POST', '/sms', { phones: phone, message: 'Hello' })

    expect(messagesOf(reply)).toMatchObject([{ phone, state: 'sent' }])
    expect(await countOf(key)).toBe(1)
    const { json } = await send('GET', '/messages', { phone })
    expect(json.content).toMatchObject({ messages: [{ state: 'sending' }] })
  })

  it('calls no provider for messages that could not be inserted', async () => {
    const key = fresh()
    const broken = failing(bound, /^\s*INSERT/i)
    const { send } = smsOn({ dialect: 'D1', DB: broken.DB }, place('A', key, ''))
    broken.fails = true
    expect((await send('POST', '/sms', { phones: freshPhone(), message: 'Hello' })).status).toBe(500)
    expect(await countOf(key)).toBe(0)
  })

  it('calls no provider for unclaimed messages, and no next provider for unrecorded outcomes', async () => {
    const [a, b] = [fresh(), fresh()]
    const broken = failing(bound, /^\s*UPDATE/i)
    const { send } = smsOn(
      { dialect: 'D1', DB: broken.DB },
      { ...place('A', a, 'statuses=400'), ...place('B', b, ''), SMS_FALLBACK: 'provider_b' },
    )
    broken.fails = true
    const phones = freshPhones(60)

    const messages = messagesOf(await send('POST', '/sms', { phones, message: 'Hello' }))

    expect(messages.slice(0, 50).every(({ reason }) => reason === 'rejected')).toBe(true)
    expect(messages.slice(50).every(({ reason }) => reason === 'not_attempted')).toBe(true)
    expect([await countOf(a), await countOf(b)]).toEqual([50, 0])
  })
})
