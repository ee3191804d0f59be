// Tests the circuit breaker and the adaptive rate of an SMTP server, as a state machine and with a failing server.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Env } from '#email/bindings'
import { OutletState } from '#email/outlet/outlet-state'
import type { SmtpOutlet } from '#email/outlet/smtp-outlet'
import { SmtpFailure, type SmtpStep } from '#email/smtp/failure'
import { type Sender, senderTo } from './support.ts'

const outlets = (env as unknown as Env).OUTLET

/** Runs `work` with the state of a new durable object. `stored` returns the state after a restart of the object. */
const withState = (work: (state: OutletState, stored: () => OutletState) => void) =>
  runInDurableObject(outlets.getByName(crypto.randomUUID()), (_: SmtpOutlet, { storage }) =>
    work(new OutletState(storage.kv), () => new OutletState(storage.kv)),
  )

const lost = new SmtpFailure('connect', 'lost')
const refusal = (step: SmtpStep, code: number, enhanced: string | null = null) =>
  new SmtpFailure(step, 'refused', { code, enhanced, text: 'no' })

const admit = (state: OutletState, now: number) => {
  const admission = state.admit(now)
  if ('reason' in admission) throw new Error(`held: ${admission.reason}`)
  return admission
}

const fail = (state: OutletState, now: number, failure = lost) => state.recordFailure(admit(state, now), failure, now)

const openCircuit = (state: OutletState) => {
  for (let n = 0; n < 5; n++) fail(state, 1_000)
}

describe('the circuit', () => {
  it('opens after five failures in a row, also for the object after a restart', () =>
    withState((state, stored) => {
      openCircuit(state)
      for (const one of [state, stored()])
        expect(one.admit(2_000)).toEqual({ reason: 'circuit_open', retryAfterMs: 9_000 })
    }))

  it('stays closed if a mail between the failures is accepted, or rejected because of its recipient', () =>
    withState((state) => {
      for (let n = 0; n < 12; n++) {
        fail(state, 1_000)
        if (n % 4 === 1) state.recordSuccess(admit(state, 1_000), 1_000)
        if (n % 4 === 3) fail(state, 1_000, refusal('recipients', 550, '5.1.1'))
      }
      expect(state.view(1_000).circuit.state).toBe('closed')
    }))

  it('allows one probe at a time when it is half open, and closes if the server answers', () =>
    withState((state) => {
      openCircuit(state)
      const probe = admit(state, 12_000)
      expect(state.admit(12_000)).toMatchObject({ reason: 'circuit_open' })
      state.recordSuccess(probe, 12_500)
      expect(state.view(12_500).circuit).toEqual({ state: 'closed', failures: 0, retryAfterMs: 0 })
      admit(state, 12_500)
    }))

  it('stays open for twice as long after a failed probe', () =>
    withState((state) => {
      openCircuit(state)
      fail(state, 12_000)
      expect(state.admit(12_000)).toEqual({ reason: 'circuit_open', retryAfterMs: 20_000 })
    }))

  it('allows another probe if the first one did not reach the server', () =>
    withState((state) => {
      openCircuit(state)
      state.release(admit(state, 12_000))
      expect(admit(state, 12_000)).toMatchObject({ isProbe: true })
    }))

  it('can be probed at once on request', () =>
    withState((state) => {
      openCircuit(state)
      state.allowProbe()
      expect(admit(state, 1_001)).toMatchObject({ isProbe: true })
    }))
})

describe('the rate', () => {
  it('is 4 mails per second after the first throttling, and half after each further one', () =>
    withState((state, stored) => {
      fail(state, 1_000, refusal('greeting', 421))
      expect(state.view(1_000).rate).toBe(4)
      expect(admit(state, 1_000)).toMatchObject({ waitMs: 250 })
      expect(admit(state, 1_000)).toMatchObject({ waitMs: 500 })
      fail(state, 2_000, refusal('message', 451, '4.3.2'))
      expect(state.view(2_000).rate).toBe(2)
      expect(stored().view(2_000).rate).toBe(2)
    }))

  it('is halved once for mails that were throttled together', () =>
    withState((state) => {
      const together = [admit(state, 1_000), admit(state, 1_000), admit(state, 1_000)]
      for (const one of together) state.recordFailure(one, refusal('sender', 451), 1_500)
      expect(state.view(1_500).rate).toBe(4)
    }))

  it('grows with each accepted mail, until there is no limit', () =>
    withState((state, stored) => {
      fail(state, 1_000, refusal('greeting', 421))
      for (let now = 2_000; now < 202_000; now += 1_000) state.recordSuccess(admit(state, now), now)
      expect(state.view(202_000).rate).toBeNull()
      expect(stored().view(202_000).rate).toBeNull()
    }))

  it('makes a mail wait at most 10 s', () =>
    withState((state) => {
      for (let now = 1_000; now < 600_000; now += 60_000) fail(state, now, refusal('greeting', 421))
      admit(state, 700_000)
      expect(state.admit(700_000)).toMatchObject({ reason: 'throttled', retryAfterMs: 20_000 })
    }))

  it.each([
    ['recipients', 450, null],
    ['recipients', 451, '4.7.1'],
    ['recipients', 452, '4.2.2'],
    ['message', 451, '4.7.1'],
  ] as const)('is not lowered by a reply about a recipient or a policy: %s %d %s', (step, code, enhanced) =>
    withState((state) => {
      fail(state, 1_000, refusal(step, code, enhanced))
      expect(state.view(1_000).rate).toBeNull()
    }),
  )
})

describe('a server that fails', () => {
  const unreachable = (variables: Partial<Env> = {}) =>
    senderTo({ fault: { at: 'greeting', how: '554 no service' } }, variables)

  const outletOf = ({ port }: Sender) => outlets.getByName(`default/127.0.0.1:${port}#0`)

  it('gets no connection while its circuit is open', async () => {
    const server = await unreachable()
    for (let n = 0; n < 5; n++) expect(await server.send()).toMatchObject({ json: { content: { step: 'greeting' } } })
    const { status, json } = await server.send()
    expect({ status, json }).toMatchObject({
      status: 502,
      json: { status_code: 'smtp_failed', content: { step: 'circuit_open' } },
    })
    expect(await server.see()).toMatchObject({ connections: 5 })
  })

  it('gets the mail that was held, with the same idempotency key, when its circuit is closed', async () => {
    const server = await senderTo({ fault: Array(5).fill({ at: 'greeting', how: '554 no service' }) })
    for (let n = 0; n < 5; n++) await server.send()
    const key = crypto.randomUUID()
    expect(await server.send({}, key)).toMatchObject({ status: 502, json: { content: { step: 'circuit_open' } } })
    expect(await server.ask('POST', '/outlet/probe', { name: 'default' })).toMatchObject({ status: 200 })
    expect(await server.send({}, key)).toMatchObject({ status: 201 })
    expect(await server.send()).toMatchObject({ status: 201 })
    expect(await outletOf(server).view()).toMatchObject({ circuit: { state: 'closed' }, lastError: { code: 554 } })
  })

  it('gets no mail while it is paused', async () => {
    const server = await senderTo()
    await outletOf(server).setPaused(true)
    expect(await server.send()).toMatchObject({ status: 502, json: { content: { step: 'paused' } } })
    await outletOf(server).setPaused(false)
    expect(await server.send()).toMatchObject({ status: 201 })
  })
})
