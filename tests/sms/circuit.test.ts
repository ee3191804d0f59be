// Tests the circuit breaker of an SMS provider: its durable object, and its cache in an isolate.
import { evictDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { OutcomeReport } from '#core/outlets/circuit'
import { CircuitBreaker } from '#sms/breaker'
import { databases } from '../support/databases.ts'
import { countOf, fresh, place } from './places.ts'
import { errorReply, freshPhone, messageOf, messagesOf, smsOn } from './support.ts'

const database = databases[0]!
const second = 1_000

const { circuit: circuitBy } = smsOn(database)
const freshCircuit = () => circuitBy(fresh())
type Circuit = ReturnType<typeof freshCircuit>

const failures = (count: number): OutcomeReport => ({ hasSuccess: false, failures: count })
const success: OutcomeReport = { hasSuccess: true, failures: 0 }
const probe = (isRight: boolean): OutcomeReport => ({ ...(isRight ? success : failures(1)), isProbe: true })

describe('the circuit breaker of a provider', () => {
  const now = Date.now()
  const opened = async () => {
    const circuit = freshCircuit()
    await circuit.report(failures(5), now)
    return circuit
  }

  it('starts closed and admits all messages', async () => {
    const circuit = freshCircuit()
    for (let n = 0; n < 10; n++) expect(await circuit.admit()).toMatchObject({ isAdmitted: true, isProbe: false })
    expect(await circuit.view()).toEqual({ state: 'closed', failures: 0, retryAfterMs: 0 })
  })

  it('opens after five failures in a row, across all reporting isolates', async () => {
    const circuit = freshCircuit()
    await circuit.report(failures(2), now)
    expect(await circuit.report(failures(2), now)).toMatchObject({ state: 'closed', failures: 4 })
    expect(await circuit.report(failures(1), now)).toEqual({ state: 'open', failures: 5, retryAfterMs: 10 * second })
    expect(await circuit.admit(now + 9 * second)).toMatchObject({ isAdmitted: false, retryAfterMs: second })
  })

  it('resets the failure count after a success', async () => {
    const circuit = freshCircuit()
    await circuit.report(failures(4), now)
    expect(await circuit.report({ hasSuccess: true, failures: 3 }, now)).toMatchObject({ state: 'closed', failures: 3 })
    await circuit.report(success, now)
    expect(await circuit.report(failures(4), now)).toMatchObject({ state: 'closed', failures: 4 })
  })

  it('admits one probe of many concurrent messages while it is half-open', async () => {
    const circuit = await opened()
    const admissions = await Promise.all(Array.from({ length: 20 }, () => circuit.admit(now + 10 * second)))
    expect(admissions.filter(({ isAdmitted }) => isAdmitted)).toMatchObject([{ state: 'half_open', isProbe: true }])
  })

  it('closes when the probe succeeds', async () => {
    const circuit = await opened()
    await circuit.admit(now + 10 * second)
    expect(await circuit.report(probe(true), now + 11 * second)).toMatchObject({ state: 'closed', failures: 0 })
    expect(await circuit.admit(now + 11 * second)).toMatchObject({ isAdmitted: true, isProbe: false })
  })

  it('doubles its open time with each failed probe, up to a minute', async () => {
    const circuit = await opened()
    let at = now + 10 * second
    for (const seconds of [20, 40, 60, 60]) {
      expect(await circuit.admit(at)).toMatchObject({ isProbe: true })
      expect(await circuit.report(probe(false), at)).toMatchObject({ state: 'open', retryAfterMs: seconds * second })
      at += seconds * second
    }
  })

  it('does not count results of messages that started before it opened', async () => {
    const circuit = await opened()
    expect(await circuit.report(success, now + second)).toMatchObject({ state: 'open', retryAfterMs: 9 * second })
    expect(await circuit.report(failures(3), now + second)).toMatchObject({ state: 'open', retryAfterMs: 9 * second })
  })

  it('admits another probe if the first one never reports its result', async () => {
    const circuit = await opened()
    await circuit.admit(now + 10 * second)
    expect(await circuit.admit(now + 29 * second)).toMatchObject({ isAdmitted: false })
    expect(await circuit.admit(now + 30 * second)).toMatchObject({ isProbe: true })
  })

  it('stays open after its Durable Object restarts', async () => {
    const circuit = await opened()
    await evictDurableObject(circuit)
    expect(await circuit.view(now + second)).toMatchObject({ state: 'open', failures: 5 })
  })
})

/** A circuit that counts the calls of its durable object. */
function counted(circuit: Circuit) {
  const calls = { admit: 0, report: 0 }
  const counting = {
    admit: () => {
      calls.admit++
      return circuit.admit()
    },
    report: (report: OutcomeReport) => {
      calls.report++
      return circuit.report(report)
    },
  }
  return { calls, breaker: new CircuitBreaker(() => counting) }
}

describe('the copy of a circuit in an isolate', () => {
  it('makes no call per message while the provider is healthy', async () => {
    const { calls, breaker } = counted(freshCircuit())
    await breaker.admit()
    for (let n = 0; n < 100; n++) {
      expect(breaker.admitCached() ?? (await breaker.admit())).toMatchObject({ isAdmitted: true })
      await breaker.count(false, false)
    }
    await breaker.flush()
    expect(calls.report).toBe(0)
    expect(calls.admit).toBeLessThan(20)
  })

  it('is refreshed within a second while another isolate probes the provider', async () => {
    const circuit = freshCircuit()
    const now = Date.now()
    await circuit.report(failures(5), now)
    expect(await circuit.admit(now + 10 * second)).toMatchObject({ isProbe: true })
    const breaker = new CircuitBreaker(() => ({
      admit: () => circuit.admit(now + 11 * second),
      report: (report) => circuit.report(report),
    }))
    expect(await breaker.admit()).toMatchObject({ isAdmitted: false, state: 'half_open' })
    expect(breaker.retryAfterMs).toBeLessThanOrEqual(second)
  })

  it('reports results in batches', async () => {
    const circuit = freshCircuit()
    const { calls, breaker } = counted(circuit)
    await breaker.admit()
    for (let n = 0; n < 40; n++) await breaker.count(n % 2 === 0, false)
    await breaker.flush()
    expect(calls.report).toBeLessThan(20)
    expect(await circuit.view()).toMatchObject({ state: 'closed', failures: 0 })
  })

  it('opens at once with the fifth failure', async () => {
    const circuit = freshCircuit()
    const { breaker } = counted(circuit)
    const reports = Array.from({ length: 5 }, () => breaker.count(true, false))
    expect(breaker.retryAfterMs).toBeGreaterThan(0)
    await Promise.all(reports)
    expect(await circuit.view()).toMatchObject({ state: 'open', failures: 5 })
  })

  it('includes the failures that other isolates reported', async () => {
    const circuit = freshCircuit()
    const [one, other] = [counted(circuit).breaker, counted(circuit).breaker]
    for (let n = 0; n < 3; n++) await one.count(true, false)
    await one.flush()
    expect(await other.admit()).toMatchObject({ isAdmitted: true, failures: 3 })
    await other.count(true, false)
    await other.count(true, false)
    expect(await one.admit()).toMatchObject({ isAdmitted: false, state: 'open' })
  })

  it('admits messages while the object does not answer, and opens after its own failures', async () => {
    const breaker = new CircuitBreaker(() => {
      throw new Error('overloaded')
    })
    expect(await breaker.admit()).toMatchObject({ isAdmitted: true, isProbe: false })
    for (let n = 0; n < 5; n++) await breaker.count(true, false)
    expect(breaker.admitCached()).toMatchObject({ isAdmitted: false })
  })
})

describe.each(databases)('a gateway on $dialect', (database) => {
  const withTwo = (first: string, more: object = {}) => {
    const [a, b] = [fresh(), fresh()]
    const variables = { SMS_FALLBACK: 'provider_b', ...place('A', a, first), ...place('B', b, '') }
    return { a, b, ...smsOn(database, { ...variables, ...more }) }
  }

  it('opens the circuit across requests with one phone each, then sends through the next provider', async () => {
    const { a, b, send } = withTwo('statuses=500')
    const states: unknown[] = []
    for (let n = 0; n < 8; n++) {
      const { state, provider } = messageOf(await send('POST', '/sms', { phones: freshPhone(), message: 'Hello' }))
      states.push([state, provider])
    }
    expect(states.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => ['unknown', 'provider_a']))
    expect(states.slice(5)).toEqual(Array.from({ length: 3 }, () => ['sent', 'provider_b']))
    expect([await countOf(a), await countOf(b)]).toEqual([5, 3])
  })

  it('sends a probe to the provider, and closes the circuit when the probe succeeds', async () => {
    const { a, send, circuit } = withTwo('statuses=200')
    const past = Date.now() - 11 * second
    await circuit('provider_a').report(failures(5), past)
    expect(messageOf(await send('POST', '/sms', { phones: freshPhone(), message: 'Hello' }))).toMatchObject({
      state: 'sent',
      provider: 'provider_a',
    })
    expect(await countOf(a)).toBe(1)
    expect(await circuit('provider_a').view()).toEqual({ state: 'closed', failures: 0, retryAfterMs: 0 })
  })

  it('fails a message with circuit_open and Retry-After while all circuits are open', async () => {
    const { a, b, fetch, send, circuit } = withTwo('statuses=200')
    for (const code of ['provider_a', 'provider_b']) await circuit(code).report(failures(5))
    const phone = freshPhone()

    const body = JSON.stringify({ phones: phone, message: 'Hello' })
    const response = await fetch('http://component/sms', { method: 'POST', body })

    expect(response.status).toBe(502)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    const json = await response.json<Record<string, never>>()
    expect({ status: 502, json }).toMatchObject(errorReply(502, 'sms_failed'))
    expect(messagesOf({ json })).toMatchObject([{ state: 'failed', reason: 'circuit_open', provider: null }])
    expect([await countOf(a), await countOf(b)]).toEqual([0, 0])
    const listed = await send('GET', '/messages', { phone })
    expect(listed.json.content).toMatchObject({ messages: [{ state: 'failed', reason: 'circuit_open' }] })
  })

  it('shows the circuit states in the health report to authorized callers', async () => {
    const { send, circuit } = withTwo('statuses=200', { AUTH_TOKENS: 'token', LOCAL: '' })
    await circuit('provider_a').report(failures(5))
    const { status, json } = await send('GET', '/_health', {}, { authorization: 'Bearer token' })
    expect(status).toBe(503)
    expect(json.content).toMatchObject({
      dependencies: {
        provider_a: { state: 'down', circuit: 'open', retry_after: expect.any(Number) },
        provider_b: { state: 'up', circuit: 'closed' },
      },
    })
    const open = await send('GET', '/_health')
    expect(open.json).toEqual({ status: true, content: { state: 'up' } })
  })
})
