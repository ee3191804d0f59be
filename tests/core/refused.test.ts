// Tests endpoints that render errors as a page for browsers.
import { createExecutionContext } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { api, type CoreEnv } from '#core/http/api'
import type { Description } from '#core/http/openapi'

const pages = api<CoreEnv>({ name: 'pages', title: 'Pages', description: 'Has pages.' }).get(
  '/page',
  {
    summary: 'Show',
    params: z.object({ n: z.int() }),
    produces: 'text/html',
    open: true,
    refused: ({ code, errors }, { url }) => new Response(`${url.pathname}: ${code} ${Object.keys(errors ?? {})}`),
  },
  ({ params: { n } }) => {
    if (n === 0) throw new RangeError('A bug')
    return new Response(String(n))
  },
)

const read = (path: string, headers: Record<string, string> = {}) =>
  pages.fetch(new Request(`http://host${path}`, { headers }), { OPEN: 'true' }, createExecutionContext())

it('renders an error with the function of the endpoint', async () => {
  expect(await (await read('/page?n=1')).text()).toBe('1')
  expect(await (await read('/page?n=one')).text()).toBe('/page: validation_failed n')
})

it('says in a rendered 401 how to send credentials', async () => {
  const response = await read('/page?n=1', { authorization: 'Bearer wrong' })
  expect(await response.text()).toBe('/page: unauthorized ')
  expect(response.headers.get('www-authenticate')).toBe('Bearer realm="Quartermaster", error="invalid_token"')
})

it('does not render a bug', async () => {
  const response = await read('/page?n=0')
  expect([response.status, await response.json()]).toMatchObject([500, { status_code: 'internal_error' }])
})

it('describes such refusals by their type', async () => {
  const { paths } = (await (await read('/_openapi.json')).json()) as Description
  expect(paths['/page']!.get!.responses[400]).toMatchObject({
    description: expect.stringContaining('`validation_failed`'),
    content: { 'text/html': {} },
  })
})
