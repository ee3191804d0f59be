// Tests of the durable object of a space: its limits, pages, waiting readers, canned reply and deletion.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { NewReply } from '#catcher/contract/stubs'
import { retentionOf } from '#catcher/env'
import { History, maxBytesPerSpace, maxPageBytes, maxRequests } from '#catcher/history'
import type { ReceivedRequest } from '#catcher/received-request'
import type { Space } from '#catcher/space'

const spaces = (env as unknown as { SPACE: DurableObjectNamespace<Space> }).SPACE

const fresh = () => spaces.getByName(crypto.randomUUID())

const taken = (path: string, size = 0, method = 'get'): ReceivedRequest => ({
  method,
  host: 'a.example',
  port: 80,
  path,
  query: '',
  headers: '{}',
  body: new Uint8Array(size),
  body_size: size,
})

const reply = (given: Partial<NewReply> = {}): NewReply => ({ status: 418, headers: {}, delay: 0, ...given })

const all = 1_000

const response = (size: number) => ({
  ...{ status: 200, headers: {}, duration_ms: 1, error: null },
  ...{ body: new Uint8Array(size), body_size: size },
})

describe('a space', () => {
  it('is empty at first', async () => {
    const space = fresh()
    expect(await space.last({}, 0)).toBeUndefined()
    expect(await space.find(1)).toBeUndefined()
    expect(await space.list({}, all, 0)).toEqual({ rows: [], nb_results: 0, has_more: false })
    expect(await space.findReply()).toBeUndefined()
  })

  it('lists its requests, the newest first', async () => {
    const space = fresh()
    for (const path of ['/a', '/b', '/c']) await space.capture(taken(path, 3))
    expect(await space.last({}, 0)).toEqual({
      ...taken('/c', 3),
      ...{ id: 3, created_at: expect.any(Number), response: null, response_body: null },
    })
    expect((await space.find(1))?.path).toBe('/a')
    const { rows, ...rest } = await space.list({}, 2, 1)
    expect(rows.map(({ path }) => path)).toEqual(['/b', '/a'])
    expect(rest).toEqual({ nb_results: 3, has_more: false })
  })

  it('finds the newest matching request', async () => {
    const space = fresh()
    for (const path of ['/a/1', '/a/2', '/b']) await space.capture(taken(path))
    await space.capture(taken('/a/3', 0, 'post'))
    expect((await space.last({ path: '/a*', method: 'get' }, 0))?.path).toBe('/a/2')
    expect(await space.last({ path: '/a' }, 0)).toBeUndefined()
    expect((await space.list({ path: '/a*' }, 1, 0)).nb_results).toBe(3)
    expect(await space.list({ path: '/a*' }, 1, 0)).toMatchObject({ has_more: true })
  })

  it('keeps the last thousand requests', async () => {
    const space = fresh()
    await runInDurableObject(space, (object: Space, { storage }) => {
      for (let n = 1; n <= 1_250; n++) object.capture(taken(`/${n}`))
      const { rows, nb_results } = object.list({}, all, 0)
      expect(nb_results).toBe(maxRequests)
      expect([rows[0]?.path, rows.at(-1)?.path]).toEqual(['/1250', '/251'])
      expect(object.find(250)).toBeUndefined()
      const { kept } = storage.sql.exec<{ kept: number }>('SELECT count(*) AS kept FROM requests').one()
      expect(kept).toBeLessThan(maxRequests + 100)
    })
  })

  it('keeps requests up to its size limit, and always the newest', async () => {
    const space = fresh()
    await runInDurableObject(space, (object: Space, { storage }) => {
      const held = () => storage.sql.exec<{ held: number }>('SELECT sum(size) AS held FROM requests').one().held
      for (let n = 1; n <= 70; n++) object.capture(taken(`/${n}`, 1_000_000))
      expect(held()).toBeLessThanOrEqual(maxBytesPerSpace)
      expect(held()).toBeGreaterThan(maxBytesPerSpace - 2_000_000)
      expect(object.find(70)).toMatchObject({ path: '/70' })
      expect(object.find(1)).toBeUndefined()
    })
  })

  it('knows its size after a restart', async () => {
    const space = fresh()
    await runInDurableObject(space, (object: Space, { storage }) => {
      for (let n = 1; n <= 64; n++) object.capture(taken(`/${n}`, 999_000))
      const again = new History(storage.sql)
      expect(again.list({}, 1, 0)).toMatchObject({ nb_results: 64, rows: [{ id: 64 }] })
      expect(again.add(taken('/65', 999_000), 0).id).toBe(65)
      expect(again.list({}, 1, 0).nb_results).toBe(64)
    })
  })

  it('counts the responses to forwarded requests towards its size', async () => {
    const space = fresh()
    await runInDurableObject(space, async (object: Space, { storage }) => {
      const held = () => storage.sql.exec<{ held: number }>('SELECT sum(size) AS held FROM requests').one().held
      for (let n = 1; n <= 70; n++) {
        await object.capture(taken('/', 600_000))
        await object.recordResponse(n, response(500_000))
      }
      expect(held()).toBeLessThanOrEqual(maxBytesPerSpace)
      expect(held()).toBeGreaterThan(maxBytesPerSpace - 2_000_000)
      expect(object.find(70)?.response_body).toHaveLength(500_000)
      await object.clear()
      await object.recordResponse(70, response(5))
      expect(object.list({}, all, 0).rows).toEqual([])
    })
  })

  it('ends a page early if the requests are large', async () => {
    const space = fresh()
    for (let n = 1; n <= 6; n++) await space.capture(taken(`/${n}`, 1_000_000))
    const first = await space.list({}, all, 0)
    expect(first).toMatchObject({ nb_results: 6, has_more: true })
    expect(first.rows.length).toBe(Math.floor(maxPageBytes / 1_000_001))
    const second = await space.list({}, all, first.rows.length)
    expect(second.has_more).toBe(false)
    expect([...first.rows, ...second.rows].map(({ path }) => path)).toEqual(['/6', '/5', '/4', '/3', '/2', '/1'])
  })

  it('deletes all requests, and never reuses an id', async () => {
    const space = fresh()
    await space.capture(taken('/a'))
    await space.clear()
    expect(await space.last({}, 0)).toBeUndefined()
    await space.capture(taken('/b'))
    expect((await space.last({}, 0))?.id).toBe(2)
  })
})

