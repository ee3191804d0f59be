import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { api, type CoreEnv } from '#core/http/api'
import { errorCodesOf } from '#core/http/error-codes'

const bound = env as unknown as CoreEnv & { RATE_LIMIT: RateLimit }

/** The limit in the wrangler.toml of these tests. */
const limit = 2

const shop = api<CoreEnv>({ name: 'shop', title: 'Shop', description: 'Is open.' })
  .get('/window', { summary: 'Look', open: true, addressLimit: true }, () => undefined)
  .post('/window', { summary: 'Knock', open: true, addressLimit: true, raw: true }, () => undefined)
  .get('/street', { summary: 'Walk', open: true }, () => undefined)
  .otherwise(() => new Response('else'), { addressLimit: true })

const send = (path: string, address?: string, variables: Partial<CoreEnv> = {}, init: RequestInit = {}) =>
  shop.fetch(
    new Request(`http://shop.test${path}`, { ...init, headers: address ? { 'cf-connecting-ip': address } : {} }),
    { ...bound, LOCAL: 'false', OPEN: 'true', ...variables },
    createExecutionContext(),
  )

/**
 * Statuses of requests that are one more than two periods allow: a new period may begin once meanwhile, so that at least one
 * request is refused.
 */
const statusesOf = async (request: (n: number) => Promise<Response>) => {
  const statuses: number[] = []
  for (let n = 0; n < 2 * limit + 1; n++) statuses.push((await request(n)).status)
  return statuses
}

describe('an endpoint with an address limit', () => {
  it('answers 429 rate_limit with Retry-After above the limit of an address', async () => {
    const replies: Response[] = []
    const statuses = await statusesOf(async () => {
      const reply = await send('/window', '203.0.113.1')
      replies.push(reply)
      return reply
    })
    expect(statuses.slice(0, limit)).toEqual([200, 200])
    expect(statuses).toContain(429)
    const refused = replies[statuses.indexOf(429)]!
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(await refused.json()).toMatchObject({ status: false, status_code: 'rate_limit' })
    expect((await send('/window', '203.0.113.2')).status).toBe(200)
    expect((await send('/street', '203.0.113.1')).status).toBe(200)
  })

  it('counts the addresses of one IPv6 network together', async () => {
    expect(await statusesOf((n) => send('/window', `2001:db8:1:2::${n}`))).toContain(429)
    expect((await send('/window', '2001:db8:1:3::1')).status).toBe(200)
  })

  it('reads the body of a refused request', async () => {
    const statuses = await statusesOf(async () => {
      const { readable, writable } = new TransformStream<Uint8Array>()
      const writer = writable.getWriter()
      const written = writer.write(new Uint8Array(10_000)).then(() => writer.close())
      const reply = await send('/window', '203.0.113.3', {}, { method: 'POST', body: readable })
      if (reply.status === 429) await written
      else written.catch(() => undefined)
      return reply
    })
    expect(statuses).toContain(429)
  })

  it('is also that of all other paths', async () => {
    expect(await statusesOf((n) => send(`/else/${n}`, '203.0.113.4'))).toContain(429)
  })

  it.each([
    ['on a local start', '203.0.113.5', { LOCAL: 'true' }],
    ['of another Worker, which have no address', undefined, {}],
    ['without the binding', '203.0.113.6', { RATE_LIMIT: undefined }],
  ])('takes all requests %s', async (_, address, variables) => {
    expect(new Set(await statusesOf(() => send('/window', address, variables as Partial<CoreEnv>)))).toEqual(
      new Set([200]),
    )
  })

  it('declares its error', () => {
    const codesOf = (addressLimit?: true) =>
      errorCodesOf({
        ...{ method: 'get', path: '/a', summary: 'A', open: true, handler: () => undefined },
        ...(addressLimit && { addressLimit }),
      })
    expect(codesOf(true)).toContain('rate_limit')
    expect(codesOf()).not.toContain('rate_limit')
  })
})
