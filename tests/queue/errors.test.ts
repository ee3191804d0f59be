// Tests of the errors of the queue's API: invalid parameters, unknown tasks and schedules, and tasks in the wrong state.
import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { queue } from '#queue/index'
import { ask } from '../support/requests.ts'
import { add, fresh, target, under, until } from './support.ts'

const refusal = (field: string) => ({
  status: 400,
  json: { status: false, status_code: 'validation_failed', errors: { [field]: expect.any(String) } },
})

const task = { worker: 'default', url: 'http://127.0.0.1:1/', delay: 1_000 }
const fraction = { ...task, min: 1, max: 10, gap: 2 }
const scheduled = { worker: 'default', url: 'http://127.0.0.1:1/', schedule: 'a', cron: '0 0 1 1 *' }

const requests: [string, Record<string, unknown>][] = [
  ['worker', { worker: 'nobody' }],
  ['worker', { worker: '' }],
  ['worker', { worker: '-a' }],
  ['worker', { worker: 'a b' }],
  ['url', { url: '' }],
  ['url', { url: 'nothing' }],
  ['url', { url: '/path' }],
  ['url', { url: 'ftp://a.dev/' }],
  ['url', { url: 'http://user:secret@a.dev/' }],
  ['url', { url: `http://a.dev/${'x'.repeat(2_000)}` }],
  ['method', { method: 'CONNECT' }],
  ['method', { method: 'connect' }],
  ['method', { method: 'TRACE' }],
  ['method', { method: 'GET /' }],
  ['method', { method: 'GE\r\nT' }],
  ['method', { method: 'M'.repeat(33) }],
  ['json', { json: [] }],
  ['json', { json: 'text' }],
  ['headers', { headers: { 'x-a': 'a\nb' } }],
  ['headers', { headers: { 'x-a': 'a\0b' } }],
  ['headers', { headers: { 'x-a': 'é' } }],
  ['headers', { headers: { 'x a': 'b' } }],
  ['headers', { headers: { '': 'b' } }],
  ['headers', { headers: { Host: 'a' } }],
  ['headers', { headers: { 'Transfer-Encoding': 'chunked' } }],
  ['headers', { headers: { 'content-length': '1' } }],
  ['headers', { headers: { connection: 'close' } }],
  ['headers', { headers: { 'X-Task-Id': 'a-1' } }],
  ['headers', { headers: { 'x-a': 'x'.repeat(16_384) } }],
  ['headers.x-a', { headers: { 'x-a': 1 } }],
  ['secret_headers', { secret_headers: { 'x-a': 'a\r\nb' } }],
  ['secret_headers', { secret_headers: { 'X-Task-Attempt': '1' } }],
  ['query_string', { query_string: 1 }],
  ['query_string.a', { query_string: { a: null } }],
  ['delay', { delay: -1 }],
  ['delay', { delay: '1.5x' }],
  ['delay', { delay: 1e12 }],
  ['datetime', { delay: 1, datetime: '2100-01-01' }],
  ['datetime', { delay: undefined, datetime: 'tomorrow' }],
  ['datetime', { delay: undefined, datetime: '2100-02-30' }],
  ['timeout', { timeout: 0 }],
  ['timeout', { timeout: 901 }],
  ['sleep', { sleep: -1 }],
  ['sleep', { sleep: 1.5 }],
  ['retries', { retries: -1 }],
  ['retries', { retries: 1_001 }],
  ['retry_delay', { retry_delay: -1 }],
  ['confidential', { confidential: 'yes' }],
]

