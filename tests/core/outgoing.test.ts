// Tests HTTP requests to URLs from callers: allowed addresses, redirects, limits and failures.
import { describe, expect, inject, it } from 'vitest'
import { call, redirected } from '#core/outgoing/call'
import { getWithBody, inQuery } from '#core/outgoing/socket'
import { isPublic, objectionTo, targetUrl } from '#core/outgoing/url'

const target = `http://127.0.0.1:${inject('targetPort')}`
const local = { ALLOW_PRIVATE_TARGETS: 'true' }

const textOf = ({ body }: { body: Uint8Array }) => new TextDecoder().decode(body)
const jsonOf = (answer: { body: Uint8Array }) => JSON.parse(textOf(answer))

describe('the rule about addresses', () => {
  it('allows configured URLs, and URLs under them', () => {
    const env = {
      ALLOW_PRIVATE_TARGETS: 'false',
      SELF_URL: 'http://localhost:8787/otp',
      SMS_URL: 'http://10.0.0.5/',
      CHROMIUM_CONTAINER_URL: 'http://127.0.0.1:9000',
      DATABASE_URL: 'postgres://user:password@127.0.0.1/db',
      OTHER: 'http://127.0.0.1:9001',
    }
    for (const url of ['http://localhost:8787/otp', 'http://localhost:8787/otp/chatapp?a=b', 'http://10.0.0.5/sms'])
      expect(objectionTo(url, env)).toBeUndefined()
    for (const url of [
      'http://localhost:8787/',
      'http://localhost:8787/otpx',
      'http://localhost:8787/otp/../sms',
      'http://localhost:8788/otp',
      'https://10.0.0.5/sms',
      'http://127.0.0.1:9000/',
      'http://127.0.0.1:9001/',
    ])
      expect(objectionTo(url, env)).toBe('Must have a public address')
  })

  it.each([
    'http://localhost/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'http://printer.local/',
    'http://metadata.google.internal/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://168.63.129.16/',
    'http://[64:ff9b::a83f:8110]/',
    'http://100.64.0.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:db8::1]/',
    'http://[::127.0.0.1]/',
    'http://[4000::1]/',
    'http://[e000::1]/',
    'http://db.intranet/',
    'http://１２７.０.０.１/',
    'http://single/',
    'http://x.test/',
  ])('refuses %s', (url) => {
    expect(objectionTo(url, {})).toBe('Must have a public address')
    expect(objectionTo(url, local)).toBeUndefined()
  })

  it.each([
    'http://quartermaster.dev/',
    'https://1.1.1.1/',
    'http://[2606:4700::1111]/',
    'https://bücher.de/',
    'http://[64:ff9b::101:101]/',
  ])('allows %s', (url) => expect(objectionTo(url, {})).toBeUndefined())

  it.each([
    ['ftp://quartermaster.dev/', 'Must be an http or https URL'],
    ['file:///etc/passwd', 'Must be an http or https URL'],
    ['javascript:alert(1)', 'Must be an http or https URL'],
    ['http://user:secret@quartermaster.dev/', 'Must not contain credentials'],
    ['nothing', 'Must be a URL of at most 2000 characters'],
    [`http://quartermaster.dev/${'x'.repeat(2_000)}`, 'Must be a URL of at most 2000 characters'],
  ])('refuses %s whatever is allowed', (url, message) => {
    expect(objectionTo(url, {})).toBe(message)
    expect(objectionTo(url, local)).toBe(message)
  })

  it('is a schema for URLs from callers', () => {
    expect(targetUrl({}).safeParse('http://127.0.0.1/').error?.issues).toMatchObject([
      { message: 'Must have a public address' },
    ])
    expect(targetUrl(local).parse('http://127.0.0.1/')).toBe('http://127.0.0.1/')
  })

  it('ignores a dot at the end of a host', () => expect(isPublic('127.0.0.1.')).toBe(false))
})

