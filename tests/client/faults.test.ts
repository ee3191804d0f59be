import { describe, expect, it, vi } from 'vitest'
import { NoReplyError, QuartermasterError, quartermaster } from '#client/index'
import { retryDelayMs } from '#client/retry'
import { skipRandomPauses, stopClock } from './clock.ts'
import { type Answer, cut, done, half, json, refused, serve, silence } from './server.ts'

const task = { worker: 'default', url: 'https://example.com' }
const again = { 'retry-after': '0' }

skipRandomPauses()

/** What a call came to, and how often its request was sent. */
async function outcome(call: (q: ReturnType<typeof quartermaster>) => Promise<unknown>, ...answers: Answer[]) {
  await using server = await serve(...answers)
  const error = await call(quartermaster({ url: server.url })).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { error, came: server.came, times: server.came.length }
}

describe('a request that is safe to retry', () => {
  const failures: [string, Answer][] = [
    ['a connection that is cut', cut],
    ['a reply that breaks off', half],
    ['502', refused(502, 'smtp_failed')],
    ['503', refused(503, 'unavailable')],
    ['504', refused(504, 'upstream_timeout')],
    ['429', refused(429, 'limit_reached', again)],
    ['a page of a proxy', (reply) => reply.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway')],
  ]

  it.each(failures)('is retried after %s', async (_, failure) => {
    expect(await outcome((q) => q.queue.get('/workers'), failure, done())).toMatchObject({ error: undefined, times: 2 })
    expect(await outcome((q) => q.queue.post('/task', task), failure, done())).toMatchObject({
      error: undefined,
      times: 2,
    })
    expect(await outcome((q) => q.queue.delete('/task', { id: 'a' }), failure, done())).toMatchObject({ times: 2 })
    expect(await outcome((q) => q.catcher.put('/_requests_/reply', {}), failure, done())).toMatchObject({ times: 2 })
  })

  it('is retried at most three times, or as often as the options say', async () => {
    const first = await outcome((q) => q.queue.get('/workers'), cut)
    expect(first).toMatchObject({ times: 4, error: { name: 'NoReplyError', reason: 'network', attempts: 4 } })
    const second = await outcome((q) => q.queue.get('/workers', {}, { retries: 1 }), refused(503, 'unavailable'))
    expect(second).toMatchObject({ times: 2, error: { code: 'unavailable', attempts: 2 } })
    expect(await outcome((q) => q.queue.get('/workers', {}, { retries: 0 }), cut)).toMatchObject({ times: 1 })
  })

  it('has one idempotency key for all retries of a call, and another for the next call', async () => {
    const { came } = await outcome(
      async (q) => {
        await q.queue.post('/task', task)
        await q.queue.post('/task', task)
      },
      cut,
      refused(503, 'unavailable'),
      done(),
    )
    const keys = came.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3]])
    expect(keys[3]).not.toBe(keys[0])
    expect(new Set(came.map(({ body }) => body)).size).toBe(1)
  })

  it('uses the key of the caller', async () => {
    const { came } = await outcome((q) => q.queue.post('/task', task, { idempotencyKey: 'order-7' }), done())
    expect(came[0]!.headers['idempotency-key']).toBe('order-7')
  })

  it('has no key if the operation accepts none', async () => {
    const { came } = await outcome((q) => q.bus.post('/client', { name: 'c' }), done())
    expect(came[0]!.headers).not.toHaveProperty('idempotency-key')
  })

  it('is not retried after other errors', async () => {
    for (const status of [400, 401, 403, 404, 409, 413, 500])
      expect(await outcome((q) => q.queue.get('/workers'), refused(status, 'a'))).toMatchObject({ times: 1 })
  })

  it('is not retried after an unknown outcome', async () => {
    const answer = refused(504, 'outcome_unknown')
    expect(await outcome((q) => q.queue.post('/task', task), answer)).toMatchObject({ times: 1 })
  })

  it('includes a document with a uuid, and none without', async () => {
    const document = { collection: 'a', event: 'b', data: {} }
    expect(await outcome((q) => q.bus.post('/document', { ...document, uuid: 'c' }), cut, done())).toMatchObject({
      times: 2,
    })
    // @ts-expect-error: one without is refused by the API, and not repeated before that.
    expect(await outcome((q) => q.bus.post('/document', document), cut, done())).toMatchObject({ times: 1 })
  })
})

