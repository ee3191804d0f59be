import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import type { Env } from '#catcher/env'
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

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** What is stored and printed of a request. */
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

it('masks values of the query, and leaves the others as they were written', async () => {
  const query = `?token=token-one&x=token%2Done&basic=Basic+${encodeURIComponent(base64('ann:pä ss,word'))}&token-two&a=%41&b&=c&p=p%C3%A4+ss%2Cword`
  expect((await caught({}, query)).query).toEqual({
    ...{ token: '[masked]', x: '[masked]', basic: 'Basic [masked]' },
    ...{ '[masked]': '', a: 'A', b: '', '': 'c', p: '[masked]' },
  })
})

it('masks nothing where nothing is set', async () => {
  const request = new Request('http://catcher.example/plain?token=', { headers: { 'x-token': 'undefined' } })
  await catcher.fetch(request, env as unknown as Env, createExecutionContext())
  const line = printed.mock.calls.map(([text]) => JSON.parse(text as string)).find(({ path }) => path === '/plain')
  expect([line.headers['x-token'], line.query]).toEqual(['undefined', { token: '' }])
})
