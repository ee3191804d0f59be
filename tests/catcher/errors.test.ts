// Tests of the errors of the catcher's API, and of its access checks.
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Env } from '#catcher/bindings'
import { catcher } from '#catcher/index'
import { ask, refusal } from './ask.ts'

const reserved = [
  ['GET', '/_last_request_'],
  ['DELETE', '/_last_request_'],
  ['GET', '/_requests_'],
  ['DELETE', '/_requests_'],
  ['PUT', '/_requests_/reply'],
  ['GET', '/_requests_/reply'],
  ['DELETE', '/_requests_/reply'],
  ['POST', '/_requests_/stubs'],
  ['GET', '/_requests_/stubs'],
  ['DELETE', '/_requests_/stubs'],
  ['GET', '/_requests_/verify'],
  ['POST', '/_requests_/verify'],
  ['GET', '/_requests_/stream'],
  ['GET', '/_requests_/ui'],
  ['GET', '/_requests_/1'],
] as const

describe('without access', () => {
  const outside = async (
    method: string,
    path: string,
    variables: Partial<Env>,
    headers: Record<string, string> = {},
  ) => {
    const { LOCAL: _, ...bound } = env as unknown as Env
    const request = new Request(`http://catcher.example${path}`, { method, headers })
    return (await catcher.fetch(request, { ...bound, ...variables }, createExecutionContext())).status
  }

  it.each(reserved)('refuses %s %s', async (method, path) => {
    expect(await outside(method, path, { AUTH_TOKENS: 'secret' })).toBe(401)
    expect(await outside(method, path, { AUTH_TOKENS: 'secret' }, { authorization: 'Bearer wrong' })).toBe(401)
    expect(await outside(method, path, {})).toBe(503)
    expect(await outside(method, path, { AUTH_TOKENS: 'secret' }, { authorization: 'Bearer secret' })).not.toBe(401)
  })

  it('catches requests without credentials', async () => {
    expect(await outside('POST', '/a', { AUTH_TOKENS: 'secret' })).toBe(200)
    expect(await outside('OPTIONS', '/a', {})).toBe(200)
  })
})

it.each(['7d', '0', '1.5'])('rejects all requests with CATCHER_RETENTION=%s', async (CATCHER_RETENTION) => {
  for (const path of ['/a', '/_requests_']) {
    const variables = { ...(env as unknown as Env), CATCHER_RETENTION }
    const response = await catcher.fetch(new Request(`http://catcher${path}`), variables, createExecutionContext())
    const message = expect.stringContaining('CATCHER_RETENTION')
    expect(await response.json()).toMatchObject({ status_code: 'not_configured', message })
    expect(response.status).toBe(503)
  }
})

describe('a browser of another origin', () => {
  const send = async (
    path: string,
    method = 'OPTIONS',
    asks: Record<string, string> = {},
    CORS_ORIGINS = 'https://app.dev',
  ) => {
    const request = new Request(`http://catcher.example${path}`, {
      method,
      headers: { origin: 'https://app.dev', ...asks },
    })
    const bound = { ...(env as unknown as Env), CORS_ORIGINS }
    const { status, headers } = await catcher.fetch(request, bound, createExecutionContext())
    return [status, headers.get('access-control-allow-origin'), headers.get('access-control-allow-headers')]
  }
  const preflight = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x-catcher-space' }

  it('may send requests, and its preflights are caught too', async () => {
    expect(await send('/cors', 'OPTIONS', preflight)).toEqual([200, 'https://app.dev', 'x-catcher-space'])
    expect(await ask('GET', '/_last_request_')).toMatchObject({ json: { method: 'options', path: '/cors' } })
    expect(await send('/cors', 'POST')).toEqual([200, 'https://app.dev', null])
  })

  it('with a token may read its own API, whose preflights are not caught, and all others are', async () => {
    const asks = {
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization,last-event-id,x-catcher-space',
    }
    const allowed = 'authorization,content-type,idempotency-key,last-event-id,x-catcher-space'
    for (const path of ['/_requests_', '/_requests_/stream', '/_requests_/7', '/_last_request_'])
      expect(await send(path, 'OPTIONS', asks, '')).toEqual([204, 'https://app.dev', allowed])
    for (const path of ['/', '/_requests_of', '/token/_requests_']) {
      expect(await send(path, 'OPTIONS', asks, '')).toEqual([200, null, null])
      expect(await ask('GET', '/_last_request_')).toMatchObject({ json: { method: 'options', path } })
    }
  })

  it('may read, after a preflight that is not caught', async () => {
    expect(await send('/_requests_/reply', 'OPTIONS', preflight)).toEqual([204, 'https://app.dev', 'x-catcher-space'])
    expect(await send('/_requests_', 'GET')).toEqual([200, 'https://app.dev', null])
  })
})

