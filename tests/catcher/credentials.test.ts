// Tests that the credentials of the deployment are masked in caught requests, and other values are not.
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Env } from '#catcher/bindings'
import { maskCredentials } from '#catcher/credentials'
import { catcher } from '#catcher/index'

const deployment = {
  ...(env as unknown as Env),
  AUTH_TOKENS: 'token-one, token-two',
  HTTP_AUTH_USERNAME: 'ann',
  HTTP_AUTH_PASSWORD: 'pä ss,word',
  BOX_ADMIN_SECRET: 'secret of the box',
  PROVIDER_A_PASSWORD: 'sms-password',
  SELF_URL: 'http://self.example',
}

const printed = vi.spyOn(console, 'log')

afterEach(() => printed.mockClear())

/** Many spaces: a regular expression that takes quadratic time on this text would exceed the timeout of a test. */
const spaces = ' '.repeat(400_000)

const plain = { method: 'get', host: 'a.example', port: 80, path: '/', body: new Uint8Array(), body_size: 0 }

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Catches a request, checks that the log line and the stored request are alike, and returns the stored headers and query. */
async function caught(headers: Record<string, string>, query = '') {
  const space = crypto.randomUUID()
  const ask = (path: string, init: RequestInit) =>
    catcher.fetch(new Request(`http://catcher.example${path}`, init), deployment, createExecutionContext())
  await ask(`/a${query}`, { headers: { ...headers, 'x-catcher-space': space } })
  const line = printed.mock.calls.map(([text]) => JSON.parse(text as string)).find(({ path }) => path === '/a')
  const authorization = 'Bearer token-one'
  const stored = await ask(`/_last_request_?space=${space}`, { headers: { authorization } })
  const { headers: kept, query: keptQuery } = (await stored.json()) as Record<string, Record<string, string>>
  expect([line.headers, line.query]).toEqual([kept, keptQuery])
  return { headers: kept!, query: keptQuery! }
}

it.each([
  ['authorization', 'Bearer token-one', 'Bearer [masked]'],
  ['authorization', 'bearer  token-two', 'bearer  [masked]'],
  ['authorization', `Basic ${base64('ann:pä ss,word')}`, 'Basic [masked]'],
  ['authorization', `basic ${base64('other:token-two')}`, 'basic [masked]'],
  ['proxy-authorization', 'Bearer token-one', 'Bearer [masked]'],
  ['api-secret', 'secret of the box', '[masked]'],
  ['x-anything', 'token-two', '[masked]'],
  ['x-anything', 'sms-password', '[masked]'],
  ['x-repeated', 'a, token-two, b', 'a, [masked], b'],
  ['cookie', 'a=b; session=token-one', 'a=b; session=[masked]'],
])('masks the header %s: %s', async (name, value, expected) => {
  expect((await caught({ [name]: value })).headers[name]).toBe(expected)
})

it.each([
  ['authorization', 'Bearer another-token'],
  ['authorization', 'Bearer token-one2'],
  ['authorization', 'Bearer token-on'],
  ['authorization', `Basic ${base64('ann:other')}`],
  ['authorization', 'Basic !!'],
  ['authorization', 'Bearer token-one, token-two, x'.slice(0, 6)],
  ['x-secret', 'ann'],
  ['x-token', 'http://self.example'],
  ['password', 'password'],
])('keeps the header %s: %s', async (name, value) => {
  expect((await caught({ [name]: value })).headers[name]).toBe(value)
})

it('masks the given query parameters, and leaves others unchanged', async () => {
  const query = `?token=token-one&x=token%2Done&basic=Basic+${encodeURIComponent(base64('ann:pä ss,word'))}&token-two&a=%41&b&=c&p=p%C3%A4+ss%2Cword`
  expect((await caught({}, query)).query).toEqual({
    ...{ token: '[masked]', x: '[masked]', basic: 'Basic [masked]' },
    ...{ '[masked]': '', a: 'A', b: '', '': 'c', p: '[masked]' },
  })
})

it.each([
  ['token-one\t ;  b', '[masked]\t ;  b'],
  ['a ,\ttoken-one  ,, ; b', 'a ,\t[masked]  ,, ; b'],
])('keeps the whitespace of the list %j', async (value, expected) => {
  expect((await caught({ 'x-list': value })).headers['x-list']).toBe(expected)
})