describe('a reader who waits', () => {
  it('gets a request that was caught before', async () => {
    const space = fresh()
    await space.capture(taken('/a'))
    expect((await space.last({}, 60_000))?.path).toBe('/a')
  })

  it('gets the next request that matches', async () => {
    const space = fresh()
    const waiting = [space.last({ path: '/b' }, 60_000), space.last({ path: '/c*', method: 'post' }, 60_000)]
    for (const path of ['/a', '/b', '/c']) await space.capture(taken(path))
    await space.capture(taken('/c/d', 0, 'post'))
    expect((await Promise.all(waiting)).map((row) => row?.path)).toEqual(['/b', '/c/d'])
  })

  it('gets nothing when nothing came in time', async () => {
    const space = fresh()
    await space.capture(taken('/a'))
    expect(await space.last({ path: '/b' }, 20)).toBeUndefined()
  })
})

describe('a reply', () => {
  it('is sent until it is deleted', async () => {
    const space = fresh()
    await space.setReply(reply({ headers: { 'X-A': 'b' }, body: 'tea', delay: 5 }))
    const answer = { reply: { status: 418, headers: { 'X-A': 'b' }, body: 'tea', delay: 5, slow_ms: 0 } }
    expect(await space.capture(taken('/a'))).toMatchObject(answer)
    expect(await space.capture(taken('/b'))).toMatchObject(answer)
    await space.removeReply()
    expect(await space.capture(taken('/c'))).toBeUndefined()
  })

  it('is sent the given number of times', async () => {
    const space = fresh()
    await space.setReply(reply({ times: 2 }))
    const answers = await Promise.all(Array.from({ length: 5 }, () => space.capture(taken('/'))))
    expect(answers.filter(Boolean)).toHaveLength(2)
    expect(await space.findReply()).toMatchObject({ times: 2, remaining: 0 })
  })

  it('is sent to matching requests only', async () => {
    const space = fresh()
    await space.setReply(reply({ method: 'post', path: '/a*' }))
    expect(await space.capture(taken('/a', 0, 'get'))).toBeUndefined()
    expect(await space.capture(taken('/b', 0, 'post'))).toBeUndefined()
    expect(await space.capture(taken('/ab', 0, 'post'))).toMatchObject({ reply: { status: 418 } })
  })

  it('is replaced by a new reply', async () => {
    const space = fresh()
    await space.setReply(reply({ times: 1, body: 'a\0b' }))
    await space.setReply(reply({ status: 200, json: '{"a":1.0}' }))
    expect(await space.findReply()).toEqual({
      ...reply({ status: 200, json: '{"a":1.0}' }),
      ...{ times: null, remaining: null, method: null, path: null },
    })
    expect(await space.capture(taken('/'))).toMatchObject({ reply: { json: '{"a":1.0}' } })
  })

  it('keeps a body with NUL unchanged', async () => {
    const space = fresh()
    await space.setReply(reply({ body: 'a\0b' }))
    expect(await space.capture(taken('/'))).toMatchObject({ reply: { body: 'a\0b' } })
  })
})