describe.each([
  ['/task', task],
  ['/fraction', fraction],
])('POST %s', (path, right) => {
  it.each(requests)('refuses a invalid %s: %j', async (field, invalid) => {
    expect(await ask('POST', path, { ...right, ...invalid })).toMatchObject(refusal(field))
  })

  it.each(['worker', 'url'])('requires %s', async (field) => {
    expect(await ask('POST', path, { ...right, [field]: undefined })).toMatchObject(refusal(field))
  })

  it('refuses a private address unless ALLOW_PRIVATE_TARGETS is set', async () => {
    for (const url of ['http://127.0.0.1/', 'http://localhost/', 'http://169.254.169.254/', 'http://[::1]/']) {
      const reply = await ask('POST', path, { ...right, url }, under({ ALLOW_PRIVATE_TARGETS: '' }))
      expect(reply).toMatchObject(refusal('url'))
      expect((await ask('POST', path, { ...right, url })).status).toBe(200)
    }
  })

  it.each(['secret_headers', 'confidential'])(
    'returns 503 for %s without QUEUE_SECRET, and 200 without secrets',
    async (field) => {
      const without = under({ QUEUE_SECRET: '' })
      const secret = field === 'confidential' ? { confidential: true, json: {} } : { secret_headers: { a: 'b' } }
      expect(await ask('POST', path, { ...right, ...secret }, without)).toMatchObject({
        status: 503,
        json: { status_code: 'not_configured', message: expect.stringContaining('QUEUE_SECRET') },
      })
      expect((await ask('POST', path, { ...right, json: {} }, without)).status).toBe(200)
    },
  )

  it('refuses a body of more than 1.5 MB', async () => {
    const json = { a: 'x'.repeat(1_500_000) }
    expect(await ask('POST', path, { ...right, json })).toMatchObject({
      status: 413,
      json: { status_code: 'payload_too_large' },
    })
  })

  it('refuses a body that is not a JSON object', async () => {
    for (const body of ['[', '[]', '"a"', '1']) {
      const response = await exports.default.fetch(`http://queue${path}`, { method: 'POST', body })
      expect([response.status, await response.json()]).toMatchObject([400, { status_code: 'invalid_json' }])
    }
  })
})

describe('POST /task', () => {
  it.each([
    ['body', { json: {}, body: 'a' }],
    ['body', { body: 1 }],
    ['cron', { schedule: 'a', delay: undefined }],
    ['schedule', { cron: '* * * * *', delay: undefined }],
    ['schedule', { ...scheduled, schedule: 'a b', delay: undefined }],
    ['cron', scheduled],
    ['cron', { ...scheduled, delay: undefined, datetime: '2100-01-01' }],
    ['cron', { ...scheduled, delay: undefined, cron: '* * *' }],
    ['cron', { ...scheduled, delay: undefined, cron: '61 * * * *' }],
    ['cron', { ...scheduled, delay: undefined, cron: '0 0 30 2 *' }],
    ['timezone', { ...scheduled, delay: undefined, timezone: 'Mars/Olympus' }],
  ])('refuses a invalid %s: %j', async (field, invalid) => {
    expect(await ask('POST', '/task', { ...task, ...invalid })).toMatchObject(refusal(field))
  })
})

describe('POST /fraction', () => {
  it.each([
    ['min', { min: 11 }],
    ['min', { min: -1e15 - 1 }],
    ['min', { min: 1.5 }],
    ['max', { max: 1e15 + 1 }],
    ['max', { max: 'x' }],
    ['gap', { gap: 0 }],
    ['gap', { gap: -1 }],
    ['gap', { gap: 1.5 }],
    ['min', { min: undefined }],
    ['max', { max: undefined }],
    ['gap', { gap: null }],
  ])('refuses a invalid %s: %j', async (field, invalid) => {
    expect(await ask('POST', '/fraction', { ...fraction, ...invalid })).toMatchObject(refusal(field))
  })
})

