// Tests the environment variables that select the SMS providers.
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { isFull } from '../support/tier.ts'
import { fresh, place } from './places.ts'
import { errorReply, freshPhones, messagesOf, smsOn, validationError } from './support.ts'

const database = databases[0]!
const deployed = { LOCAL: '', OPEN: 'true' }
const twilio = { PROVIDER_A_SENDER: '77010000001', PROVIDER_A_USERNAME: 'AC1', PROVIDER_A_PASSWORD: 'secret' }
const message = { phones: '77011234567', message: 'Hello' }

describe('a request that names no provider', () => {
  it.each([
    ['PROVIDER_A_DRIVER', {}],
    ['PROVIDER_B_DRIVER', { SMS_PROVIDER: 'provider_b', PROVIDER_A_DRIVER: 'log' }],
    ['PROVIDER_A_DRIVER', { PROVIDER_A_DRIVER: 'pigeon' }],
    ['PROVIDER_A_DRIVER', { PROVIDER_A_DRIVER: 'constructor' }],
    ['PROVIDER_A_PASSWORD', { PROVIDER_A_DRIVER: 'twilio', ...twilio, PROVIDER_A_PASSWORD: '' }],
    ['PROVIDER_C_DRIVER', { PROVIDER_A_DRIVER: 'log', SMS_FALLBACK: 'provider_c' }],
    ['PROVIDER_C_URL', { PROVIDER_A_DRIVER: 'log', SMS_FALLBACK: 'provider_c', PROVIDER_C_DRIVER: 'http' }],
  ])('returns 503 and names %s with %j', async (variable, variables) => {
    const { send } = smsOn(database, { ...deployed, ...variables })
    const reply = await send('POST', '/sms', message)
    expect(reply).toMatchObject(errorReply(503, 'not_configured'))
    expect(reply.json.message).toContain(variable)
    expect(JSON.stringify(reply.json)).not.toContain('secret')
  })

  it.each([
    { SMS_PROVIDER: 'log' },
    { SMS_FALLBACK: 'provider_b,provider_e' },
    { SMS_RETENTION: 'a while' },
    { SMS_RETENTION: '0' },
  ])('returns 503 with %j, and so does every other request', async (variables) => {
    const { send } = smsOn(database, variables)
    for (const reply of [await send('POST', '/sms', message), await send('GET', '/messages')]) {
      expect(reply).toMatchObject(errorReply(503, 'not_configured'))
      expect(reply.json.message).toContain(Object.keys(variables)[0])
    }
  })

  it('is sent through SMS_PROVIDER', async () => {
    const { send } = smsOn(database, { ...deployed, SMS_PROVIDER: 'provider_c', PROVIDER_C_DRIVER: 'log' })
    expect(messagesOf(await send('POST', '/sms', message))).toMatchObject([{ provider: 'provider_c' }])
  })

  it('is sent through the log driver only on a local start', async () => {
    expect(messagesOf(await smsOn(database).send('POST', '/sms', message))).toMatchObject([{ provider: 'provider_a' }])
    expect((await smsOn(database, deployed).send('POST', '/sms', message)).status).toBe(503)
  })

  it('makes calls through provider_a, and returns 400 if SMS_PROVIDER names another provider', async () => {
    const { send } = smsOn(database, { SMS_PROVIDER: 'provider_b', PROVIDER_B_DRIVER: 'log' })
    expect(await send('POST', '/call', message)).toMatchObject(validationError('provider'))
    const named = await send('POST', '/call', { ...message, provider: 'provider_a' })
    expect(messagesOf(named)).toMatchObject([{ provider: 'provider_a' }])
  })
})

describe('a request that names its provider', () => {
  it.each([
    ['has no driver', {}],
    ['has an unknown driver', { PROVIDER_B_DRIVER: 'pigeon' }],
    ['lacks a required variable', { PROVIDER_B_DRIVER: 'twilio', PROVIDER_B_USERNAME: 'AC1' }],
  ])('returns 400 if the provider %s', async (_, variables) => {
    const { send } = smsOn(database, variables)
    expect(await send('POST', '/sms', { ...message, provider: 'provider_b' })).toMatchObject(
      validationError('provider'),
    )
  })

  it('returns 400 if the provider cannot make calls', async () => {
    const { send } = smsOn(database, { ...twilio, PROVIDER_A_DRIVER: 'vonage' })
    expect(await send('POST', '/call', { ...message, provider: 'provider_a' })).toMatchObject(
      validationError('provider'),
    )
    expect(await send('POST', '/call', message)).toMatchObject(validationError('provider'))
  })
})

