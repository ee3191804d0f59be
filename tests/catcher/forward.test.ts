// Tests of the URL to which a stub forwards a request. Forwarding itself is tested over real connections, in `tests/stack/walks`.
import { expect, it } from 'vitest'
import { targetOf } from '#catcher/forward'
import { ask } from './ask.ts'

const target = (url: string, path: string, query = '') => targetOf(url, { path, query })

it('is below a base URL, or exact', () => {
  expect(target('http://a.example', '/x/%7E//y', 'b=%20c&d')).toBe('http://a.example/x/%7E//y?b=%20c&d')
  expect(target('http://a.example/v1/?k=1', '/x', 'b=2')).toBe('http://a.example/v1/x?k=1&b=2')
  expect(target('http://a.example/hook?k=1', '/x', 'b=2')).toBe('http://a.example/hook?k=1&b=2')
  expect(target('http://a.example', '//b.example')).toBe('http://a.example//b.example')
  expect(target('http://a.example/api/', '//b.example/../c')).toBe('http://a.example/api//c')
})

it('has neither the name of the space nor masked credentials', () => {
  const query = 'token=[masked]&X-Catcher-Space=tests&a=1'
  expect(target('http://a.example/', '/', query)).toBe('http://a.example/?a=1')
})

it.each(['/../admin', '/%2e%2e/admin', '/a/../../admin', '/..\\admin', '/./../admin', '/..'])(
  'does not leave the base URL with the path %s',
  (path) => {
    expect(() => target('http://a.example/api/', path)).toThrow('out of the base URL')
  },
)

it.each([
  [{ forward: 'ftp://a.example' }, 'forward'],
  [{ forward: 'http://user:password@a.example' }, 'forward'],
  [{ forward: 'text' }, 'forward'],
  [{ forward: 'https://a.example', replies: [{}] }, 'replies'],
])('refuses the stub %j', async (stub, field) => {
  const { status, json } = await ask('POST', '/_requests_/stubs', stub)
  expect([status, Object.keys(json.errors ?? {})]).toEqual([400, [field]])
})