describe('an unknown task', () => {
  const ids = [
    'default-999999',
    'nobody-1',
    'default',
    'default-0',
    'default-01',
    'default-x',
    'default--1',
    '-',
    '%',
    '1',
  ]
  const calls = [
    ['GET', '/task'],
    ['DELETE', '/task'],
    ['POST', '/task/retry'],
  ] as const
  const cases = calls.flatMap(([method, path]) => ids.map((id) => [method, path, id] as const))

  it.each(cases)('gets 404 from %s %s: %s', async (method, path, id) => {
    const reply = { status: 404, json: { status: false, status_code: 'task_not_found' } }
    expect(await ask(method, path, { id })).toMatchObject(reply)
  })

  it.each(calls)('needs a valid id in %s %s', async (method, path) => {
    expect(await ask(method, path, {})).toMatchObject(refusal('id'))
    expect(await ask(method, path, { id: 'a'.repeat(101) })).toMatchObject(refusal('id'))
  })
})

describe('a task that has ended', () => {
  const conflict = (status_code: string) => ({ status: 409, json: { status: false, status_code } })

  it('cannot be canceled, and cannot be retried if it is done', async () => {
    const id = await add({ worker: 'default', url: target('/echo') })
    await until(id, 'done')
    expect(await ask('DELETE', '/task', { id })).toMatchObject(conflict('task_ended'))
    expect(await ask('POST', '/task/retry', { id })).toMatchObject(conflict('task_not_repeatable'))
  })

  it('cannot be retried if it had secrets', async () => {
    const id = await add({ worker: 'default', url: target('/empty?status=500'), secret_headers: { a: 'b' } })
    await until(id, 'failed')
    expect(await ask('POST', '/task/retry', { id })).toMatchObject(conflict('task_not_repeatable'))
  })

  it('is not in the list of waiting tasks', async () => {
    const id = await add({ ...task, worker: fresh() })
    expect(await ask('POST', '/task/retry', { id })).toMatchObject(conflict('task_not_repeatable'))
  })
})

describe('a worker', () => {
  it.each([
    ['GET', '/tasks'],
    ['GET', '/schedules'],
    ['POST', '/worker/pause'],
    ['POST', '/worker/resume'],
    ['DELETE', '/schedule'],
  ])('that is not configured is rejected by %s %s', async (method, path) => {
    expect(await ask(method, path, { worker: 'nobody', name: 'a' })).toMatchObject(refusal('worker'))
    expect(await ask(method, path, { name: 'a' })).toMatchObject(refusal('worker'))
  })

  it.each([
    ['state', { state: 'asleep' }],
    ['kind', { kind: 'piece' }],
    ['schedule', { schedule: 'a b' }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 1_001 }],
    ['offset', { offset: -1 }],
    ['after', { after: 'y' }],
    ['label', { label: '' }],
    ['count', { count: 'perhaps' }],
  ])('rejects a list with an invalid %s: %j', async (field, invalid) => {
    expect(await ask('GET', '/tasks', { worker: 'default', ...invalid })).toMatchObject(refusal(field))
  })

  it('names the cursor to a caller that wants to skip more than 10 000 tasks', async () => {
    const { json } = await ask('GET', '/tasks', { worker: 'default', offset: 10_001 })
    expect(json).toMatchObject({
      status_code: 'validation_failed',
      errors: { offset: expect.stringContaining('at most 10000. Use the cursor `after`') },
    })
  })

  it('returns 404 for an unknown schedule', async () => {
    const reply = { status: 404, json: { status_code: 'schedule_not_found' } }
    expect(await ask('DELETE', '/schedule', { worker: 'default', name: 'none' })).toMatchObject(reply)
    expect(await ask('DELETE', '/schedule', { worker: 'default' })).toMatchObject(refusal('name'))
  })
})