describe('a call', () => {
  it('sends a JSON body and reads the response', async () => {
    const answer = await call(local, {
      method: 'POST',
      url: `${target}/echo?a=1`,
      json: { b: 2 },
      headers: { 'x-a': 'b' },
    })
    expect(answer.status).toBe(200)
    expect(jsonOf(answer)).toMatchObject({
      method: 'POST',
      search: '?a=1',
      body: '{"b":2}',
      headers: { 'content-type': 'application/json', 'x-a': 'b' },
    })
  })

  it.each(['GET', 'DELETE', 'PATCH'])('sends a JSON body with %s', async (method) => {
    const answer = await call(local, {
      method,
      url: `${target}/echo?q=%20x`,
      json: { b: [1, 'ü'] },
      headers: { 'x-a': 'b' },
    })
    expect(jsonOf(answer)).toMatchObject({ method, search: '?q=%20x', body: '{"b":[1,"ü"]}', headers: { 'x-a': 'b' } })
    expect(answer.headers.get('content-type')).toBe('application/json')
  })

  it('sends a method that fetch refuses, with a body and without', async () => {
    const bare = await call(local, { method: 'LINK', url: `${target}/echo` })
    expect(jsonOf(bare)).toMatchObject({ method: 'LINK', body: '' })
    const full = await call(local, { method: 'LINK', url: `${target}/echo`, json: { a: 1 } })
    expect(jsonOf(full)).toMatchObject({ method: 'LINK', body: '{"a":1}' })
  })

  it.each(['POST', 'GET'])('sends the given Content-Type only, with %s', async (method) => {
    const headers = { 'Content-Type': 'application/vnd.x+json' }
    const answer = await call(local, { method, url: `${target}/echo`, json: {}, headers })
    expect(jsonOf(answer)).toMatchObject({ headers: { 'content-type': 'application/vnd.x+json' } })
  })

  it('reads a chunked response, and one without a body, over a socket', async () => {
    expect(textOf(await call(local, { method: 'GET', url: `${target}/chunks`, json: {} }))).toBe('one,two')
    for (const status of [204, 205]) {
      const answer = await call(local, { method: 'GET', url: `${target}/empty?status=${status}`, json: {} })
      expect(answer.status).toBe(status)
    }
  })

  it('reads at most the given number of bytes', async () => {
    for (const json of [undefined, {}]) {
      const answer = await call(local, { method: 'GET', url: `${target}/large`, json }, { most: 1_000 })
      expect(answer).toMatchObject({ isTruncated: true })
      expect(answer.body.length).toBe(1_000)
    }
  })

  it.each([undefined, {}])('times out if there is no response', async (json) => {
    await expect(call(local, { method: 'GET', url: `${target}/never`, json }, { timeout: 100 })).rejects.toMatchObject({
      name: 'Failure',
      code: 'upstream_timeout',
    })
  })

  it('times out if the server does not read the body', async () => {
    const outgoing = { method: 'GET', url: `http://127.0.0.1:${inject('deafPort')}/`, json: 'x'.repeat(20_000_000) }
    await expect(call(local, outgoing, { timeout: 1_000 })).rejects.toMatchObject({ code: 'upstream_timeout' })
  })

  it('sends no body after a timeout', async () => {
    const request = { method: 'GET', url: `${target}/never`, headers: {}, body: '{}' }
    await expect(getWithBody(request, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  })

  const ipv6Port = inject('ipv6TargetPort')

  it.skipIf(ipv6Port === null).each([undefined, { a: 1 }])(
    'calls an IPv6 address with the JSON body %j',
    async (json) => {
      const answer = await call(local, { method: 'GET', url: `http://[::1]:${ipv6Port}/echo?b=2`, json })
      const { method, search, headers, body } = jsonOf(answer)
      expect([method, search, headers.host]).toEqual(['GET', '?b=2', `[::1]:${ipv6Port}`])
      expect(body).toBe(json ? JSON.stringify(json) : '')
    },
  )

  it.each([undefined, {}])('fails if the response is cut off', async (json) => {
    await expect(call(local, { method: 'GET', url: `${target}/cut`, json })).rejects.toMatchObject({
      code: 'upstream_failed',
    })
  })

  it.each([undefined, {}])('fails if no server listens', async (json) => {
    await expect(call(local, { method: 'GET', url: 'http://127.0.0.1:9/', json })).rejects.toMatchObject({
      code: 'upstream_failed',
    })
  })

  it.each([
    ['POST', 301, target, 301],
    ['POST', 302, target, 302],
    ['POST', 303, target, 303],
    ['POST', 307, target, 200],
    ['POST', 308, target, 200],
    ['PUT', 302, target, 200],
    ['POST', 307, target.replace('127.0.0.1', 'localhost'), 307],
  ])(
    'asked to keep method and origin, takes a %s answered %i towards %s as %i',
    async (method, status, to, expected) => {
      const url = `${target}/redirect?status=${status}&to=${encodeURIComponent(`${to}/echo`)}`
      const answer = await call(local, { method, url, json: { a: 1 } }, { redirects: 'same' })
      expect(answer.status).toBe(expected)
      if (expected === 200) expect(jsonOf(answer)).toMatchObject({ method, body: '{"a":1}' })
    },
  )

  it('follows redirects, and no more than five', async () => {
    const to = encodeURIComponent(`${target}/echo`)
    const answer = await call(local, { method: 'POST', url: `${target}/redirect?status=307&to=${to}`, json: { a: 1 } })
    expect(jsonOf(answer)).toMatchObject({ method: 'POST', body: '{"a":1}' })
    await expect(call(local, { method: 'GET', url: `${target}/circle` })).rejects.toMatchObject({
      message: 'The server answered with more than 5 redirects.',
    })
  })

  it('refuses a private address before it is called', async () => {
    await expect(call({}, { method: 'GET', url: `${target}/echo` })).rejects.toMatchObject({ code: 'address_refused' })
  })
})

describe('a redirect', () => {
  const to = (status: number, location: string, method = 'POST') =>
    redirected(
      {
        method,
        url: 'https://a.dev/x',
        json: {},
        headers: { Accept: 'text/plain', Authorization: 'secret', 'x-a': 'b' },
      },
      { status, headers: new Headers({ location }) },
    )

  it('turns a POST into a GET without a body, except for 307 and 308', () => {
    expect(to(302, '/y')).toEqual({
      method: 'GET',
      url: 'https://a.dev/y',
      headers: { Accept: 'text/plain', Authorization: 'secret', 'x-a': 'b' },
    })
    expect(to(303, '/y', 'PUT')).toMatchObject({ method: 'GET' })
    expect(to(307, '/y')).toMatchObject({ method: 'POST', json: {} })
    expect(to(302, '/y', 'PUT')).toMatchObject({ method: 'PUT', json: {} })
  })

  it('sends no header that may be a secret to another origin', () => {
    expect(to(308, 'https://b.dev/')).toMatchObject({ headers: { Accept: 'text/plain' }, url: 'https://b.dev/' })
    for (const name of ['Authorization', 'x-a']) expect(to(308, 'https://b.dev/')?.headers).not.toHaveProperty(name)
  })

  it('is no redirect without a Location', () => {
    expect(redirected({ method: 'GET', url: 'https://a.dev' }, { status: 302, headers: new Headers() })).toBeUndefined()
  })
})

describe('a body that is sent in the query', () => {
  it('has scalars as text, the rest as JSON', () => {
    const url = inQuery({
      url: 'http://a.dev/x?b=0',
      json: { a: 1, b: 'ü', c: [1, { d: 2 }], e: true, f: null, g: undefined },
    })
    expect([...new URL(url).searchParams]).toEqual([
      ['b', 'ü'],
      ['a', '1'],
      ['c', '[1,{"d":2}]'],
      ['e', 'true'],
    ])
  })

  it('must not be longer than 16 KB', () => {
    expect(() => inQuery({ url: 'http://a.dev/', json: { a: 'x'.repeat(17_000) } })).toThrow(
      expect.objectContaining({ code: 'query_too_long' }),
    )
  })
})
