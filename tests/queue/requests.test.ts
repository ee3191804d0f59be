// Tests of the HTTP requests that tasks send, and of the errors that their failures get.
import { exports } from 'cloudflare:workers'
import { describe, expect, inject, it } from 'vitest'
import { sendRequest } from '#queue/task-request'
import { ask } from '../support/requests.ts'
import { add, bound, fresh, place, pollOptions, record, show, target, until } from './support.ts'

/** Creates a task for a path of the target server, waits until it is done, and returns it with the request that arrived. */
async function sent(asked: Record<string, unknown>) {
  const { url, arrived } = place()
  const id = await add({ worker: 'default', url, ...asked })
  const [visit] = await arrived(1)
  return { id, visit: visit!, task: await until(id, 'done') }
}

describe('the request of a task', () => {
  // The target's HTTP parser knows the method LINK, but `fetch` does not: such a request is sent through a socket.
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'LINK', 'link', 'PROPFIND'])(
    'has the method %s',
    async (method) => {
      const { visit, task } = await sent({ method })
      expect(visit).toMatchObject({ method: method.toUpperCase(), body: '' })
      expect(task).toMatchObject({ method: method.toUpperCase(), status: 200, error: null, attempts: 1 })
    },
  )

  it('is a POST by default', async () => {
    expect((await sent({ json: {} })).visit).toMatchObject({ method: 'POST', body: '{}' })
  })

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'LINK'])(
    'has its JSON as the body of a %s',
    async (method) => {
      const { visit } = await sent({ method, json: { a: [1, 'ü'], b: null } })
      expect(JSON.parse(visit.body)).toEqual({ a: [1, 'ü'], b: null })
      expect(visit).toMatchObject({ method, headers: { 'content-type': 'application/json' } })
    },
  )

  it.each(['GET', 'POST'])('has its JSON unchanged in a %s', async (method) => {
    const { url, arrived } = place()
    const json = '{"b":1.0,"a":12345678901234567890,"":[1e2],"__proto__":{"x":0}}'
    const body = `{"worker":"default","url":${JSON.stringify(url)},"method":"${method}","json":${json}}`
    const response = await exports.default.fetch('http://queue/task', { method: 'POST', body })
    expect(response.status).toBe(200)
    expect((await arrived(1))[0]!.body).toBe(json)
  })

  it.each(['POST', 'GET', 'LINK'])('has a raw body with the given content type in a %s', async (method) => {
    const { visit } = await sent({ method, body: '<a>ü</a>', headers: { 'Content-Type': 'text/xml' } })
    expect(visit).toMatchObject({ method, body: '<a>ü</a>', headers: { 'content-type': 'text/xml' } })
  })

  it('has the given content type with JSON too', async () => {
    const headers = { 'content-type': 'application/vnd.a+json' }
    expect((await sent({ json: {}, headers })).visit).toMatchObject({ headers })
    expect((await sent({ method: 'GET', json: {}, headers })).visit).toMatchObject({ headers })
  })

  it('has the headers, overridden by secret headers, and the id and attempt of the task', async () => {
    const { id, visit } = await sent({
      headers: { 'X-One': 'a b', Authorization: 'none' },
      secret_headers: { authorization: 'Bearer k', 'X-Two': 'c' },
    })
    expect(visit.headers).toMatchObject({
      'x-one': 'a b',
      authorization: 'Bearer k',
      'x-two': 'c',
      'x-task-id': id,
      'x-task-attempt': '1',
    })
  })

  it('has the query of its URL and the added parameters', async () => {
    const { visit } = await sent({ query_string: { a: 'b c' } })
    expect(visit.search).toMatch(/^\?key=[^&]+&a=b\+c$/)
  })

  it.each([301, 302, 307, 308])('follows a redirect with status %i', async (status) => {
    const { url, arrived } = place()
    const query_string = { to: url, status }
    const id = await add({ worker: 'default', url: target('/redirect'), method: 'PUT', json: { a: 1 }, query_string })
    expect(await arrived(1)).toMatchObject([{ method: 'PUT', body: '{"a":1}', headers: { 'x-task-id': id } }])
    expect(await until(id, 'done')).toMatchObject({ status: 200, attempts: 1 })
  })

  it('follows a redirect as a GET if the status means that and no body is dropped', async () => {
    const { url, arrived } = place()
    await add({ worker: 'default', url: target('/redirect'), query_string: { to: url, status: 303 } })
    expect(await arrived(1)).toMatchObject([{ method: 'GET', body: '' }])
  })

  it.each([
    [301, 'POST', { json: { order: 1 } }],
    [302, 'POST', { body: 'order 1' }],
    [303, 'POST', { json: { order: 1 } }],
    [303, 'PUT', { json: { order: 1 } }],
    [302, 'POST', { json: { order: 1 }, confidential: true }],
    [301, 'POST', { min: 1, max: 5, gap: 5 }],
  ])('fails as `redirected` if status %i would drop the body of a %s: %j', async (status, method, asked) => {
    const { url, visits } = place()
    const query_string = { to: url, status }
    const id = await add({ worker: 'default', url: target('/redirect'), method, query_string, ...asked })
    const task = await until(id, 'failed')
    expect(task.unhappy_pieces ?? [task]).toMatchObject([{ status: null, error: 'redirected', attempts: 1 }])
    expect((await visits()).visits).toEqual([])
  })
})