describe('QUEUE_WORKERS', () => {
  it.each([
    '{',
    '[]',
    '"a"',
    '1',
    '{"a":0}',
    '{"a":-1}',
    '{"a":1.5}',
    '{"a":"1"}',
    '{"a":1001}',
    '{"a b":1}',
    '{"":1}',
    '{"a":{}}',
    '{"a":{"daemons":0}}',
    '{"a":{"daemons":1,"per_key":{}}}',
    '{"a":{"daemons":1,"per_key":{"concurrency":0}}}',
    '{"a":{"daemons":1,"per_key":{"concurrency":101}}}',
    '{"a":{"daemons":1,"perkey":{"concurrency":1}}}',
  ])('is %s: every request returns 503 and names the variable', async (QUEUE_WORKERS) => {
    const invalid = under({ QUEUE_WORKERS })
    const reply = {
      status: 503,
      json: { status_code: 'not_configured', message: expect.stringContaining('QUEUE_WORKERS') },
    }
    expect(await ask('POST', '/task', task, invalid)).toMatchObject(reply)
    expect(await ask('GET', '/workers', {}, invalid)).toMatchObject(reply)
    expect(await ask('GET', '/task', { id: 'default-1' }, invalid)).toMatchObject(reply)
  })

  it('is named together with QUEUE_RETENTION if both are invalid', async () => {
    for (const QUEUE_RETENTION of ['7d', '0', '1.5'])
      expect(await ask('GET', '/workers', {}, under({ QUEUE_RETENTION }))).toMatchObject({
        status: 503,
        json: { status_code: 'not_configured', message: expect.stringContaining('QUEUE_RETENTION') },
      })
    expect(await ask('GET', '/workers', {}, under({ QUEUE_RETENTION: '60', QUEUE_WORKERS: '{}' }))).toMatchObject({
      status: 200,
    })
  })

  it('may be empty, which leaves the default workers', async () => {
    for (const QUEUE_WORKERS of ['', '{}']) {
      const { json } = await ask('GET', '/workers', {}, under({ QUEUE_WORKERS }))
      const { workers } = json.content as unknown as { workers: { name: string; daemons: number }[] }
      expect(workers).toHaveLength(15)
      for (const [name, daemons] of Object.entries({ default: 4, bus: 32, otp: 16, notification: 16, delivery: 4 }))
        expect(workers).toContainEqual(expect.objectContaining({ name, daemons }))
    }
  })

  it('may set the number of daemons of a default worker', async () => {
    const { json } = await ask(
      'GET',
      '/workers',
      {},
      under({ QUEUE_WORKERS: '{"sms":9,"mine":{"daemons":1,"per_key":{"concurrency":1}}}' }),
    )
    const { workers } = json.content as unknown as { workers: { name: string; daemons: number; per_key: object }[] }
    const daemons = Object.fromEntries(workers.map(({ name, daemons }) => [name, daemons]))
    expect(daemons).toMatchObject({ sms: 9, mine: 1, email: 4 })
    const perKey = Object.fromEntries(workers.map(({ name, per_key }) => [name, per_key]))
    expect(perKey).toMatchObject({ sms: null, mine: { concurrency: 1 }, bus: { concurrency: 1 } })
  })
})

describe('every endpoint', () => {
  const closed = queue.endpoints.filter(({ open }) => !open)
  const endpoints = closed.map(({ method, path }) => [method.toUpperCase(), path] as const)

  it.each(endpoints)('requires credentials: %s %s', async (method, path) => {
    const guarded = under({ AUTH_TOKENS: 'token' })
    expect(await ask(method, path, {}, guarded)).toMatchObject({ status: 401, json: { status_code: 'unauthorized' } })
    const response = await guarded(`http://queue${path}`, { method, headers: { authorization: 'Bearer token' } })
    expect(response.status).not.toBe(401)
    await response.body?.cancel()
  })

  it.each(endpoints)('returns 405 with its methods: %s %s', async (_, path) => {
    const allow = queue.endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method.toUpperCase())
    const response = await exports.default.fetch(`http://queue${path}`, { method: 'PATCH' })
    expect([response.status, await response.json()]).toMatchObject([405, { status_code: 'method_not_allowed' }])
    expect(response.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(allow))
  })

  it('exists, and other paths return 404', async () => {
    expect(await ask('GET', '/nothing')).toMatchObject({ status: 404, json: { status_code: 'route_not_found' } })
  })
})