it.each([
  ['', 'b'],
  ['; ', '; token-one'],
])('masks a list with long runs of spaces after %j in linear time', (separator, last) => {
  const list = (token: string) => [`a${separator}`, `${token},`, last.replace('token-one', token)].join(spaces)
  const headers = (value: string) => JSON.stringify({ 'x-list': value })
  const request = {
    ...plain,
    headers: headers(list('token-one')),
    query: `x=${list('token-one').replaceAll(' ', '+')}`,
  }
  const masked = maskCredentials(deployment, request)
  expect(masked.headers === headers(list('[masked]'))).toBe(true)
  expect(new URLSearchParams(masked.query).get('x') === list('[masked]')).toBe(true)
})

it('masks nothing by default', async () => {
  const request = new Request('http://catcher.example/plain?token=', { headers: { 'x-token': 'undefined' } })
  await catcher.fetch(request, env as unknown as Env, createExecutionContext())
  const line = printed.mock.calls.map(([text]) => JSON.parse(text as string)).find(({ path }) => path === '/plain')
  expect([line.headers['x-token'], line.query]).toEqual(['undefined', { token: '' }])
})

it('masks keys of access everywhere, and JSON Web Tokens where tokens are sent', async () => {
  const key = `qm_${'0'.repeat(24)}_${'a'.repeat(43)}`
  const jwt = `eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJyb290In0.${'A'.repeat(86)}`
  const { headers, query } = await caught(
    { authorization: `Bearer ${jwt}`, 'x-key': key, 'x-note': `key ${key}`, 'x-jwt': jwt, 'x-part': 'qm_1_2' },
    `?token=${jwt}&key=${key}&jwt=${jwt}&note=qm_1`,
  )
  expect(headers).toMatchObject({
    authorization: 'Bearer [masked]',
    'x-key': '[masked]',
    'x-note': 'key [masked]',
    'x-jwt': jwt,
    'x-part': 'qm_1_2',
  })
  expect(query).toEqual({ token: '[masked]', key: '[masked]', jwt, note: 'qm_1' })
  expect(printed.mock.calls.flat().join()).not.toContain(key)
})

describe('a URL in a header or in a query value', () => {
  const key = `qm_${'0'.repeat(24)}_${'a'.repeat(43)}`
  const jwt = `eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJyb290In0.${'A'.repeat(86)}`

  it.each([
    ['referer', `https://app.example/page?a=1&token=${jwt}&b=2`, 'https://app.example/page?a=1&token=[masked]&b=2'],
    ['referer', `https://app.example/?access_token=${jwt}`, 'https://app.example/?access_token=[masked]'],
    ['referer', `https://app.example/?key=${key}&b=%20`, 'https://app.example/?key=[masked]&b=%20'],
    ['referer', 'https://app.example/?b=2&secret=token-one&c', 'https://app.example/?b=2&secret=[masked]&c'],
    ['x-original-url', `/page?token=${jwt}#id_token=${jwt}`, '/page?token=[masked]#id_token=[masked]'],
    ['link', `<https://a.example/?token=${jwt}>; rel="next"`, '<https://a.example/?token=[masked]>; rel="next"'],
    [
      'x-list',
      `https://a.example/?t=${jwt}, https://b.example/?t=${jwt}`,
      'https://a.example/?t=[masked], https://b.example/?t=[masked]',
    ],
    [
      'referer',
      `https://a.example/?to=${encodeURIComponent(`https://b.example/?token=${jwt}`)}`,
      'https://a.example/?to=https%3A%2F%2Fb.example%2F%3Ftoken%3D[masked]',
    ],
  ])('in %s has its tokens masked: %s', async (name, value, expected) => {
    expect((await caught({ [name]: value })).headers[name]).toBe(expected)
  })

  it('has its tokens masked in the query', async () => {
    const { query } = await caught({}, `?to=${encodeURIComponent(`/page?token=${jwt}&a=1`)}&jwt=${jwt}`)
    expect(query).toEqual({ to: '/page?token=[masked]&a=1', jwt })
  })

  it.each([
    ['referer', 'https://app.example/page?a=1&token=other&b=%41?c#d'],
    ['x-note', 'what? no token'],
    ['referer', `https://app.example/${jwt}`],
  ])('is unchanged without them: %s %s', async (name, value) => {
    expect((await caught({ [name]: value })).headers[name]).toBe(value)
  })

  it.each(['?', '?a', '%3F', '?to=https://a/?'])('is masked in linear time: many %s', (part) => {
    const value = part.repeat(300_000)
    const request = { ...plain, headers: JSON.stringify({ referer: value }), query: `x=${value}` }
    expect(JSON.parse(maskCredentials(deployment, request).headers).referer === value).toBe(true)
  })
})
