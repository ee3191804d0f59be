// Tests the routes and errors of the badge API.
import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'

const send = (method: string, path: string, body?: unknown) =>
  exports.default.fetch(`http://badge${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const add = (name: string, more: object = {}) =>
  send('POST', '/badge', { collection: 'shop', user: 'ann', name, ...more })

/** Sends a GET request with the parameters in the query, since the runtime allows no body with GET. */
const ask = (path: string, params: Record<string, string>) =>
  send('GET', `${path}?${new URLSearchParams({ collection: 'shop', user: 'ann', ...params })}`)

const refusal = (errors: object) => ({ status: false, status_code: 'validation_failed', errors })

describe('POST /badge', () => {
  it('adds a badge', async () => {
    const response = await add('a/b', { payload: { z: 1, a: [null] } })

    expect(response.status).toBe(201)
    expect(await response.json()).toEqual({ status: true })
  })

  it('adds one badge for repeats with an Idempotency-Key', async () => {
    const post = (name: string) =>
      exports.default.fetch('http://badge/badge', {
        method: 'POST',
        headers: { 'idempotency-key': 'mail 17' },
        body: JSON.stringify({ collection: 'once', user: 'ann', name }),
      })

    expect([(await post('inbox')).status, (await post('inbox')).status, (await post('other')).status]).toEqual([
      201, 201, 409,
    ])

    const counters = await ask('/counters', { collection: 'once', names: '_all' })
    expect(await counters.json()).toMatchObject({ content: { counters: { _all: 1 } } })
  })

  it('requires collection, user and name', async () => {
    const response = await send('POST', '/badge', { collection: '', user: null })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject(
      refusal({ collection: 'collection is required.', user: 'user is required.', name: 'name is required.' }),
    )
  })

  it.each([
    ['_all', '_all'],
    ['below _all', '_all/a'],
    ['with a slash before', '/a'],
    ['with a slash behind', 'a/'],
    ['with an empty segment', 'a//b'],
    ['with NUL', 'a\0'],
    ['of 256 characters', 'x'.repeat(256)],
    ['of 17 segments', Array(17).fill('x').join('/')],
  ])('rejects a name %s', async (_, name) => {
    const response = await add(name)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject(refusal({ name: expect.any(String) }))
  })

  it.each([
    ['an array', []],
    ['a number', 1],
    ['a boolean', true],
    ['an empty text', ''],
    ['a text', 'text'],
    ['the text of an array', '[]'],
    ['the text of null', 'null'],
    ['half an object', '{"a":'],
    ['the text of a text', '"{}"'],
    ['too deep', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`],
  ])('rejects a payload that is %s', async (_, payload) => {
    const response = await add('a', { payload })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject(
      refusal({ payload: 'payload must be a JSON object, or a string that contains one.' }),
    )
  })
})

