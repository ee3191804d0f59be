// Tests the creation and deletion of indexes, also with crashes in between.
import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Catalog } from '#search/catalog'
import { ask } from '../support/requests.ts'
import { bound, codes, filled, fresh, head, intercept, must, names, nothing, othersOf, storedIn } from './support.ts'

/** Runs the cron job, which the gateway calls every minute. */
const sweep = () => (exports.default as unknown as { sweep(): Promise<void> }).sweep()

const catalog = () => bound.CATALOG.getByName('all')

const documents = Array.from({ length: 40 }, (_, i) => ({ code: `d${i}`, text: `common word${i}` }))

/** Makes all pending creations and deletions more than a minute old, so that the cron job completes them. */
const age = () =>
  runInDurableObject(catalog(), (_: Catalog, { storage }) => {
    storage.sql.exec('UPDATE indexes SET pending = pending - 61000 WHERE pending IS NOT NULL')
  })

const isPending = (name: string) =>
  runInDurableObject(catalog(), (_: Catalog, { storage }) => {
    return storage.sql.exec('SELECT 1 FROM indexes WHERE name = ? AND pending IS NOT NULL', name).toArray().length > 0
  })

/** Kills the coordinator of an index when it makes a call. The data that it has stored by then stays. */
const killAt = (index: string, call: 'markPending' | 'markSettled' | 'wipe' | 'write') =>
  intercept(index, (ctx) => ({
    [call]: async () => {
      await ctx.storage.sync()
      ctx.abort('killed by the test')
    },
  }))

/** Delays the writes to other shards until a deletion of the index has begun. */
const delayWrites = (index: string) =>
  intercept(index, () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    return {
      markPending: async (pass) => {
        await pass()
        begin()
      },
      write: async (pass) => {
        await begun
        for (let turns = 0; turns < 20; turns++) await catalog().ping()
        return pass()
      },
    }
  })

