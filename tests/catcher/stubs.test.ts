// Tests of stubs through HTTP: matching, sequences, templates, slow and cut replies, limits, and the canned reply as a stub.
import { runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Env } from '#catcher/bindings'
import type { Space } from '#catcher/space'
import { ask } from './ask.ts'

afterEach(() => vi.restoreAllMocks())

const space = () => {
  const name = crypto.randomUUID()
  const add = async (stub: object) => {
    const { status, json } = await ask('POST', '/_requests_/stubs', { space: name, ...stub })
    expect([status, json]).toEqual([201, expect.anything()])
    return (json as { content: { stub: { id: number } } }).content.stub.id
  }
  const send = async (path: string, init: RequestInit = {}) =>
    exports.default.fetch(`http://catcher.example${path}`, {
      ...init,
      headers: { 'x-catcher-space': name, ...(init.headers as Record<string, string>) },
    })
  const texts = async (...paths: string[]) => {
    const replies: string[] = []
    for (const path of paths) replies.push(await (await send(path)).text())
    return replies
  }
  const list = async () => {
    const { json } = await ask('GET', '/_requests_/stubs', { space: name })
    return (json as { content: { stubs: Record<string, unknown>[] } }).content.stubs
  }
  return { name, add, send, texts, list }
}

const caught = '{"status":true}'

describe('a stub', () => {
  it('answers the requests that match all its conditions', async () => {
    const { add, send } = space()
    await add({
      match: {
        method: 'POST',
        path: '/orders/:id',
        query: { urgent: '1' },
        headers: { 'X-Key': 'a*' },
        json: { n: 1 },
      },
      replies: [{ status: 202, json: { ok: true } }],
    })
    const init = { method: 'POST', headers: { 'x-key': 'abc' }, body: '{"n": 1, "more": 2}' }
    const response = await send('/orders/7?urgent=1', init)
    expect([response.status, await response.json(), response.headers.get('content-type')]).toEqual([
      202,
      { ok: true },
      'application/json; charset=utf-8',
    ])
    expect(response.headers.get('content-security-policy')).toBe('sandbox')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    for (const [path, other] of [
      ['/orders/7', init],
      ['/orders/7/x?urgent=1', init],
      ['/orders/7?urgent=1', { ...init, method: 'PUT' }],
      ['/orders/7?urgent=1', { ...init, headers: {} }],
      ['/orders/7?urgent=1', { ...init, body: '{"n": 2}' }],
    ] as const)
      expect(await (await send(path, other)).text()).toBe(caught)
  })

  it('sends its replies in sequence, and then the last one', async () => {
    const { add, texts } = space()
    await add({ replies: [{ status: 503, body: '1' }, { body: '2' }, { body: '3' }] })
    expect(await texts('/', '/', '/', '/', '/')).toEqual(['1', '2', '3', '3', '3'])
  })

  it('sends each reply once to concurrent requests, and ends after its number of times', async () => {
    const { add, texts, list } = space()
    await add({ replies: [{ body: '1' }, { body: '2' }, { body: '3' }], times: 4 })
    const replies = await Promise.all(Array.from({ length: 7 }, () => texts('/')))
    expect(replies.flat().sort()).toEqual(['1', '2', '3', '3', caught, caught, caught])
    expect(await list()).toMatchObject([{ times: 4, remaining: 0, used: 4 }])
  })

  it('keeps its place in the sequence when the object restarts', async () => {
    const { name, add, texts } = space()
    await add({ replies: [{ body: '1' }, { body: '2' }] })
    expect(await texts('/')).toEqual(['1'])
    const stub = (env as unknown as Env).SPACE.getByName(name)
    await runInDurableObject(stub, (_: Space, { abort }) => abort('restart')).catch(() => undefined)
    expect(await texts('/')).toEqual(['2'])
  })

  it('with the greatest priority answers, and of equal ones the newest', async () => {
    const { add, texts, list } = space()
    await add({ replies: [{ body: 'old' }] })
    await add({ match: { path: '/a' }, replies: [{ body: 'new' }] })
    await add({ match: { path: '/b' }, priority: 9, replies: [{ body: 'first' }], times: 1 })
    await add({ priority: 0, replies: [{ body: 'never' }] })
    expect(await texts('/a', '/b', '/b', '/c')).toEqual(['new', 'first', 'old', 'old'])
    expect((await list()).map(({ id }) => id)).toEqual([3, 2, 1, 4])
  })

  it('is listed and deleted', async () => {
    const { name, add, texts, list } = space()
    const match = {
      method: 'put',
      path: '/a/:b',
      query: { c: ['d'] },
      headers: { e: false },
      json: { f: 1.5, g: null },
    }
    const replies = [
      {
        status: 201,
        headers: { 'X-A': 'b' },
        json: { big: 12345678901234567890n.toString() },
        delay: 1,
        slow_ms: 2,
        cut_after: 3,
      },
    ]
    const id = await add({ match, replies, times: 5, priority: 7 })
    const other = await add({ replies: [{ body: 'other' }] })
    expect(await list()).toEqual([
      {
        id,
        match,
        replies,
        forward: null,
        times: 5,
        remaining: 5,
        used: 0,
        priority: 7,
        created_at: expect.any(String),
      },
      expect.objectContaining({ id: other, match: {}, times: null, remaining: null, priority: 5 }),
    ])
    expect((await ask('DELETE', '/_requests_/stubs', { space: name, id: other })).status).toBe(200)
    expect(await texts('/')).toEqual([caught])
    expect((await ask('DELETE', '/_requests_/stubs', { space: name, id: other })).json.status_code).toBe(
      'stub_not_found',
    )
    expect((await ask('DELETE', '/_requests_/stubs', { space: name })).status).toBe(200)
    expect(await list()).toEqual([])
    expect(await add({ replies: [{}] })).toBeGreaterThan(other)
  })

  it('stays when requests are deleted', async () => {
    const { name, add, texts } = space()
    await add({ replies: [{ body: 'a' }] })
    await ask('DELETE', '/_requests_', { space: name })
    expect(await texts('/')).toEqual(['a'])
  })
})