describe('GET /badges', () => {
  it('lists badges with their unchanged payload', async () => {
    const sent = '{"z":1.0,"a":{"y":12345678901234567890,"x":"\\u0000"},"__proto__":{"b":[]}}'
    await exports.default.fetch(`http://badge/badge`, {
      method: 'POST',
      body: `{"collection":"p","user":"ann","name":"json","payload":${sent}}`,
    })
    await add('text', { collection: 'p', payload: ` ${sent}` })
    await add('none', { collection: 'p' })
    await add('null', { collection: 'p', payload: null })

    const response = await ask('/badges', { collection: 'p' })

    expect(response.status).toBe(200)
    const time = /"created_at":"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"/g
    const row = (name: string, payload: string) =>
      `{"id":0,"name":"${name}","user":"ann","payload":${payload},"created_at":0}`
    expect((await response.text()).replace(time, '"created_at":0').replace(/"id":\d+/g, '"id":0')).toBe(
      `{"status":true,"content":{"badges":[${[row('null', '{}'), row('none', '{}'), row('text', sent), row('json', sent)]}]}}`,
    )
  })

  it('filters by name, pages and counts', async () => {
    for (const name of ['a/b', 'a/c', 'aa']) await add(name, { collection: 'list' })

    const response = await ask('/badges', { collection: 'list', name: 'a', limit: '1', offset: '1', count: 'true' })

    expect(await response.json()).toMatchObject({ content: { badges: [{ name: 'a/b', payload: {} }], nb_results: 2 } })
  })

  it('ends a page early at 8 MB', async () => {
    for (let n = 0; n < 10; n++) await add('large', { user: 'large', payload: { text: 'x'.repeat(990_000) } })
    const list = async (params: object) => {
      const response = await ask('/badges', { user: 'large', count: 'true', ...params })
      return (await response.json<{ content: { badges: object[]; has_more?: true; nb_results: number } }>()).content
    }
    const first = await list({})
    expect([first.badges.length, first.has_more, first.nb_results]).toEqual([9, true, 10])
    const rest = await list({ offset: '9' })
    expect([rest.badges.length, rest.has_more]).toEqual([1, undefined])
  })

  it('finds nothing in an unknown collection', async () => {
    const response = await ask('/badges', { collection: 'nowhere' })

    expect(await response.json()).toEqual({ status: true, content: { badges: [] } })
  })

  it.each([
    ['name', ''],
    ['name', '_all'],
    ['limit', '0'],
    ['limit', '1001'],
    ['offset', '-1'],
    ['user', ''],
  ])('rejects %s=%s', async (field, value) => {
    const response = await ask('/badges', { [field]: value })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject(refusal({ [field]: expect.any(String) }))
  })
})

describe('DELETE /badges', () => {
  it('deletes by name, then all', async () => {
    const owner = { collection: 'gone', user: 'ann' }
    for (const name of ['a/b', 'a', 'c', 'd']) await add(name, owner)

    const named = await send('DELETE', '/badges?collection=gone&user=ann&name=a')
    const all = await send('DELETE', '/badges', owner)

    expect(await named.json()).toEqual({ status: true, content: { deleted: 2 } })
    expect(await all.json()).toEqual({ status: true, content: { deleted: 2 } })
  })

  it.each([
    [
      'a misspelt name in the query',
      '/badges?collection=kept&user=ann&nmae=ab',
      undefined,
      'nmae',
      'Did you mean "name"?',
    ],
    [
      'a misspelt name in the body',
      '/badges',
      { collection: 'kept', user: 'ann', Nam: 'ab' },
      'Nam',
      'Did you mean "name"?',
    ],
    ['a parameter of another call', '/badges', { collection: 'kept', user: 'ann', payload: {} }, 'payload', 'Unknown'],
    [
      'a name that is null',
      '/badges',
      { collection: 'kept', user: 'ann', name: null },
      'name',
      'name must not be null',
    ],
  ])('rejects %s and deletes nothing', async (_, path, body, parameter, message) => {
    await add('ab', { collection: 'kept' })
    const before = await (await ask('/counters', { collection: 'kept', names: '_all' })).json()

    const response = await send('DELETE', path, body)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject(refusal({ [parameter]: expect.stringContaining(message) }))
    expect(await (await ask('/counters', { collection: 'kept', names: '_all' })).json()).toEqual(before)
  })

  it('rejects an empty name, which would mean all', async () => {
    for (const [path, body] of [
      ['/badges?collection=shop&user=ann&name=', undefined],
      ['/badges', { collection: 'shop', user: 'ann', name: '' }],
    ] as const) {
      const response = await send('DELETE', path, body)

      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject(refusal({ name: expect.any(String) }))
    }
  })

  it('requires a user', async () => {
    expect((await send('DELETE', '/badges?collection=shop')).status).toBe(400)
  })
})

