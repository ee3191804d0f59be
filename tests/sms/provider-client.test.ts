// Tests how one request uses an SMS provider: circuit breaker, retries and deadline.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Env } from '#sms/bindings'
import { CircuitBreaker } from '#sms/breaker'
import { Pacer } from '#sms/pacer'
import { ProviderClient } from '#sms/provider-client'
import type { Provider } from '#sms/providers'
import type { Message, ProviderOutcome } from '#sms/providers/driver'
import { fresh } from './places.ts'

const bound = env as unknown as Env

describe('a provider during a request', () => {
  const message = { id: '1', kind: 'sms', phone: '77011234567', text: 'Hello', receiptUrl: undefined } as Message
  const inOneMinute = () => Date.now() + 60_000
  const account = {
    code: 'provider_a',
    sender: '',
    username: '',
    password: '',
    url: undefined,
    variable: () => undefined,
  }

  const clientOf = (send: Provider['driver']['send']) => {
    const circuit = bound.PROVIDER_CIRCUIT.getByName(fresh())
    const provider: Provider = { code: 'provider_a', isLog: false, account, driver: { kinds: ['sms'], send } }
    return new ProviderClient(provider, new CircuitBreaker(() => circuit))
  }

  const attempt = (until = inOneMinute()) => ({ until, timeoutMs: 1_000, isProbe: false })

  it('may have sent the message if its driver throws', async () => {
    const client = clientOf(() => Promise.reject(new Error('a bug')))
    expect(await client.send(message, attempt())).toEqual({ state: 'unknown', reason: 'unreadable' })
  })

  it('is used until it fails five times in a row', async () => {
    const answers = [
      'unknown',
      'refused',
      'unknown',
      'refused',
      'sent',
      'refused',
      'unknown',
      'refused',
      'unknown',
      'refused',
    ]
    const outcomes = answers
      .map((state) => ({ state, reason: 'unreachable', provider_id: null }) as ProviderOutcome)
      .values()
    const client = clientOf(async () => outcomes.next().value!)
    for (const _ of answers.slice(1)) {
      expect(await client.send(message, attempt())).toBeDefined()
      expect(client.retryAfterMs).toBe(0)
    }
    await client.send(message, attempt())
    expect(client.retryAfterMs).toBeGreaterThan(0)
    expect(await client.send(message, attempt())).toBeUndefined()
  })

  it('stays in use while it rejects phones and texts', async () => {
    const client = clientOf(async () => ({ state: 'refused', reason: 'phone' }))
    for (let n = 0; n < 10; n++) await client.send(message, attempt())
    expect(client.retryAfterMs).toBe(0)
  })

  it('is not called after the deadline, and a wait does not exceed the deadline', async () => {
    let callCount = 0
    const client = clientOf(async () => {
      callCount++
      return { state: 'refused', reason: 'throttled', retryAfter: 10 }
    })
    expect(await client.send(message, attempt(Date.now()))).toBeUndefined()
    expect(callCount).toBe(0)
    expect(await client.send(message, attempt(Date.now() + 1_000))).toMatchObject({ reason: 'throttled' })
    expect(await client.send(message, attempt(Date.now() + 1_000))).toBeUndefined()
    expect(callCount).toBe(1)
  })

  it('is waited for at most ten seconds, shared by all requests of one isolate', async () => {
    let callCount = 0
    const pacer = new Pacer()
    const provider: Provider = {
      ...{ code: 'provider_a', isLog: false, account },
      driver: {
        kinds: ['sms'],
        send: async () => {
          callCount++
          return { state: 'sent', provider_id: null }
        },
      },
    }
    const circuit = bound.PROVIDER_CIRCUIT.getByName(fresh())
    const clients = Array.from(
      { length: 2 },
      () => new ProviderClient(provider, new CircuitBreaker(() => circuit), pacer),
    )
    pacer.throttled(Date.now(), 60_000)
    for (const client of clients)
      expect(await client.send(message, attempt(Date.now() + 300_000))).toMatchObject({
        state: 'refused',
        reason: 'throttled',
        retryAfter: expect.any(Number),
      })
    expect(callCount).toBe(0)
  })
})
