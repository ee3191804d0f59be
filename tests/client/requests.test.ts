import { describe, expect, it, vi } from 'vitest'
import { quartermaster, type Settings } from '#client/index'
import { done, json, serve } from './server.ts'

/** The requests of calls, which are answered with `content`. */
async function requestsOf(settings: Settings, call: (q: ReturnType<typeof quartermaster>) => Promise<unknown>) {
  await using server = await serve(done())
  await call(quartermaster({ url: server.url, ...settings }))
  return server.came
}

/** The addresses of calls, which nothing is sent to. */
function addressesOf(settings: Settings) {
  const urls: string[] = []
  const fetch: typeof globalThis.fetch = async (input) => {
    urls.push(String(input))
    return Response.json({ status: true, content: {} })
  }
  return { q: quartermaster({ ...settings, fetch }), urls }
}

describe('a request', () => {
  it('goes to the component, with parameters in the query of a GET, else in the body', async () => {
    const [got, deleted, patched] = await requestsOf({}, async (q) => {
      await q.feed.get('/records', {
        collection: 'news',
        recipient: 'ann',
        thread: ['a,b', 'c'],
        count: true,
        id: undefined,
      })
      await q.feed.delete('/record', { collection: 'news', id: 5 })
      await q.feed.patch('/records', { collection: 'news', where: { user: 'a' }, set: { user: 'b' } })
    })
    const query = new URLSearchParams({ collection: 'news', recipient: 'ann', thread: '["a,b","c"]', count: 'true' })
    expect(got).toMatchObject({ method: 'GET', path: `/feed/records?${query}`, body: '' })
    expect(deleted).toMatchObject({ method: 'DELETE', path: '/feed/record', body: '{"collection":"news","id":5}' })
    expect(deleted!.headers['content-type']).toBe('application/json')
    expect(patched).toMatchObject({
      method: 'PATCH',
      body: '{"collection":"news","where":{"user":"a"},"set":{"user":"b"}}',
    })
  })

  it('has the variables of the path only there, escaped', async () => {
    const [came] = await requestsOf({}, (q) => q.media.post('/image/{digest}/rotate', { digest: 'a/b ?', d: 90 }))
    expect(came).toMatchObject({ path: '/media/image/a%2Fb%20%3F/rotate', body: '{"d":90}' })
  })

  it('has files in a form after its fields, and other parameters in the query', async () => {
    const file = new File(['hello'], 'ы.mp4', { type: 'video/mp4' })
    const [came] = await requestsOf({}, (q) => q.media.post('/video', { file, scope: 'small', wait: true }))
    expect(came!.path).toBe('/media/video?wait=true')
    expect(came!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(came!.body).toMatch(
      /name="scope"\r\n\r\nsmall.*name="file"; filename="ы.mp4"\r\nContent-Type: video\/mp4\r\n\r\nhello/s,
    )
  })

  it('has the credentials: a token, a password, or a secret of the component', async () => {
    const [bearer, bus] = await requestsOf({ token: 'a', secrets: { bus: 's' } }, async (q) => {
      await q.queue.get('/workers')
      await q.bus.get('/clients')
    })
    expect(bearer!.headers.authorization).toBe('Bearer a')
    expect(bearer!.headers).not.toHaveProperty('api-secret')
    expect(bus!.headers['api-secret']).toBe('s')
    const [basic] = await requestsOf({ username: 'ы', password: 'b:c' }, (q) => q.queue.get('/workers'))
    expect(basic!.headers.authorization).toBe(`Basic ${Buffer.from('ы:b:c').toString('base64')}`)
    const [nobody] = await requestsOf({}, (q) => q.queue.get('/workers'))
    expect(nobody!.headers).not.toHaveProperty('authorization')
  })

  it('calls the token function for each attempt', async () => {
    let turn = 0
    const came = await requestsOf({ token: async () => `t${++turn}` }, async (q) => {
      await q.queue.get('/workers')
      await q.queue.get('/workers')
    })
    expect(came.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t2'])
  })

  it('has the headers of the settings, overridden by those of the call', async () => {
    const settings = { token: 'a', headers: { 'X-Request-Id': 'all', 'x-other': '1' } }
    const [came] = await requestsOf(settings, (q) =>
      q.queue.get('/workers', {}, { headers: { 'x-request-id': 'mine', Authorization: 'Bearer b' } }),
    )
    expect(came!.headers).toMatchObject({ 'x-request-id': 'mine', 'x-other': '1', authorization: 'Bearer b' })
  })

  it('goes to a path or a subdomain of each component, by the URL', async () => {
    for (const [url, queue, root] of [
      ['https://example.com', 'https://example.com/queue/workers', 'https://example.com/'],
      ['https://example.com/api/', 'https://example.com/api/queue/workers', 'https://example.com/api/'],
      ['https://{component}.example.com', 'https://queue.example.com/workers', 'https://example.com/'],
    ] as const) {
      const { q, urls } = addressesOf({ url })
      await q.queue.get('/workers')
      await q.gateway.get('/')
      expect(urls).toEqual([queue, root])
    }
  })

  it('never goes to another host, whatever its path', async () => {
    vi.stubGlobal('location', { href: 'https://example.com/console/' })
    try {
      for (const path of ['/\\evil.test/a', '///evil.test/a', '//evil.test/a', '/@evil.test/a', '/:80@evil.test']) {
        const { q, urls } = addressesOf({ token: 'a' })
        await q.request('GET', path)
        expect(new URL(urls[0]!).host).toBe('example.com')
      }
    } finally {
      vi.unstubAllGlobals()
    }
    for (const path of ['/evil.test#', '/evil.test?', '/evil.test\\', '/a@evil.test:443#']) {
      const { q, urls } = addressesOf({ url: 'https://{component}.example.com', token: 'a' })
      await expect(q.request('GET', path)).rejects.toMatchObject({ status: 0, code: 'validation_failed' })
      expect(urls).toEqual([])
    }
  })

  it('to an untyped path returns the response unchanged', async () => {
    await using server = await serve((reply) => reply.writeHead(200, { 'content-type': 'text/plain' }).end('up 1'))
    const reply = await quartermaster({ url: server.url }).request('get', '/queue/_metrics', { a: 1 })
    expect(await reply.text()).toBe('up 1')
    expect(server.came[0]!.path).toBe('/queue/_metrics?a=1')
  })
})

describe('a link', () => {
  it('has the parameters in its query', () => {
    const q = quartermaster({ url: 'https://example.com', token: 'secret' })
    expect(q.media.url('/image/{digest}', { digest: 'a', w: 100, m: 'c' })).toBe(
      'https://example.com/media/image/a?w=100&m=c',
    )
  })
})

describe('a reply', () => {
  it('is its content, or the whole body without content', async () => {
    await using server = await serve(
      done({ workers: [] }),
      json({ status: true, digest: 'a' }),
      json({ status: false }),
    )
    const q = quartermaster({ url: server.url })
    expect(await q.queue.get('/workers')).toEqual({ workers: [] })
    expect(await q.media.get('/file/{digest}/info', { digest: 'a' })).toEqual({ status: true, digest: 'a' })
    expect(await q.otp.get('/sms/check', { phone: '1', password: '2' })).toEqual({ status: false })
  })

  it('is undefined for 204', async () => {
    await using server = await serve((reply) => reply.writeHead(204).end())
    expect(await quartermaster({ url: server.url }).catcher.get('/_last_request_')).toBeUndefined()
  })

  it('is the response if it is binary, whatever its type', async () => {
    await using server = await serve(json({ mine: true }), (reply) => reply.writeHead(304).end())
    const q = quartermaster({ url: server.url })
    const reply = await q.media.get('/file/{digest}', { digest: 'a' })
    expect(await reply.json()).toEqual({ mine: true })
    expect(await q.media.get('/file/{digest}', { digest: 'a' })).toMatchObject({ status: 304 })
  })

  it('is an error if the content is not ready', async () => {
    const body = { status: false, status_code: 'processing', message: 'Not ready' }
    await using server = await serve(json(body, 202, { 'retry-after': '3' }))
    const call = quartermaster({ url: server.url }).media.get('/video/{digest}', { digest: 'a' })
    await expect(call).rejects.toMatchObject({ status: 202, code: 'processing', retryAfter: 3 })
  })
})