describe('a request that may have had an effect', () => {
  const post = (q: ReturnType<typeof quartermaster>) => q.bus.post('/client', { name: 'c' })
  const check = (q: ReturnType<typeof quartermaster>) => q.otp.post('/sms/check', { phone: '1', password: '2' })
  const checkByGet = (q: ReturnType<typeof quartermaster>) => q.otp.get('/sms/check', { phone: '1', password: '2' })

  it.each([
    ['a connection that is cut', cut],
    ['a reply that breaks off', half],
    ['502', refused(502, 'a')],
    ['503 without a time', refused(503, 'a')],
    ['504', refused(504, 'a')],
  ])('is not sent again after %s', async (_, failure) => {
    expect(await outcome(post, failure, done())).toMatchObject({ times: 1, error: { attempts: 1 } })
    // A password is used up by its check.
    for (const ask of [check, checkByGet])
      expect(await outcome(ask, failure, done())).toMatchObject({ times: 1, error: { attempts: 1 } })
  })

  it.each([
    ['429', refused(429, 'a', again)],
    ['429 without a time', refused(429, 'a')],
    ['503 with a time', refused(503, 'a', again)],
  ])('is sent again after %s, which says that it has not', async (_, failure) => {
    expect(await outcome(post, failure, done())).toMatchObject({ times: 2, error: undefined })
  })
})

describe('the delay before a retry', () => {
  const failed = new NoReplyError('network', 1)

  it('is random up to half a second, and doubles up to ten seconds', () => {
    for (const random of [0, 0.5, 1]) {
      vi.mocked(Math.random).mockReturnValue(random)
      const pauses = [1, 2, 3, 4, 5, 6, 60].map((attempts) => retryDelayMs(failed, attempts))
      expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000].map((longest) => longest * random))
    }
  })
})

describe('the timeout', () => {
  it('allows the delay that an error asks for', async () => {
    using clock = stopClock()
    await using server = await serve(refused(429, 'a', { 'retry-after': '20' }), done())
    const call = quartermaster({ url: server.url }).queue.get('/workers')
    await clock.until(() => clock.started(20_000) === 1)
    clock.advance(19_999)
    await new Promise((resolve) => setImmediate(resolve))
    expect(server.came).toHaveLength(1)
    clock.advance(1)
    await call
    expect(server.came).toHaveLength(2)
  })

  it('accepts a Retry-After that is a date', async () => {
    const at = new Date(Date.now() + 60_000).toUTCString()
    const { error, times } = await outcome((q) => q.queue.get('/workers'), refused(429, 'a', { 'retry-after': at }))
    expect(times).toBe(1)
    expect((error as QuartermasterError).retryAfter).toBeGreaterThan(50)
  })

  it('ends the call if Retry-After is longer than the time left', async () => {
    const answer = refused(429, 'a', { 'retry-after': '20' })
    const { error, times } = await outcome((q) => q.queue.get('/workers', {}, { timeout: 10_000 }), answer)
    expect(times).toBe(1)
    expect(error).toMatchObject({ status: 429, retryAfter: 20 })
  })

  it('applies to a server that does not answer', async () => {
    using clock = stopClock()
    await using server = await serve(silence)
    const failed = quartermaster({ url: server.url })
      .queue.get('/workers', {}, { timeout: 3000 })
      .catch((thrown: unknown) => thrown)
    await clock.until(() => server.came.length === 1)
    clock.advance(3000)
    const error = await failed
    expect(server.came).toHaveLength(1)
    expect(error).toBeInstanceOf(NoReplyError)
    expect(error).toMatchObject({ reason: 'timeout' })
  })

  it('applies to a token function that does not resolve', async () => {
    using clock = stopClock()
    await using server = await serve(done())
    const q = quartermaster({ url: server.url, token: () => new Promise<string>(() => {}) })
    const call = q.queue.get('/workers', {}, { timeout: 3000 })
    clock.advance(3000)
    await expect(call).rejects.toMatchObject({ reason: 'timeout' })
    expect(server.came).toEqual([])
  })

  it("is replaced by the reason of the caller's signal", async () => {
    const controller = new AbortController()
    const reason = new Error('left')
    const call = (q: ReturnType<typeof quartermaster>) => q.queue.get('/workers', {}, { signal: controller.signal })
    const { error, times } = await outcome(call, () => controller.abort(reason))
    expect([error, times]).toEqual([reason, 1])
    expect(await outcome(call, done())).toEqual({ error: reason, came: [], times: 0 })
  })

  it('applies during the delay before a retry', async () => {
    const controller = new AbortController()
    const call = (q: ReturnType<typeof quartermaster>) => q.queue.get('/workers', {}, { signal: controller.signal })
    const later = refused(429, 'a', { 'retry-after': '20' })
    const { error } = await outcome(call, (reply, came) => {
      reply.once('close', () => setImmediate(() => controller.abort(new Error('left'))))
      later(reply, came)
    })
    expect(error).toMatchObject({ message: 'left' })
  })

  it('allows any number of retries while the first request with the key is running', async () => {
    const running = refused(409, 'idempotency_key_in_use', again)
    const { error, times } = await outcome((q) => q.queue.post('/task', task), cut, ...Array(6).fill(running), done())
    expect([error, times]).toEqual([undefined, 8])
    const reused = refused(409, 'idempotency_key_reused')
    expect(await outcome((q) => q.queue.post('/task', task), reused)).toMatchObject({ times: 1 })
  })
})