describe('a template', () => {
  it('has the values of the request', async () => {
    const { add, send } = space()
    await add({
      match: { path: '/orders/:id' },
      replies: [
        {
          headers: { location: '/orders/{{ request.params.id }}', 'x-agent': '{{ request.headers["x-from"] }}' },
          json: {
            text: '{{ request.method }} {{ request.path }} {{ request.query.a }} {{ request.json.user.name }}',
            list: ['{{ request.json.big }}', 1.0, null, true],
            '{{ key }}': 'plain',
          },
        },
      ],
    })
    const response = await send('/orders/a%20b?a=1', {
      method: 'POST',
      headers: { 'x-from': 'crm' },
      body: '{"user": {"name": "A \\"quoted\\" name"}, "big": 12345678901234567890}',
    })
    expect(response.headers.get('location')).toBe('/orders/a b')
    expect(response.headers.get('x-agent')).toBe('crm')
    expect(await response.json()).toEqual({
      text: 'post /orders/a%20b 1 A "quoted" name',
      list: ['12345678901234567890', 1, null, true],
      '{{ key }}': 'plain',
    })
  })

  it('in HTML escapes values, and in text it does not', async () => {
    const { add, texts } = space()
    const body = '<p>{{ request.query.a }}</p>'
    await add({
      match: { path: '/html' },
      replies: [{ body, headers: { 'Content-Type': 'text/html; charset=utf-8' } }],
    })
    await add({ match: { path: '/text' }, replies: [{ body }] })
    expect(await texts('/html?a=<b>', '/text?a=<b>')).toEqual(['<p>&lt;b&gt;</p>', '<p><b></p>'])
  })

  it('that takes too long, or makes an invalid header, fails with 500', async () => {
    const { add, send } = space()
    const loop = '{% for i in (1..99999) %}{% for j in (1..99999) %}x{% endfor %}{% endfor %}'
    await add({ match: { path: '/loop' }, replies: [{ body: loop }] })
    await add({
      match: { path: '/shared' },
      replies: [{ json: Array(50).fill('{% for i in (1..3000) %}{% endfor %}{{ 1 }}') }],
    })
    await add({ match: { path: '/header' }, replies: [{ headers: { a: '{{ request.body }}' } }] })
    for (const path of ['/loop', '/shared', '/header']) {
      const response = await send(path, { method: 'POST', body: 'a\r\nset-cookie: b=c' })
      expect([response.status, await response.json()]).toMatchObject([500, { status_code: 'template_failed' }])
    }
  })

  it('shows masked credentials as masked', async () => {
    const { add, send } = space()
    await add({ replies: [{ body: '{{ request.headers.authorization }} {{ request.query.token }}' }] })
    const key = `qm_${'0'.repeat(24)}_${'a'.repeat(43)}`
    const response = await send(`/?token=${key}`, { headers: { authorization: `Bearer ${key}` } })
    expect(await response.text()).toBe('Bearer [masked] [masked]')
  })
})