describe('the health report', () => {
  const healthOf = async (variables: object) => {
    const { status, json } = await smsOn(database, variables as Record<string, string>).send('GET', '/_health')
    const { dependencies } = json.content as unknown as { dependencies: Record<string, { state: string }> }
    const states = Object.entries(dependencies).map(([name, { state }]) => [name, state])
    return { status, states: Object.fromEntries(states), text: JSON.stringify(json) }
  }

  it('lists the ready providers without their credentials', async () => {
    const { status, states, text } = await healthOf({
      ...{ PROVIDER_A_DRIVER: 'twilio', ...twilio, PROVIDER_D_DRIVER: 'log' },
    })
    expect(status).toBe(200)
    expect(states).toEqual({ database: 'up', provider_a: 'up', provider_d: 'up' })
    expect(text).not.toMatch(/secret|AC1|7701/)
  })

  it('is down if a provider in use is not configured', async () => {
    const { status, states } = await healthOf({ ...deployed, SMS_FALLBACK: 'provider_b', PROVIDER_B_DRIVER: 'log' })
    expect(status).toBe(503)
    expect(states).toEqual({ database: 'up', provider_a: 'down', provider_b: 'up' })
  })
})

describe('a gateway that is not open', () => {
  const { send } = smsOn(database, { LOCAL: '', AUTH_TOKENS: 'token', PROVIDER_A_DRIVER: 'log' })
  const access = { authorization: 'Bearer token' }

  it.each([
    ['POST', '/sms'],
    ['POST', '/call'],
    ['POST', '/blacklist'],
    ['DELETE', '/blacklist'],
    ['GET', '/blacklist'],
    ['POST', '/blacklist/search'],
    ['GET', '/messages'],
    ['POST', '/messages'],
    ['GET', '/message'],
    ['POST', '/receipt/provider_a'],
    ['GET', '/receipt/provider_a'],
  ])('refuses %s %s without credentials', async (method, path) => {
    expect(await send(method, path, { ...message, phone: '77011234567' })).toMatchObject(
      errorReply(401, 'unauthorized'),
    )
    expect((await send(method, path, {}, access)).status).not.toBe(401)
  })
})

it.runIf(isFull)('leaves no phone, text or credential in the log', async () => {
  const lines: string[] = []
  const { log, error } = console
  console.log = (...given) => void lines.push(given.join(' '))
  console.error = (...given) => void lines.push(given.join(' '))
  const phones = freshPhones(20)
  const text = 'The code is 918273'
  try {
    for (const status of [200, 400, 401, 429, 500]) {
      const PROVIDER_A_PASSWORD = 'a password'
      const { send, sweep } = smsOn(database, {
        ...place('A', fresh(), `statuses=${status}&retry_after=0`),
        ...{ PROVIDER_A_USERNAME: 'a user', PROVIDER_A_PASSWORD, SMS_FALLBACK: 'provider_b', PROVIDER_B_DRIVER: 'log' },
      })
      await send('POST', '/sms', { phones, message: text })
      await send('POST', '/call', { phones: phones.slice(0, 2), message: text })
      await send('POST', '/sms', { phones: [...phones, 'x'], message: text })
      for (const method of ['POST', 'GET', 'DELETE']) await send(method, '/blacklist', { phone: phones[0] })
      await send('GET', '/messages', { phone: phones[0] })
      await sweep()
    }
  } finally {
    Object.assign(console, { log, error })
  }
  const all = lines.join('\n')
  expect(lines.length).toBeGreaterThan(100)
  expect(all).toContain(`********${phones[0]!.slice(-3)}`)
  for (const secret of [...phones.map((phone) => phone.slice(0, 8)), '918273', 'The code', 'a password', 'a user'])
    expect(all).not.toContain(secret)
})