const getWithBody = { method: 'GET', json: { a: 1 } }

describe('a failed request', () => {
  it('is sent once without retries', async () => {
    const { url, visits } = place({ statuses: '500' })
    const id = await add({ worker: 'default', url })
    expect(await until(id, 'failed')).toMatchObject({ status: 500, error: null, attempts: 1 })
    expect((await visits()).visits).toHaveLength(1)
  })

  it('is retried until it succeeds, with the same id', async () => {
    const { url, visits } = place({ statuses: '500,404,302,204' })
    const id = await add({ worker: 'default', url, retries: 5, retry_delay: 0, json: { a: 1 } })
    expect(await until(id, 'done')).toMatchObject({ status: 204, attempts: 4 })
    const made = (await visits()).visits.map(({ headers, body }) => [
      headers['x-task-id'],
      headers['x-task-attempt'],
      body,
    ])
    expect(made).toEqual(['1', '2', '3', '4'].map((n) => [id, n, '{"a":1}']))
  })

  it('is retried at most `retries` times', async () => {
    const { url, visits } = place({ statuses: '503' })
    const id = await add({ worker: 'default', url, retries: 2, retry_delay: 0 })
    expect(await until(id, 'failed')).toMatchObject({ status: 503, attempts: 3 })
    expect((await visits()).visits).toHaveLength(3)
  })

  it.each([
    ['an answer that is cut off', '/cut', 'interrupted', {}],
    ['a connection that is closed without an answer', '/hangs-up', 'interrupted', {}],
    ['a connection that is closed without an answer to a GET with a body', '/hangs-up', 'interrupted', getWithBody],
    ['an answer that is not HTTP', '/garbage', 'interrupted', {}],
    ['redirects without end', '/circle', 'redirected', {}],
    ['silence', '/never', 'timeout', { timeout: 0.5 }],
  ])('fails after %s', async (_, path, error, asked) => {
    const id = await add({ worker: 'default', url: target(path), ...asked })
    expect(await until(id, 'failed')).toMatchObject({ status: null, error, attempts: 1 })
  })

  it.each([{}, { method: 'GET' }, getWithBody, { json: {} }])(
    'is reported as not sent if no server listens: %j',
    async (asked) => {
      for (const url of ['http://127.0.0.1:1/', 'http://nobody.invalid/']) {
        const id = await add({ worker: 'default', url, ...asked })
        expect(await until(id, 'failed')).toMatchObject({ status: null, error: 'unreachable' })
      }
    },
  )

  it('has an unknown outcome if a redirect leads to a port without a server', async () => {
    const id = await add({ worker: 'default', url: target('/redirect?to=http://127.0.0.1:1/&status=307'), json: {} })
    expect(await until(id, 'failed')).toMatchObject({ status: null, error: 'interrupted' })
  })

  it.each([{}, { method: 'LINK' }])('is sent without a probe of its connection when deployed: %j', async (asked) => {
    const { LOCAL: _, ...deployed } = bound
    const errand = { ...record, id: 'default-1', attempt: 1, piece: null, url: 'http://127.0.0.1:1/', ...asked }
    expect(await sendRequest({ ...deployed, LOCAL: 'true' }, errand)).toMatchObject({
      status: null,
      error: 'unreachable',
    })
    expect(await sendRequest(deployed, errand)).toMatchObject({ status: null, error: 'interrupted' })
  })

  const ipv6Port = inject('ipv6TargetPort')

  it.skipIf(ipv6Port === null).each([{}, { method: 'GET' }, getWithBody, { json: {} }])(
    'is sent to an IPv6 address: %j',
    async (asked) => {
      const { search } = new URL(place().url)
      const id = await add({ worker: 'default', url: `http://[::1]:${ipv6Port}/visit${search}`, ...asked })
      expect(await until(id, 'done')).toMatchObject({ status: 200, error: null, attempts: 1 })
    },
  )

  it('fails if a redirect leads to a refused address', async () => {
    const id = await add({ worker: 'default', url: target('/redirect?to=ftp://a.dev/') })
    expect(await until(id, 'failed')).toMatchObject({ status: null, error: 'refused' })
  })

  it('waits for the seconds of Retry-After', async () => {
    const { url } = place({ statuses: '503', retry_after: 5_000 })
    const id = await add({ worker: fresh(), url, retries: 1, retry_delay: 0 })
    await expect.poll(async () => (await show(id)).status, pollOptions).toBe(503)
    const { state, due_at, started_at } = await show(id)
    expect(state).toBe('waiting')
    expect(Date.parse(due_at) - Date.parse(started_at!)).toBeGreaterThanOrEqual(5_000_000)
    await ask('DELETE', '/task', { id })
  })

  it('waits until the date of Retry-After, at most a day', async () => {
    const { url } = place({ statuses: '503', retry_after: 'Fri, 01 Jan 2100 00:00:00 GMT' })
    const id = await add({ worker: fresh(), url, retries: 1, retry_delay: 0 })
    await expect.poll(async () => (await show(id)).status, pollOptions).toBe(503)
    const { due_at, started_at } = await show(id)
    expect(Date.parse(due_at) - Date.parse(started_at!)).toBeGreaterThanOrEqual(86_400_000)
    expect(Date.parse(due_at) - Date.parse(started_at!)).toBeLessThan(86_500_000)
  })

  it('counts as answered if the response is larger than the limit', async () => {
    const id = await add({ worker: 'default', url: target('/large') })
    expect(await until(id, 'done')).toMatchObject({ status: 200 })
  })
})