describe('an error', () => {
  it('has the fields of the error', async () => {
    const body = {
      ...{ status: false, status_code: 'version_conflict', message: 'It has changed' },
      ...{ errors: { version: 'Is 2' }, content: { version: 2 } },
    }
    const answer = json(body, 409, { 'x-request-id': 'r-1', 'retry-after': '7' })
    const { error } = await outcome((q) => q.queue.get('/workers'), answer)
    expect(error).toBeInstanceOf(QuartermasterError)
    expect(error).toMatchObject({
      ...{ status: 409, code: 'version_conflict', message: 'It has changed', errors: { version: 'Is 2' } },
      ...{ content: { version: 2 }, requestId: 'r-1', retryAfter: 7, attempts: 1 },
    })
  })

  it('contains no data of the request', async () => {
    const secrets = { token: 'secret-token', secrets: { bus: 'secret-bus' } }
    const page: Answer = (reply) => reply.writeHead(404, { 'content-type': 'text/html' }).end('Nothing here')
    for (const answer of [cut, page, refused(400, 'a')]) {
      await using server = await serve(answer)
      const q = quartermaster({ url: server.url, ...secrets })
      const options = { headers: { 'x-mine': 'secret-header' }, retries: 0 }
      const error: unknown = await q.bus
        .get('/client', { name: 'secret-name' }, options)
        .catch((thrown: unknown) => thrown)
      const { inspect } = await import('node:util')
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('secret-')
    }
  })

  it('is thrown at once for an invalid URL', async () => {
    await expect(quartermaster({ url: 'nowhere' }).queue.get('/workers')).rejects.toThrow(TypeError)
  })

  it('is thrown for a reply that is not from the API', async () => {
    const page: Answer = (reply) => reply.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in')
    const { error } = await outcome((q) => q.queue.get('/workers'), page)
    expect(error).toMatchObject({ status: 200, code: 'unexpected_reply' })
  })

  it('is thrown for a redirect, which is not followed', async () => {
    const there: Answer = (reply) => reply.writeHead(302, { location: '/elsewhere' }).end()
    const { error, times } = await outcome((q) => q.queue.get('/workers'), there, done())
    expect(times).toBe(1)
    expect(error).toMatchObject({ code: 'http_302' })
  })

  it('is thrown before a request if a variable would change the path', async () => {
    for (const digest of ['', '.', '..']) {
      const { error, times } = await outcome((q) => q.media.delete('/file/{digest}', { digest }), done())
      expect(times).toBe(0)
      expect(error).toMatchObject({
        status: 0,
        code: 'validation_failed',
        errors: { digest: 'digest must not be empty, "." or "..".' },
      })
    }
  })
})
