import { createExecutionContext } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { expose, exposition } from '#core/metrics/exposition'
import type { Family } from '#core/metrics/families'
import gateway from '#gateway/index'
import { parseExposition, sampleOf } from '../support/exposition.ts'
import { bind, broken, silent } from './services.ts'

const families = new Map<string, Family>([
  ['quartermaster_requests_total', { name: 'quartermaster_requests_total', help: 'All.', type: 'counter' }],
])

const textOf = (component: string, n: number) => {
  const series = [{ family: 'quartermaster_requests_total', labels: 'route="/"', values: [n] }]
  return expose(component, families, series, [{ name: `depth`, help: 'How many.', samples: [{ value: n }] }])
}

/** A component that has counted so much, and shows it to who has the token. */
const metered = (name: string, n: number) => ({
  ...broken,
  async fetch(input: RequestInfo | URL) {
    const { headers, url } = input as Request
    const path = name === 'catcher' ? '/_requests_/_metrics' : '/_metrics'
    if (new URL(url).pathname !== path) return new Response(null, { status: 404 })
    const has = headers.get('authorization') === 'Bearer secret' || headers.get('api-secret') === name
    if (!has) return Response.json({ status: false }, { status: 401 })
    return new Response(textOf(name, n), { headers: { 'content-type': exposition } })
  },
})

const refusing = (status: number) => ({ ...broken, fetch: async () => new Response(null, { status }) })

const ask = (services: Record<string, object>, headers: Record<string, string> = {}, method = 'GET') =>
  gateway.fetch(
    new Request('http://host/_metrics', { headers, method }) as Parameters<typeof gateway.fetch>[0],
    bind(services),
    createExecutionContext(),
  )

const authorization = 'Bearer secret'

afterEach(() => vi.useRealTimers())

describe('the metrics of all components', () => {
  it('are one text, requested with the credentials of the caller', async () => {
    const reply = await ask({ feed: metered('feed', 2), catcher: metered('catcher', 3) }, { authorization })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, exposition])
    const text = await reply.text()
    expect(parseExposition(text).map(({ name, samples }) => [name, samples.length])).toEqual([
      ['quartermaster_requests_total', 2],
      ['depth', 2],
      ['quartermaster_up', 2],
    ])
    const at = (component: string) => sampleOf(text, 'quartermaster_requests_total', { component, route: '/' })
    expect([at('feed'), at('catcher')]).toEqual([2, 3])
  })

  it('have those of the components that return them, and name the others', async () => {
    vi.useFakeTimers()
    const services = {
      feed: metered('feed', 2),
      badge: broken,
      queue: silent,
      media: refusing(200),
      sms: refusing(404),
    }
    const reply = ask(services, { authorization })
    await vi.advanceTimersByTimeAsync(10_000)
    const text = await (await reply).text()
    const up = Object.keys(services).map((component) => sampleOf(text, 'quartermaster_up', { component }))
    expect(up).toEqual([1, 0, 0, 0, 0])
  })

  it('are returned with a secret that only one component accepts', async () => {
    const services = { feed: metered('feed', 2), bus: metered('bus', 3) }
    const text = await (await ask(services, { 'api-secret': 'bus' })).text()
    expect(sampleOf(text, 'quartermaster_up', { component: 'bus' })).toBe(1)
    expect(sampleOf(text, 'quartermaster_up', { component: 'feed' })).toBe(0)
  })

  it('are refused with the error of all components', async () => {
    const services = { feed: metered('feed', 2), catcher: metered('catcher', 3) }
    const reply = await ask(services, { authorization: 'Bearer wrong' })
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer /)])
    expect((await ask({ feed: refusing(404) })).status).toBe(404)
    expect((await ask({ feed: refusing(503) })).status).toBe(503)
    expect((await ask({ feed: refusing(404), badge: refusing(401) })).status).toBe(200)
  })

  it('are read with a GET', async () => {
    expect((await ask({}, {}, 'POST')).status).toBe(405)
  })
})