describe('GET /counters', () => {
  const owner = { collection: 'count' }

  it('counts each name of a list, and all badges', async () => {
    for (const name of ['a/b', 'a', '__proto__']) await add(name, owner)

    const response = await ask('/counters', { ...owner, names: ' a , a/b,,nope, _all,__proto__ ' })

    expect(await response.text()).toBe(
      '{"status":true,"content":{"counters":{"a":2,"a/b":1,"nope":0,"_all":3,"__proto__":1}}}',
    )
  })

  it('accepts an array as repeated keys', async () => {
    const counters = { 'x,y': 1, _all: 1 }
    const user = 'array'
    await add('x,y', { ...owner, user })

    for (const query of ['names[]=x,y&names[]=_all', 'names=x,y&names=_all']) {
      const response = await send('GET', `/counters?collection=count&user=${user}&${query}`)
      expect(await response.json()).toEqual({ status: true, content: { counters } })
    }
  })

  it('counts nothing in an unknown collection', async () => {
    const response = await ask('/counters', { collection: 'nowhere', names: 'a,_all,a//b' })

    expect(await response.json()).toEqual({ status: true, content: { counters: { a: 0, _all: 0, 'a//b': 0 } } })
  })

  it.each([
    ['an empty list', ''],
    ['a list of nothing', ' , '],
    ['a list of 1001', Array(1_001).fill('a').join()],
    ['a name of 256 characters', 'x'.repeat(256)],
  ])('rejects %s', async (_, names) => {
    const response = await ask('/counters', { names })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ status: false, status_code: 'validation_failed' })
  })

  it('requires names', async () => {
    const response = await ask('/counters', {})

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject(refusal({ names: 'names is required.' }))
  })
})

it('serves its OpenAPI document and health check', async () => {
  const { paths } = (await (await send('GET', '/_openapi.json')).json()) as { paths: object }

  expect(Object.keys(paths)).toEqual(['/badge', '/badges', '/counters', '/collections', '/users'])
  expect(await (await send('GET', '/_health')).json()).toMatchObject({
    content: { dependencies: { database: { state: 'up' } } },
  })
})

describe('DELETE /badge', () => {
  it('deletes one of two equal badges', async () => {
    await add('mail', { collection: 'twins', payload: { n: 1 } })
    await add('mail', { collection: 'twins', payload: { n: 2 } })
    const listed = async () =>
      (
        (await (await ask('/badges', { collection: 'twins' })).json()) as {
          content: { badges: Record<string, unknown>[] }
        }
      ).content.badges
    const [, first] = await listed()

    const response = await send('DELETE', '/badge', { collection: 'twins', user: 'ann', id: first!.id })

    expect([response.status, await response.json()]).toEqual([200, { status: true }])
    expect(await listed()).toMatchObject([{ name: 'mail', payload: { n: 2 } }])
    expect((await send('DELETE', '/badge', { collection: 'twins', user: 'ann', id: first!.id })).status).toBe(404)
  })

  it('requires an id', async () => {
    const response = await send('DELETE', '/badge', { collection: 'twins', user: 'ann' })
    expect(await response.json()).toMatchObject(refusal({ id: 'id is required.' }))
  })
})

it.each([
  ['/badges', { collection: 'forms', user: 'ann', name: 'a' }],
  ['/badges', { collection: 'forms', user: 'ann', limit: '0' }],
  ['/counters', { collection: 'forms', user: 'ann', names: '_all,a' }],
  ['/users', { collection: 'forms' }],
])('answers to POST %s as to GET, with parameters in the body', async (path, params: Record<string, string>) => {
  await add('a/b', { collection: 'forms' })
  const withoutId = async (response: Response) => ({
    status: response.status,
    body: { ...(await response.json<object>()), request_id: undefined },
  })
  const found = await withoutId(await send('GET', `${path}?${new URLSearchParams(params)}`))
  expect(await withoutId(await send('POST', path, params))).toEqual(found)
  expect(found.status).toBe(params.limit === '0' ? 400 : 200)
})