describe('the retention time', () => {
  it('is CATCHER_RETENTION seconds, a week by default', () => {
    expect(retentionOf({ CATCHER_RETENTION: '60' })).toBe(60_000)
    for (const CATCHER_RETENTION of ['', '0', '-1', 'a day', '1.5', '1e3'])
      expect(retentionOf({ CATCHER_RETENTION })).toBe(604_800_000)
    expect(retentionOf({})).toBe(604_800_000)
  })

  const silence = (space: DurableObjectStub<Space>) =>
    runInDurableObject(space, (_: Space, { storage }) => {
      storage.sql.exec('UPDATE requests SET created_at = 0')
      storage.sql.exec('UPDATE stubs SET created_at = 0')
    })

  const tables = (space: DurableObjectStub<Space>) =>
    runInDurableObject(
      space,
      (_: Space, { storage }) =>
        storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'requests'").toArray().length,
    )

  it('deletes all requests of a space that was silent for a week', async () => {
    const space = fresh()
    await space.capture(taken('/a'))
    await space.setReply(reply())
    await silence(space)
    expect(await runDurableObjectAlarm(space)).toBe(true)
    expect(await tables(space)).toBe(0)
    expect(await runInDurableObject(space, (_: Space, { storage }) => storage.getAlarm())).toBeNull()
    expect(await space.last({}, 0)).toBeUndefined()
    expect(await space.findReply()).toBeUndefined()
    await space.capture(taken('/b'))
    expect((await space.last({}, 0))?.path).toBe('/b')
    expect(await runInDurableObject(space, (_: Space, { storage }) => storage.getAlarm())).not.toBeNull()
  })

  it('deletes the old requests of a space that gets others, and keeps the space', async () => {
    const space = fresh()
    await space.capture(taken('/a'))
    await space.setReply(reply())
    await silence(space)
    await space.capture(taken('/b'))
    expect(await runDurableObjectAlarm(space)).toBe(true)
    const { rows, nb_results } = await space.list({}, all, 0)
    expect([rows.map(({ path }) => path), nb_results]).toEqual([['/b'], 1])
    expect(await space.findReply()).toBeDefined()
    expect(await runInDurableObject(space, (_: Space, { storage }) => storage.getAlarm())).toBeGreaterThan(Date.now())
  })

  it('is not extended by reading', async () => {
    const space = fresh()
    await space.last({}, 0)
    expect(await runDurableObjectAlarm(space)).toBe(true)
    expect(await tables(space)).toBe(0)
  })
})
