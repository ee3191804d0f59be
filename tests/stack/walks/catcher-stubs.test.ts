// Tests stubs over real connections: requests that are forwarded to a server, and replies that are slow or cut off.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { ask, askJson, open } from '../http.ts'
import { only, start } from '../stack.ts'

let stack: Stack
let server: Server
let origin: string

/** What the server has got, and what it answers by path. */
const got: {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}[] = []

beforeAll(async () => {
  server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const { method, url, headers } = request
    got.push({ method, url, headers, body: await text(request) })
    const path = url!.split('?')[0]
    if (path === '/reset') return request.socket.destroy()
    if (path === '/large') return response.end(Buffer.alloc(5_000_001))
    if (path === '/page') {
      response.writeHead(201, {
        'content-encoding': 'gzip',
        'set-cookie': 'a=b',
        'x-from': 'server',
        'content-type': 'text/html',
      })
      return response.end(gzipSync('<b>page</b>'))
    }
    if (path === '/moved') return response.writeHead(302, { location: '/page' }).end()
    response.writeHead(202, { 'x-key': `qm_${'0'.repeat(24)}_${'a'.repeat(43)}` })
    response.end(method === 'HEAD' ? undefined : `got ${method}`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  stack = await start({ components: only('catcher') })
})

afterAll(async () => {
  await stack?.dispose()
  server?.closeAllConnections()
  server?.close()
})

async function space(stub: object) {
  const name = crypto.randomUUID()
  const url = `${stack.url}/catcher`
  const { status } = await askJson(`${url}/_requests_/stubs`, 'POST', { space: name, ...stub })
  const headers = { 'x-catcher-space': name }
  return {
    status,
    send: (path: string, options: Parameters<typeof ask>[1] = {}) =>
      ask(url, { ...options, path: `/catcher${path}`, headers: { ...headers, ...options.headers } }),
    open: (path: string) => open(url + path, { headers }),
    last: async () => {
      const { body } = await askJson(`${url}/_last_request_?space=${name}`, 'GET')
      return body as { id: number; response?: Record<string, unknown> }
    },
  }
}

it('forwards requests below a base URL, and records the responses', async () => {
  const { send, last } = await space({ forward: `${origin}/api/?v=1` })
  for (const [method, body] of [
    ['POST', '{"n": 1}'],
    ['GET', 'with a body'],
    ['PROPFIND', ''],
    ['DELETE', ''],
  ] as const) {
    const reply = await send('/orders/%7E7//x?a=b%20c', { method, ...(body && { body }), headers: { 'x-a': 'b' } })
    expect([reply.status, reply.text]).toEqual([202, `got ${method}`])
    expect(reply.headers['content-security-policy']).toBe('sandbox')
    expect(got.at(-1)).toMatchObject({ method, url: '/api/orders/%7E7//x?v=1&a=b%20c', body, headers: { 'x-a': 'b' } })
    expect((await last()).response).toMatchObject({
      ...{ status: 202, body: `got ${method}`, body_size: `got ${method}`.length, error: null },
      headers: { 'x-key': '[masked]' },
      duration_ms: expect.any(Number),
    })
  }
  const { status, text } = await send('/', { method: 'HEAD' })
  expect([status, text]).toEqual([202, ''])
})

it('forwards to an exact URL, without credentials, the space and headers of the connection', async () => {
  const { send } = await space({ forward: `${origin}/exact` })
  const key = `qm_${'0'.repeat(24)}_${'b'.repeat(43)}`
  await send(`/hooks?token=${key}&X-Catcher-Space=other&a=1`, {
    headers: { authorization: `Bearer ${key}`, cookie: `a=1; k=${key}`, 'x-forwarded-for': '192.0.2.1', 'x-b': 'c' },
  })
  const { url, headers } = got.at(-1)!
  expect([url, headers['x-b'], headers.via, headers.host]).toEqual([
    '/exact?a=1',
    'c',
    '1.1 quartermaster-catcher',
    new URL(origin).host,
  ])
  for (const name of ['authorization', 'cookie', 'x-catcher-space', 'x-forwarded-for', 'x-forwarded-prefix'])
    expect(headers).not.toHaveProperty(name)
  expect(JSON.stringify(got.at(-1))).not.toContain(key)
})

it('decodes responses, drops headers that act on the origin, and follows no redirect', async () => {
  const { send, last } = await space({ forward: `${origin}/` })
  const page = await send('/page')
  expect([page.status, page.text, page.headers['x-from']]).toEqual([201, '<b>page</b>', 'server'])
  expect(page.headers['set-cookie']).toBeUndefined()
  expect((await last()).response).toMatchObject({ body: '<b>page</b>' })
  const moved = await send('/moved')
  expect([moved.status, moved.headers.location]).toEqual([302, '/page'])
})

it('records failures, and answers them with 502', async () => {
  const { send, last } = await space({ forward: `${origin}/` })
  const failures: [string, object, RegExp][] = [
    ['/reset', {}, /could not be reached/],
    ['/large', {}, /larger than 5000000 bytes/],
    ['/', { method: 'POST', body: Buffer.alloc(1_000_001) }, /more than 1 MB/],
    ['/', { headers: { via: '1.1 quartermaster-catcher' } }, /already forwarded/],
  ]
  for (const [path, options, message] of failures) {
    const { status, text } = await send(path, options)
    expect([status, JSON.parse(text)]).toMatchObject([502, { status_code: 'forward_failed' }])
    expect((await last()).response).toMatchObject({ status: null, error: expect.stringMatching(message) })
  }
})

it('forwards no request back to the catcher', async () => {
  const loop = await space({ forward: `${stack.url}/catcher/?X-Catcher-Space=loop` })
  await askJson(`${stack.url}/catcher/_requests_/stubs`, 'POST', { space: 'loop', forward: `${stack.url}/catcher/` })
  expect((await loop.send('/a')).status).toBe(502)
})

it('sends a reply slowly', async () => {
  const { open } = await space({ replies: [{ body: 'slow'.repeat(5), slow_ms: 200 }] })
  const chunks: string[] = []
  const reply = await open('/')
  for await (const chunk of reply.setEncoding('utf8')) chunks.push(chunk)
  expect([chunks.join(''), reply.complete]).toEqual(['slow'.repeat(5), true])
})

it('breaks the connection after some bytes', async () => {
  const { open } = await space({ replies: [{ status: 201, body: 'abcdef', cut_after: 3 }] })
  let text = ''
  const read = async () => {
    for await (const chunk of (await open('/')).setEncoding('utf8')) text += chunk
  }
  await expect(read()).rejects.toThrow(/aborted|hang up/)
  expect('abc').toContain(text)
})
