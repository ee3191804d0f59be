import { createExecutionContext } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Env } from '#gateway/env'
import gateway from '#gateway/index'
import { bind, broken, echo, silent } from './services.ts'

const services = { feed: echo('feed'), 'full-text': echo('full-text'), catcher: echo('catcher') }

const ask = (url: string, init: RequestInit = {}, env: Env = bind(services)) =>
  gateway.fetch(new Request(url, init) as Parameters<typeof gateway.fetch>[0], env, createExecutionContext())

interface Echo {
  name: string
  url: string
  headers: Record<string, string>
  body: string
}

const echoed = async (url: string, init: RequestInit = {}) => (await ask(url, init)).json<Echo>()

afterEach(() => vi.restoreAllMocks())

describe('a path', () => {
  it.each([
    ['http://host/feed/records?limit=1&x=%20', 'http://host/records?limit=1&x=%20'],
    ['http://host/feed', 'http://host/'],
    ['http://host/feed/', 'http://host/'],
    ['http://host/feed?a=b', 'http://host/?a=b'],
    ['http://host/feed/a%2Fb//c%20d?e=%26&e=+', 'http://host/a%2Fb//c%20d?e=%26&e=+'],
    ['http://host/feed/feed/x', 'http://host/feed/x'],
    ['http://127.0.0.1:8787/feed/x', 'http://127.0.0.1:8787/x'],
    ['http://example.com/feed/x?u=http://feed/', 'http://example.com/x?u=http://feed/'],
  ])('%s reaches the component as %s', async (url, expected) => {
    expect(await echoed(url)).toMatchObject({ name: 'feed', url: expected, headers: { 'x-forwarded-prefix': '/feed' } })
  })

  it('can name a component of two words', async () => {
    expect((await echoed('http://host/full-text/x')).name).toBe('full-text')
  })

  it.each(['nope', 'FEED', 'Feed', 'full_text', '_feed', '%66eed', 'base-url', 'constructor'])(
    'is refused when it names %s, which is no component',
    async (name) => {
      const reply = await ask(`http://host/${name}/x`, {}, bind(services, { BASE_URL: 'http://host' }))
      expect(reply.status).toBe(404)
      expect(await reply.json()).toMatchObject({ status: false, status_code: 'component_not_found' })
      expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(reply.headers.get('x-request-id')).toBeTruthy()
    },
  )
})

describe('a subdomain', () => {
  it.each(['http://feed.localhost:8787', 'https://feed.example.com', 'https://FEED.example.com'])(
    '%s passes the path unchanged',
    async (origin) => {
      const { name, url, headers } = await echoed(`${origin}/feed/a%2Fb?c=%20`)
      expect([name, headers['x-forwarded-prefix']]).toEqual(['feed', ''])
      expect(url).toMatch(/\/feed\/a%2Fb\?c=%20$/)
    },
  )

  it('is ignored if it names no component', async () => {
    expect((await echoed('https://api.example.com/feed/x')).name).toBe('feed')
  })
})

describe('a routed request', () => {
  it('never has a prefix from the client', async () => {
    const headers = { 'x-forwarded-prefix': '/evil' }
    expect((await echoed('http://host/feed/x', { headers })).headers['x-forwarded-prefix']).toBe('/feed')
    expect((await echoed('http://feed.host/x', { headers })).headers['x-forwarded-prefix']).toBe('')
  })

  it('keeps its request id, and gets none from the gateway', async () => {
    const headersOf = async (headers = {}) => (await echoed('http://host/feed/x', { headers })).headers
    expect(await headersOf({ 'x-request-id': 'order-7' })).toMatchObject({ 'x-request-id': 'order-7' })
    expect(await headersOf()).not.toHaveProperty('x-request-id')
  })

  it('keeps method, headers and body', async () => {
    const reply = await echoed('http://host/feed/x', { method: 'PATCH', headers: { 'x-own': '1' }, body: 'text' })
    expect(reply).toMatchObject({ method: 'PATCH', body: 'text' })
    expect(reply.headers['x-own']).toBe('1')
  })

  it('routes a preflight request to the component', async () => {
    const reply = await ask('http://host/feed/x', { method: 'OPTIONS' }, bind(services, { CORS_ORIGINS: '*' }))
    expect(await reply.json()).toMatchObject({ method: 'OPTIONS' })
  })

  it('gets 500 with the request id if the component throws', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue()
    const reply = await ask('http://host/feed/x', { headers: { 'x-request-id': 'r1' } }, bind({ feed: broken }))
    expect(reply.status).toBe(500)
    expect(await reply.text()).toContain('request r1')
    expect(reply.headers.get('x-request-id')).toBe('r1')
    expect(error.mock.calls[0]![0]).toContain('"request_id":"r1"')
  })
})

