// Tests the limit of mails in progress, which keeps their bodies from filling the Worker's memory.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Env } from '#email/bindings'
import { withConcurrencyLimit } from '#email/concurrency-limit'
import { email } from '#email/index'
import { letter, senderTo } from './support.ts'

const pending: Promise<unknown>[] = []
const context = { waitUntil: (promise: Promise<unknown>) => pending.push(promise) } as never

const large = 300_000

/**
 * The email component with room for one large mail at a time, whose other requests wait for up to `waitTimeoutMs`, and its SMTP
 * server.
 */
async function narrow(waitTimeoutMs: number, variables: Partial<Env> = {}) {
  const server = await senderTo({ holds: true })
  const { port } = server
  const component = withConcurrencyLimit(email, { maxBytes: { large, small: 100_000 }, waitTimeoutMs })
  const own = { ...env, SMTP_HOST: '127.0.0.1', SMTP_PORT: String(port), ...variables } as unknown as Env
  const send = (size: number, headers: Record<string, string> = {}) => {
    const body = JSON.stringify({ ...letter, text: 'x'.repeat(size) })
    const request = { method: 'POST', body, headers: { 'content-length': String(body.length), ...headers } }
    return component.fetch(new Request('http://email/smtp', request), own, context)
  }
  return { ...server, send }
}

it('queues large mails one after another, and returns 503 after the timeout', async () => {
  const origin = 'https://app.example.com'
  const { send, see, release } = await narrow(50, { CORS_ORIGINS: origin })
  const first = send(large - 1_000)
  await expect.poll(async () => (await see()).held).toBe(1)
  const second = await send(large - 1_000, { 'x-request-id': 'mine', origin })
  expect(second.status).toBe(503)
  const expected = { 'retry-after': '5', 'x-request-id': 'mine', 'access-control-allow-origin': origin }
  expect(Object.fromEntries(second.headers)).toMatchObject(expected)
  expect(await second.json()).toMatchObject({ status: false, status_code: 'unavailable' })
  await release()
  expect((await first).status).toBe(201)
  expect((await see()).mails).toHaveLength(1)
})

it('admits a waiting mail when memory is free', async () => {
  const { send, see, release } = await narrow(60_000)
  const first = send(large - 1_000)
  await expect.poll(async () => (await see()).held).toBe(1)
  const second = send(large - 1_000)
  await release()
  expect([(await first).status, (await second).status]).toEqual([201, 201])
})

it('sends small mails while a large one is being sent', async () => {
  const { send, see, release } = await narrow(50)
  const first = send(large - 1_000)
  await expect.poll(async () => (await see()).held).toBe(1)
  const second = send(10)
  await expect.poll(async () => (await see()).held).toBe(2)
  await release()
  expect([(await first).status, (await second).status]).toEqual([201, 201])
})

it('frees the memory of a refused mail', async () => {
  const { send, release } = await narrow(50)
  await release()
  expect((await send(large - 1_000, { 'idempotency-key': '' })).status).toBe(400)
  expect((await send(large - 1_000)).status).toBe(201)
})

it('reserves no memory for unauthorized requests', async () => {
  const { send } = await narrow(0, { AUTH_TOKENS: 'secret' })
  const statuses = await Promise.all([send(large - 1_000), send(large - 1_000)])
  expect(statuses.map(({ status }) => status)).toEqual([401, 401])
})