describe('an index that is created', () => {
  it('is listed and found, also after a restart', async () => {
    const index = await filled(documents)
    expect(await names()).toContain(index)
    await abortAllDurableObjects()
    expect(await names()).toContain(index)
    expect(await codes(index, 'word7')).toEqual(['d7'])
    expect(await isPending(index)).toBe(false)
  })

  it('is created once by concurrent calls', async () => {
    const name = fresh()
    const replies = await Promise.all(Array.from({ length: 5 }, () => ask('POST', '/index', { name })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect(replies.find(({ status }) => status === 409)!.json).toMatchObject({ status_code: 'index_exists' })
    expect((await names()).filter((one) => one === name)).toEqual([name])
  })

  it.each([
    ['before it is there', 'markPending', false],
    ['before the catalog knows it', 'markSettled', true],
  ] as const)('is completed by the cron job after a crash %s', async (_, call, isThere) => {
    const name = fresh()
    await killAt(name, call)
    expect(await ask('POST', '/index', { name })).toMatchObject({ status: 500 })
    expect(await names()).not.toContain(name)
    await sweep()
    expect(await isPending(name)).toBe(call === 'markSettled')
    await age()
    await sweep()
    expect((await names()).includes(name)).toBe(isThere)
    expect(await isPending(name)).toBe(false)
    expect(await ask('POST', '/index', { name })).toMatchObject({ status: isThere ? 409 : 200 })
  })

  it('is removed from the catalog by the cron job after a crash before its creation', async () => {
    const name = fresh()
    await catalog().markPending(name)
    await age()
    await sweep()
    expect(await isPending(name)).toBe(false)
    expect(await names()).not.toContain(name)
    expect(await storedIn(head(name))).toEqual(nothing)
  })
})

describe('an index that is deleted', () => {
  it.each([1, 4])('leaves nothing in storage, with %i shards', async (shards) => {
    const index = await filled(documents, { shards })
    const objects = [head(index), ...(await othersOf(index, shards))]
    for (const object of objects) expect((await storedIn(object)).tables).toContain('documents')
    await must('DELETE', '/index', { name: index })
    for (const object of objects) expect(await storedIn(object)).toEqual(nothing)
    expect(await names()).not.toContain(index)
  })

  it.each([1, 4])('can be created again at once, without the old documents, with %i shards', async (shards) => {
    const index = await filled(documents, { shards, stemmer: 'none' })
    for (let i = 0; i < 3; i++) {
      await must('DELETE', '/index', { name: index })
      await must('POST', '/index', { name: index, shards: 5 - shards })
      expect(await codes(index, 'common')).toEqual([])
      await must('POST', '/document', { index, code: 'new', text: 'common' })
      expect(await codes(index, 'common')).toEqual(['new'])
      expect(await must('GET', '/index', { name: index })).toMatchObject({
        index: { stemmer: 'english', documents: 1 },
      })
    }
  })

  it('is deleted once by concurrent calls; the others get 404', async () => {
    const index = await filled(documents, { shards: 3 })
    const replies = await Promise.all(Array.from({ length: 4 }, () => ask('DELETE', '/index', { name: index })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
  })

  it('keeps nothing of writes that were running', async () => {
    const shards = 4
    const index = await filled([], { shards })
    const objects = [head(index), ...(await othersOf(index, shards))]
    await delayWrites(index)
    const writes = Array.from({ length: 4 }, () => ask('POST', '/documents', { index, documents }))
    await expect.poll(async () => (await storedIn(head(index))).tables).toContain('documents')
    expect(await ask('DELETE', '/index', { name: index })).toMatchObject({ status: 200 })
    for (const { status } of await Promise.all(writes)) expect([200, 404]).toContain(status)
    for (const object of objects) expect(await storedIn(object)).toEqual(nothing)
  })

  it.each([
    ['search', '/documents', { search: 'common', count: true }],
    ['size', '/index', {}],
    ['get', '/document', { code: 'd1' }],
  ] as const)(
    'gives 404, and no partial result, to a call that runs during the deletion: %s',
    async (call, path, params) => {
      const index = await filled(documents, { shards: 2 })
      let [isAsking, isWiped, isAnswered] = [false, false, false]
      const until = async (is: () => boolean) => {
        while (!is()) await catalog().ping()
      }
      await intercept(index, () => ({
        [call]: async (pass) => {
          isAsking = true
          await until(() => isWiped)
          return pass()
        },
        wipe: async (pass) => {
          await pass()
          isWiped = true
          await until(() => isAnswered)
        },
      }))
      const pending = ask('GET', path, { index, name: index, ...params })
      await until(() => isAsking)
      const deleted = ask('DELETE', '/index', { name: index })
      const reply = await pending
      isAnswered = true
      expect(reply).toMatchObject({ status: 404, json: { status_code: 'index_not_found' } })
      expect(await deleted).toMatchObject({ status: 200 })
    },
  )

  it.each([
    ['before its other shards are', 'wipe', ['index', 'schema', 'settings']],
    ['before the catalog knows it', 'markSettled', []],
  ] as const)(
    'stays deleted for all callers after a crash %s, and is removed by the cron job',
    async (_, call, keys) => {
      const index = await filled(documents, { shards: 3 })
      const others = await othersOf(index, 3)
      await killAt(index, call)
      expect(await ask('DELETE', '/index', { name: index })).toMatchObject({ status: 500 })
      expect(await ask('GET', '/documents', { index, search: 'common' })).toMatchObject({ status: 404 })
      expect(await ask('GET', '/index', { name: index })).toMatchObject({ status: 404 })
      expect(await ask('POST', '/document', { index, code: 'a', text: 'b' })).toMatchObject({ status: 404 })
      expect(await ask('DELETE', '/index', { name: index })).toMatchObject({ status: 404 })
      expect((await storedIn(head(index))).keys.sort()).toEqual(keys)
      await age()
      await sweep()
      for (const object of [head(index), ...others]) expect(await storedIn(object)).toEqual(nothing)
      expect(await names()).not.toContain(index)
      expect(await isPending(index)).toBe(false)
    },
  )

  it('can be created again after a crash during its deletion, without the old documents', async () => {
    const index = await filled(documents, { shards: 3 })
    const others = await othersOf(index, 3)
    await killAt(index, 'wipe')
    expect(await ask('DELETE', '/index', { name: index })).toMatchObject({ status: 500 })
    await must('POST', '/index', { name: index, shards: 3 })
    for (const object of others) expect(await storedIn(object)).toEqual(nothing)
    expect(await codes(index, 'common')).toEqual([])
    await age()
    await sweep()
    expect(await names()).toContain(index)
  })
})

describe('an index that is created and deleted concurrently', () => {
  it('is in the catalog exactly if it exists, and nothing is pending', async () => {
    const name = fresh()
    const calls = Array.from({ length: 40 }, (_, i) =>
      i % 3 === 1 ? ask('DELETE', '/index', { name }) : ask('POST', '/index', { name, shards: 2 }),
    )
    for (const { status } of await Promise.all(calls)) expect([200, 404, 409]).toContain(status)
    const { status } = await ask('GET', '/index', { name })
    expect((await names()).includes(name)).toBe(status === 200)
    expect(await isPending(name)).toBe(false)
  })
})

describe('a bulk write that fails on one shard', () => {
  it('can be repeated after a crash, and stores each document once', async () => {
    const index = await filled([], { shards: 3 })
    await killAt(index, 'write')
    expect(await ask('POST', '/documents', { index, documents })).toMatchObject({ status: 500 })
    await must('POST', '/documents', { index, documents })
    expect((await codes(index, 'common')).sort()).toEqual(documents.map(({ code }) => code).sort())
  })

  it('returns after all shards have stopped writing', async () => {
    const index = await filled([], { shards: 3 })
    let calls = 0
    let isWriting = false
    await intercept(index, () => ({
      write: async (pass) => {
        if (calls++ === 0) throw new Error('thrown by the test')
        isWriting = true
        for (let turns = 0; turns < 20; turns++) await catalog().ping()
        await pass()
        isWriting = false
      },
    }))
    expect(await ask('POST', '/documents', { index, documents })).toMatchObject({ status: 500 })
    expect([calls, isWriting]).toEqual([2, false])
  })
})

describe('an index that does not exist', () => {
  it('leaves nothing in storage after any call', async () => {
    const index = fresh()
    const calls: [string, string, object][] = [
      ['GET', '/documents', { index, search: 'a' }],
      ['GET', '/document', { index, code: 'a' }],
      ['DELETE', '/document', { index, code: 'a' }],
      ['POST', '/document', { index, code: 'a', text: 'b' }],
      ['POST', '/documents', { index, documents: [{ code: 'a', text: 'b' }] }],
      ['GET', '/index', { name: index }],
      ['DELETE', '/index', { name: index }],
    ]
    for (const call of calls) {
      expect(await ask(...call)).toMatchObject({ status: 404, json: { status_code: 'index_not_found' } })
    }
    expect(await storedIn(head(index))).toEqual(nothing)
    expect(await isPending(index)).toBe(false)
  })
})

describe('a shard without documents', () => {
  it('stores nothing and finds nothing', async () => {
    const index = await filled([{ code: 'a', text: 'alone' }], { shards: 8 })
    const others = await othersOf(index, 8)
    expect(await codes(index, 'alone nobody', { count: true })).toEqual(['a'])
    expect(await ask('GET', '/document', { index, code: 'b' })).toMatchObject({ status: 404 })
    const stored = await Promise.all(others.map(storedIn))
    expect(stored.filter(({ keys }) => keys.length > 0).length).toBeLessThanOrEqual(1)
  })
})

it('an index is read again from storage after its object was evicted', async () => {
  const index = await filled(documents, { shards: 2 })
  for (const object of [head(index), ...(await othersOf(index, 2))]) await evictDurableObject(object)
  expect(await codes(index, 'word13')).toEqual(['d13'])
  await must('DELETE', '/document', { index, code: 'd13' })
  await abortAllDurableObjects()
  expect(await codes(index, 'word13')).toEqual([])
})