describe('a page of another origin', () => {
  const origin = 'https://app.example.com'
  const ofPage = { headers: { origin, authorization: 'Bearer t' } }
  const seen = async (url: string, init: RequestInit = ofPage, env = bind({ feed: broken }, { AUTH_TOKENS: 't' })) => {
    const { status, headers } = await ask(url, init, env)
    return [status, headers.get('access-control-allow-origin')]
  }

  it('reads the error of a component that cannot start, and of an unknown component', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    expect(await seen('http://host/feed/x')).toEqual([500, origin])
    expect(await seen('http://host/feed/x', { headers: { origin } })).toEqual([500, null])
    expect(await seen('http://host/nope/x')).toEqual([404, origin])
    const listed = bind({ feed: broken }, { AUTH_TOKENS: 't', CORS_ORIGINS: origin })
    expect(await seen('http://host/feed/x', { headers: { origin } }, listed)).toEqual([500, origin])
  })

  it('learns that its token is wrong, also where none is needed', async () => {
    const invalid = { headers: { origin, authorization: 'Bearer x' } }
    for (const path of ['/', '/_health', '/_openapi.json', '/_docs', '/nope'])
      expect(await seen(`http://host${path}`, invalid)).toEqual([401, origin])
    expect(await seen('http://host/_health')).toEqual([200, origin])
  })
})

it.each(['/', '/_health', '/_openapi.json', '/_docs'])('%s accepts GET and HEAD only', async (path) => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const reply = await ask(`http://host${path}`, { method })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  }
  expect((await ask(`http://host${path}`, { method: 'HEAD' })).status).toBe(200)
})