describe('a reply', () => {
  it('is sent slowly, in parts', async () => {
    const { add, send } = space()
    const body = 'ä'.repeat(100)
    await add({ replies: [{ body, slow_ms: 1_000 }] })
    const wait = vi.spyOn(scheduler, 'wait').mockResolvedValue()
    const response = await send('/')
    expect(response.headers.get('content-type')).toBe('text/plain;charset=UTF-8')
    expect(await response.text()).toBe(body)
    expect(wait.mock.calls).toEqual(Array(20).fill([50]))
  })

  it('without bytes is sent at once', async () => {
    const { add, send } = space()
    await add({ replies: [{ slow_ms: 60_000 }] })
    expect(await (await send('/')).text()).toBe('')
  })

  it.each([
    [0, ''],
    [3, 'abc'],
    [9, 'abcdef'],
  ])('is cut after %i bytes', async (cut_after, expected) => {
    const { add, send } = space()
    await add({ replies: [{ status: 201, body: 'abcdef', cut_after }] })
    const { status, body } = await send('/')
    const reader = body!.getReader()
    let text = ''
    const readAll = async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read())
        text += new TextDecoder().decode(part.value)
    }
    await expect(readAll()).rejects.toThrow()
    expect([status, text]).toEqual([201, expected])
  })
})

describe('the canned reply', () => {
  it('replaces all stubs, and is listed as one', async () => {
    const { name, add, list, texts } = space()
    await add({ replies: [{ body: 'stub' }] })
    await ask('PUT', '/_requests_/reply', { space: name, path: '/a:b*', body: '{{ canned }}', times: 3 })
    expect(await list()).toMatchObject([{ match: { path: '/a\\:b*' }, times: 3, replies: [{ body: '{{ canned }}' }] }])
    expect(await texts('/a:bc', '/axc')).toEqual(['{{ canned }}', caught])
    await add({ replies: [{ body: 'stub' }], priority: 0 })
    expect((await ask('GET', '/_requests_/reply', { space: name })).json.content).toMatchObject({
      reply: { path: '/a:b*', remaining: 2 },
    })
    await ask('DELETE', '/_requests_/reply', { space: name })
    expect((await ask('GET', '/_requests_/reply', { space: name })).json.status_code).toBe('reply_not_found')
    expect(await texts('/a:bc')).toEqual(['stub'])
  })

  it('that an older version stored stays', async () => {
    const { name, texts } = space()
    const stub = (env as unknown as Env).SPACE.getByName(name)
    const { createHistory } = await import('#catcher/history')
    const { createReplies } = await import('#catcher/canned-reply')
    await runInDurableObject(stub, (_: Space, { storage }) => {
      storage.sql.exec(createHistory)
      storage.sql.exec(createReplies)
      storage.kv.put('schema', 2)
      storage.sql.exec(
        `INSERT INTO reply VALUES (1, 0, 418, '{"X-A": "null"}', NULL, '{"a": 1.0, "b": null}', 3, 5, 2, 'get', '/a*')`,
      )
    })
    expect((await ask('GET', '/_requests_/reply', { space: name })).json.content).toEqual({
      reply: {
        ...{ status: 418, headers: { 'X-A': 'null' }, json: { a: 1, b: null }, delay: 3 },
        ...{ times: 5, remaining: 2, method: 'get', path: '/a*' },
      },
    })
    expect(await texts('/ab', '/ab', '/ab')).toEqual(['{"a": 1.0, "b": null}', '{"a": 1.0, "b": null}', caught])
  })
})