describe('a space', () => {
  it.each(reserved)('with an invalid name is rejected by %s %s', async (method, path) => {
    for (const space of ['a b', 'ä', 'a/b', 'x'.repeat(65)])
      expect(await ask(method, path, { space })).toMatchObject(refusal('space'))
  })

  // A stub needs a parameter that others refuse.
  it.each(
    reserved.filter(([method, path]) => !path.endsWith('/ui') && !(method === 'POST' && path.endsWith('/stubs'))),
  )('with an invalid name in the header is rejected by %s %s', async (method, path) => {
    expect(await ask(method, path, {}, { 'x-catcher-space': 'a b' })).toMatchObject(refusal('X-Catcher-Space'))
  })
})

it.each([
  ['wait', 61],
  ['wait', -1],
  ['wait', 'long'],
  ['method', 'a b'],
  ['path', 'no/slash'],
])('refuses to wait with %s %s', async (name, value) => {
  expect(await ask('GET', '/_last_request_', { [name]: value })).toMatchObject(refusal(name))
})

it.each([
  ['limit', 0],
  ['limit', 1001],
  ['offset', -1],
  ['count', 'maybe'],
  ['path', 'a'],
  ['method', ' '],
])('refuses to list with %s %s', async (name, value) => {
  expect(await ask('GET', '/_requests_', { [name]: value })).toMatchObject(refusal(name))
})

it.each([
  [{ status: 101 }, 'status'],
  [{ status: 199 }, 'status'],
  [{ status: 600 }, 'status'],
  [{ status: 204, body: 'text' }, 'status'],
  [{ status: 304, json: null }, 'status'],
  [{ body: 'a', json: 1 }, 'json'],
  [{ body: 1 }, 'body'],
  [{ delay: 30_001 }, 'delay'],
  [{ delay: -1 }, 'delay'],
  [{ times: 0 }, 'times'],
  [{ path: 'a' }, 'path'],
  [{ method: 'a,b' }, 'method'],
  [{ headers: { Connection: 'close' } }, 'headers'],
  [{ headers: { 'content-length': '3' } }, 'headers'],
  [{ headers: { 'transfer-encoding': 'chunked' } }, 'headers'],
  [{ headers: { 'Service-Worker-Allowed': '/' } }, 'headers'],
  [{ headers: { 'Set-Cookie': 'a=b' } }, 'headers'],
  [{ headers: { 'clear-site-data': '"*"' } }, 'headers'],
  [{ headers: { 'Content-Security-Policy': 'sandbox allow-scripts' } }, 'headers'],
  [{ headers: { 'Strict-Transport-Security': 'max-age=1' } }, 'headers'],
  [{ headers: { 'Alt-Svc': 'h3=":443"' } }, 'headers'],
  [{ headers: { NEL: '{}' } }, 'headers'],
  [{ headers: { 'Report-To': '{}' } }, 'headers'],
  [{ headers: { 'a b': 'c' } }, 'headers.a b'],
  [{ headers: { a: 'b\r\nc: d' } }, 'headers.a'],
  [{ headers: { a: 'é' } }, 'headers.a'],
  [{ headers: { a: 1 } }, 'headers.a'],
  [{ headers: [] }, 'headers'],
])('refuses the reply %j', async (reply, field) => {
  expect(await ask('PUT', '/_requests_/reply', reply)).toMatchObject(refusal(field))
})

it('refuses a reply larger than a megabyte', async () => {
  const { status, json } = await ask('PUT', '/_requests_/reply', { body: 'x'.repeat(1_000_000) })
  expect([status, json.status_code]).toEqual([413, 'payload_too_large'])
})

it('rejects an invalid event id', async () => {
  const headers = { 'last-event-id': 'x' }
  expect(await ask('GET', '/_requests_/stream', {}, headers)).toMatchObject(refusal('Last-Event-ID'))
  expect(await ask('GET', '/_requests_/stream', { last_event_id: -1 })).toMatchObject(refusal('last_event_id'))
})

it.each([
  ['/_requests_/99', 'request_not_found'],
  ['/_requests_/reply', 'reply_not_found'],
  ['/_requests_/nothing', 'route_not_found'],
  ['/_requests_/reply/', 'route_not_found'],
])('returns 404 at %s', async (path, code) => {
  const { status, json } = await ask('GET', path, { space: crypto.randomUUID() })
  expect([status, json.status_code]).toEqual([404, code])
})

it.each([
  ['/_last_request_', 'GET, HEAD, DELETE'],
  ['/_requests_', 'GET, HEAD, DELETE'],
  ['/_requests_/reply', 'PUT, GET, HEAD, DELETE'],
  ['/_requests_/ui', 'GET, HEAD'],
  ['/_requests_/stream', 'GET, HEAD'],
  ['/_requests_/1', 'GET, HEAD'],
  ['/_requests_/_health', 'GET, HEAD'],
])('returns 405 with the methods of %s', async (path, allow) => {
  for (const method of ['POST', 'PATCH', 'OPTIONS', 'PROPFIND']) {
    const { status, headers, json } = await ask(method, path)
    expect([status, headers.get('allow'), json.status_code]).toEqual([405, allow, 'method_not_allowed'])
  }
})