describe('/', () => {
  it('is a page without scripts that links every component', async () => {
    const reply = await ask(
      'http://host/',
      { headers: { accept: 'text/html,*/*;q=0.8' } },
      bind({ ...services, badge: broken }),
    )
    const page = await reply.text()
    expect(reply.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'nonce-/)
    expect(page).toContain('href="feed/_docs"')
    expect(page).toContain('href="catcher/_requests_/_openapi.json"')
    expect(page).toMatch(/<b>feed<\/b><br \/>Is the &lt;feed&gt; v1\.0\.</)
    expect(page.match(/class="up"/g)).toHaveLength(3)
    expect(page.match(/class="down"/g)).toHaveLength(1)
    expect(page).not.toContain('<script')
  })

  it('is JSON if the client prefers that', async () => {
    const headers = { accept: 'text/html;q=0.5, application/json' }
    const reply = await ask('http://host/', { headers }, bind({ feed: services.feed, badge: broken }))
    const components = [
      { name: 'feed', state: 'up' },
      { name: 'badge', state: 'down' },
    ]
    expect(await reply.json()).toEqual({ status: true, content: { components } })
  })

  it('needs no credentials, and reveals only the state', async () => {
    const reply = await ask('http://host/_health', {}, bind(services, { AUTH_TOKENS: 't' }))
    expect(await reply.json()).toEqual({ status: true, content: { state: 'up' } })
  })
})

describe('/_openapi.json', () => {
  const read = async (env: Env) => (await ask('http://host/_openapi.json', {}, env)).json<Record<string, never>>()

  it('has every component under its path', async () => {
    const merged = await read(bind(services))
    expect(merged).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://host' }], security: [{ bearer: [] }] })
    expect(Object.keys(merged.paths!)).toEqual([
      '/feed/thing',
      '/full-text/thing',
      '/catcher/thing',
      '/person',
      '/operation',
    ])
    expect(merged.components).toMatchObject({ schemas: { Refusal: {}, feedThing: {}, catcherThing: {} } })
    expect(merged.tags).toHaveLength(4)
  })

  it.each([
    ['https://api.example.com/v1/', 'https://api.example.com/v1'],
    ['https://{component}.example.com', 'http://host'],
  ])('with BASE_URL %s is served from %s', async (BASE_URL, url) => {
    const { servers, info } = await read(bind(services, { BASE_URL }))
    expect(servers).toEqual([{ url }])
    expect(info).toMatchObject({
      description: expect.stringMatching(/^All components of Quartermaster\.\n\nSend parameters /),
    })
  })

  it('names components that fail or do not answer, without their paths', async () => {
    vi.useFakeTimers()
    const reading = read(bind({ ...services, badge: silent, bus: broken }))
    await vi.advanceTimersByTimeAsync(5_000)
    const merged = await reading
    vi.useRealTimers()
    expect(merged.info).toMatchObject({
      description: expect.stringContaining('These did not answer, and are missing: badge, bus.'),
    })
    expect(Object.keys(merged.paths!)).toHaveLength(5)
  })

  it('is shown at /_docs', async () => {
    const reply = await ask('http://host/_docs')
    expect(reply.headers.get('content-type')).toContain('text/html')
    expect(await reply.text()).toContain('/feed/thing')
  })
})

describe('a local start', () => {
  const statusAt = async (url: string, vars: Env = {}, init: RequestInit = {}) =>
    (await ask(url, init, bind(services, { LOCAL: 'true', ...vars }))).status

  it.each([
    'http://rebind.evil.example:8787',
    'http://feed.evil.example:8787',
    'http://localhost.evil.example:8787',
    'http://notlocalhost:8787',
    'http://rebind',
  ])('refuses the host of %s, which may lead here by DNS rebinding', async (origin) => {
    for (const path of [
      '/',
      '/_health',
      '/console/',
      '/feed/records',
      '/catcher/_requests_',
      '/catcher/%5Frequests_/reply',
    ])
      for (const method of ['GET', 'POST'])
        expect([path, await statusAt(origin + path, {}, { method })]).toEqual([path, 403])
    const reply = await ask(`${origin}/feed/records`, {}, bind(services, { LOCAL: 'true' }))
    expect(await reply.json()).toMatchObject({
      status_code: 'host_refused',
      message: expect.stringContaining('BASE_URL'),
    })
  })

  it.each([
    'http://localhost:8787',
    'http://localhost.:8787',
    'http://feed.localhost:8787',
    'http://127.0.0.1:8787',
    'http://192.168.1.5:8787',
    'http://[::1]:8787',
  ])('answers at %s', async (origin) => {
    expect(await statusAt(`${origin}/feed/x`)).toBe(200)
  })

  it('answers at the host of BASE_URL', async () => {
    expect(await statusAt('https://a.tunnel.example/feed/x', { BASE_URL: 'https://a.tunnel.example' })).toBe(200)
    const BASE_URL = 'https://{component}.tunnel.example'
    expect(await statusAt('https://feed.tunnel.example/x', { BASE_URL })).toBe(200)
    expect(await statusAt('https://feed.evil.example/x', { BASE_URL })).toBe(403)
  })

  it('lets the catcher store requests with any host', async () => {
    for (const url of [
      'http://hook.example/catcher/orders',
      'http://catcher.example/orders',
      'http://catcher.example/',
    ])
      expect(await statusAt(url, {}, { method: 'POST' })).toBe(200)
    expect(await statusAt('http://catcher.example/_last_request_')).toBe(403)
  })
})

describe('the console', () => {
  const console = { CONSOLE: 'true' }
  const locationOf = async (vars: Env, url: string, init: RequestInit = {}) => {
    const { status, headers } = await ask(url, init, bind(services, { ...console, ...vars }))
    expect(status === 307).toBe(headers.has('location'))
    return headers.get('location')
  }
  const opened = { headers: { 'sec-fetch-mode': 'navigate' } }
  const local = { LOCAL: 'true' }
  const named = { BASE_URL: 'https://{component}.example.com' }

  it.each([
    [local, 'http://localhost:8787/console?a=1', 'http://console.localhost:8787/console/?a=1'],
    [local, 'http://feed.localhost:8787/console/', null],
    [local, 'http://other.localhost/console/assets/x.js', 'http://console.localhost/console/assets/x.js'],
    [local, 'http://127.0.0.1:8787/console/', null],
    [{ ...local, CONSOLE: 'false' }, 'http://localhost:8787/console/', null],
    [named, 'https://gateway.example.workers.dev/console/', 'https://console.example.com/console/'],
    [named, 'https://console.example.com/console/', null],
    // Behind a proxy that ends TLS.
    [named, 'http://console.example.com/console/', null],
    [
      { BASE_URL: 'https://{component}-api.example.com/v1' },
      'https://x.dev/console/',
      'https://console-api.example.com/console/',
    ],
    [{ BASE_URL: 'https://api.example.com' }, 'https://api.example.com/console/', null],
    [{ BASE_URL: 'https://example.com/{component}' }, 'https://example.com/console/', null],
    [{}, 'https://localhost/console/', null],
  ])('with %j, %s is redirected to %s', async (vars, url, expected) => {
    expect(await locationOf(vars, url)).toBe(expected)
    expect(await locationOf(vars, url, { method: 'POST' })).toBe(null)
  })

  it.each([
    [local, 'http://console.localhost:8787', 'http://localhost:8787/feed', 'http://localhost:8787/catcher'],
    [named, 'https://console.example.com', 'https://feed.example.com', 'https://catcher.example.com'],
  ])(
    'with %j, its host routes API calls, and no pages and captures of components',
    async (vars, origin, feed, catcher) => {
      expect(await locationOf(vars, `${origin}/feed/records?a=%20`)).toBe(null)
      expect(await locationOf(vars, `${origin}/feed/records?a=%20`, { method: 'POST' })).toBe(null)
      expect(await locationOf(vars, `${origin}/feed/a%2Fb?a=%20`, opened)).toBe(`${feed}/a%2Fb?a=%20`)
      expect(await locationOf(vars, `${origin}/catcher/_requests_`)).toBe(null)
      expect(await locationOf(vars, `${origin}/catcher/_requests_/_docs`, opened)).toBe(`${catcher}/_requests_/_docs`)
      expect(await locationOf(vars, `${origin}/catcher/x?y`, { method: 'POST' })).toBe(`${catcher}/x?y`)
      expect(await locationOf(vars, `${origin}/`, opened)).toBe('/console/')
      expect(await locationOf(vars, `${origin}/`)).toBe(null)
      expect(await locationOf(vars, `${origin}/docs/`, opened)).toBe(null)
      expect(await locationOf({ ...vars, CONSOLE: 'false' }, `${origin}/feed/x`, opened)).toBe(null)
    },
  )

  it.each([
    [
      local,
      'http://localhost:8787/catcher/_requests_/ui?space=a',
      'http://console.localhost:8787/console/#/catcher?space=a',
    ],
    [local, 'http://catcher.localhost/_requests_/ui', 'http://console.localhost/console/#/catcher'],
    [local, 'http://console.localhost/catcher/_requests_/ui', 'http://console.localhost/console/#/catcher'],
    [local, 'http://127.0.0.1:8787/catcher/_requests_/ui', '/console/#/catcher'],
    [named, 'https://catcher.example.com/_requests_/ui', 'https://console.example.com/console/#/catcher'],
    [{ BASE_URL: 'https://api.example.com' }, 'https://api.example.com/catcher/_requests_/ui', '/console/#/catcher'],
    [{}, 'https://catcher.example.dev/_requests_/ui', null],
    [{ CONSOLE: 'false' }, 'https://api.example.com/catcher/_requests_/ui', null],
    [local, 'http://localhost/catcher/ui', null],
    [local, 'http://localhost/feed/_requests_/ui', null],
  ])('with %j, %s leads to %s', async (vars, url, expected) => {
    expect(await locationOf(vars, url)).toBe(expected)
    expect(await locationOf(vars, url, opened)).toBe(expected)
    expect(await locationOf(vars, url, { method: 'POST' })).toBe(null)
  })
})

it('a deployment accepts any host', async () => {
  expect((await ask('https://api.example.com/feed/x')).status).toBe(200)
})

describe('the cron trigger', () => {
  it('sweeps every component even if one fails', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue()
    const all = { badge: broken, feed: echo('feed'), catcher: echo('catcher') }
    await gateway.scheduled({} as ScheduledController, bind(all))
    expect([all.feed.swept, all.catcher.swept]).toEqual([1, 1])
    expect(error.mock.calls[0]![0]).toContain('sweep badge')
  })

  it('passes its minute on, and wakes the object of the operations every ten minutes, on a local start each time', async () => {
    const minutes: (number | undefined)[] = []
    const wakings: number[] = []
    const feed = { ...echo('feed'), sweep: async (at?: number) => void minutes.push(at) }
    const wake = (minute: number) => ({ getByName: () => ({ resume: async () => void wakings.push(minute) }) })
    const runAt = (minute: number, variables: Env = {}) =>
      gateway.scheduled(
        { scheduledTime: minute * 60_000 } as ScheduledController,
        bind({ feed }, { ...variables, OPERATIONS: wake(minute) as never }),
      )
    for (let minute = 55; minute < 75; minute++) await runAt(minute)
    expect(minutes).toEqual(Array.from({ length: 20 }, (_, n) => (55 + n) * 60_000))
    expect(wakings).toEqual([60, 70])
    await runAt(71, { LOCAL: 'true' })
    expect([minutes.at(-1), wakings.at(-1)]).toEqual([undefined, 71])
  })
})