it('limits the number and the size of the stubs of a space', async () => {
  const { name, add, list } = space()
  for (let i = 0; i < 4; i++) await add({ replies: [{ body: 'x'.repeat(985_000) }] })
  const { status, json } = await ask('POST', '/_requests_/stubs', {
    space: name,
    replies: [{ body: 'x'.repeat(100_000) }],
  })
  expect([status, json.status_code]).toEqual([409, 'stub_limit'])
  for (let i = 4; i < 100; i++) await add({ replies: [{}] })
  expect((await ask('POST', '/_requests_/stubs', { space: name, replies: [{}] })).json.status_code).toBe('stub_limit')
  expect(await list()).toHaveLength(100)
})

const reply = { replies: [{}] }

it.each([
  [{}, 'replies'],
  [{ replies: [] }, 'replies'],
  [{ replies: Array(51).fill({}) }, 'replies'],
  [{ replies: [{ stauts: 200 }] }, 'replies.0.stauts'],
  [{ replies: [{}, { status: 204, body: 'a' }] }, 'replies.1.status'],
  [{ replies: [{ status: 204, cut_after: 0 }] }, 'replies.0.status'],
  [{ replies: [{ body: 'a', json: 1 }] }, 'replies.0.json'],
  [{ replies: [{ slow_ms: 60_001 }] }, 'replies.0.slow_ms'],
  [{ replies: [{ cut_after: -1 }] }, 'replies.0.cut_after'],
  [{ replies: [{ headers: { 'set-cookie': 'a=b' } }] }, 'replies.0.headers'],
  [{ replies: [{ body: '{% if %}' }] }, 'replies.0.body'],
  [{ replies: [{ json: { a: ['{{ 1 | nothing }}'] } }] }, 'replies.0.json.a.0'],
  [{ replies: [{ headers: { 'X-A': '{{' } }] }, 'replies.0.headers.X-A'],
  [{ replies: [{ json: Array(101).fill('{{ 1 }}') }] }, 'replies.0'],
  [{ ...reply, priority: 10 }, 'priority'],
  [{ ...reply, times: 0 }, 'times'],
  [{ ...reply, match: { pth: '/a' } }, 'match.pth'],
  [{ ...reply, match: { path: 'a' } }, 'match.path'],
  [{ ...reply, match: { path: '/((a+)+)' } }, 'match.path'],
  [{ ...reply, match: { method: 'a b' } }, 'match.method'],
  [{ ...reply, match: { query: { a: 1 } } }, 'match.query.a'],
  [{ ...reply, match: { headers: { 'a b': 'c' } } }, 'match.headers.a b'],
  [{ ...reply, match: { headers: { a: ['b'] } } }, 'match.headers.a'],
])('refuses the stub %j', async (stub, field) => {
  const { status, json } = await ask('POST', '/_requests_/stubs', stub)
  expect([status, json.status_code, Object.keys(json.errors ?? {})]).toEqual([400, 'validation_failed', [field]])
})