describe('the requests of a fraction', () => {
  it('are one per piece of its range, with its JSON', async () => {
    const { url, visits } = place()
    const id = await add({ worker: fresh(), url, json: { a: 1, _min: 'x' }, min: -3, max: 8, gap: 5 })
    const { fraction } = await until(id, 'done')
    expect(fraction).toMatchObject({ next: null, pieces: { total: 3, done: 3, failed: 0, lost: 0 } })
    const made = (await visits()).visits
    expect(made.map(({ body }) => JSON.parse(body))).toEqual([
      { a: 1, _min: -3, _max: 1, _gap: 5 },
      { a: 1, _min: 2, _max: 6, _gap: 5 },
      { a: 1, _min: 7, _max: 8, _gap: 5 },
    ])
    expect(made.map(({ headers }) => headers['x-task-id'])).toEqual([id, id, id])
  })

  it('have a body with GET too, and without their own JSON', async () => {
    const { url, visits } = place()
    const id = await add({ worker: fresh(), url, method: 'GET', min: 1, max: 1, gap: 10 })
    await until(id, 'done')
    expect((await visits()).visits).toMatchObject([{ method: 'GET', body: '{"_min":1,"_max":1,"_gap":10}' }])
  })

  it('are retried separately, and failed pieces are listed', async () => {
    const { url, visits } = place({ statuses: '500,200,500,200,200' })
    const id = await add({ worker: fresh(), url, min: 1, max: 3, gap: 1 })
    const { fraction, unhappy_pieces } = await until(id, 'failed')
    expect(fraction).toMatchObject({ next: null, pieces: { total: 3, done: 1, failed: 2, lost: 0 } })
    const failed = { state: 'failed', attempts: 1, status: 500, error: null }
    expect(unhappy_pieces).toEqual([
      { ...failed, min: 1, max: 1 },
      { ...failed, min: 3, max: 3 },
    ])
    expect(await ask('POST', '/task/retry', { id })).toMatchObject({ status: 200 })
    expect(await until(id, 'done')).toMatchObject({ fraction: { pieces: { done: 3, failed: 0 } }, unhappy_pieces: [] })
    const pieces = (await visits()).visits.map(({ body }) => (JSON.parse(body) as { _min: number })._min)
    expect(pieces).toEqual([1, 2, 3, 1, 3])
  })

  it('end when the fraction is canceled', async () => {
    const { url, visits, arrived, release } = place({ hold: 1 })
    const id = await add({ worker: fresh(), url, min: 1, max: 1_000_000, gap: 1 })
    await release(2)
    await arrived(3)
    const { json } = await ask('DELETE', '/task', { id })
    expect(json.content).toMatchObject({ task: { state: 'canceled', fraction: { next: 4 } } })
    await release()
    await expect.poll(async () => (await show(id)).fraction!.pieces.done, pollOptions).toBe(3)
    expect((await visits()).visits).toHaveLength(3)
    expect(await show(id)).toMatchObject({ state: 'canceled', fraction: { next: 4 } })
  })
})
