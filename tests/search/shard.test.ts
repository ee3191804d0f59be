// Tests the durable object of a shard: transactions, limits and deletion.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { encodeBatch, type SequencedBatch } from '#search/batch'
import type { IndexSettings } from '#search/settings'
import type { Shard } from '#search/shard'
import { bound, nothing, storedIn } from './support.ts'

const settings: IndexSettings = { variant: 'fulltext', shards: 1, stemmer: 'none', stopwords: 'none' }

const parcelOf = (documents: { code: string; text: string }[]): SequencedBatch => {
  const parcel = encodeBatch(documents)
  return { ...parcel, seqs: parcel.hashes.map((_, i) => i + 1) }
}

const shard = () => bound.SHARD.getByName(crypto.randomUUID())

const large = (code: string) => ({ code, text: `${code} ${'word '.repeat(150_000)}` })

describe('a shard', () => {
  it('writes a bulk of several megabytes in one transaction', async () => {
    const object = shard()
    await object.write(settings, parcelOf(['a', 'b', 'c', 'd', 'e'].map(large)))
    expect(await object.size()).toMatchObject({ documents: 5 })
  })

  it('writes nothing of a bulk that fails, and keeps its documents', async () => {
    const object = shard()
    await object.write(settings, parcelOf([{ code: 'before', text: 'here' }]))
    const broken = parcelOf(['a', 'b', 'c', 'd', 'e'].map(large))
    broken.documents[4] = new Uint8Array([0x7b])
    await runInDurableObject(object, async (here: Shard) => {
      await expect(async () => here.write(settings, broken)).rejects.toThrow()
    })
    expect(await object.size()).toMatchObject({ documents: 1 })
    expect(await object.get('a')).toBeUndefined()
    await object.write(settings, parcelOf([{ code: 'a', text: 'new' }]))
    expect(await object.size()).toMatchObject({ documents: 2 })
    await evictDurableObject(object)
    expect(await object.size()).toMatchObject({ documents: 2 })
  })

  it('removes the text of deleted documents by an alarm, which wipe deletes', async () => {
    const object = shard()
    const alarm = () => runInDurableObject(object, (_, { storage }) => storage.getAlarm())
    const removed = () =>
      runInDurableObject(object, (_, { storage }) => {
        return storage.sql.exec('SELECT 1 FROM documents WHERE code IS NULL').toArray().length
      })
    const small = ['a', 'b'].map((code) => ({ code, text: 'soon removed' }))
    await object.write(settings, parcelOf([...small, large('c')]))
    expect(await alarm()).toBeNull()
    expect(await object.remove('a')).toBe(true)
    expect([await removed(), await alarm()]).toEqual([1, expect.any(Number)])
    await evictDurableObject(object)
    expect(await runDurableObjectAlarm(object)).toBe(true)
    expect([await removed(), await alarm()]).toEqual([0, null])
    await object.remove('b')
    expect(await alarm()).not.toBeNull()
    await object.wipe()
    expect([await alarm(), await storedIn(object)]).toEqual([null, nothing])
  })

  it('reads documents until the size limit is reached, and null for deleted ones', async () => {
    const object = shard()
    await object.write(settings, parcelOf(['a', 'b', 'c'].map((code) => ({ code, text: code.repeat(100) }))))
    const query = { words: [], last: undefined, phrases: [], excluded: [] }
    expect((await object.search(query, await object.statistics(query, 50), 10, true)).total).toBe(0)
    const read = async (rows: number[], bytes: number) =>
      (await object.read(rows, bytes, rows)).map((found) => found?.code)
    expect(await read([1, 2, 3], 150)).toEqual(['a', 'b'])
    expect(await read([3, 999, 1], 1000)).toEqual(['c', undefined, 'a'])
    await object.write(settings, parcelOf([{ code: 'a', text: 'new' }]))
    expect(await read([3, 1, 2], 1000)).toEqual(['c', 'a', 'b'])
  })

  it('stores nothing for calls before its first documents', async () => {
    const object = shard()
    const query = { words: [{ term: 'a', word: 'a', isStopword: false }], last: undefined, phrases: [], excluded: [] }
    const statistics = await object.statistics(query, 50)
    expect(statistics).toEqual({ documentCount: 0, totalLength: 0, documentFrequencies: {}, expansions: {} })
    expect(await object.search(query, statistics, 10, true)).toEqual({ values: new Float64Array(), total: 0 })
    expect(await object.read([1], 100, [1])).toEqual([null])
    expect([await object.get('a'), await object.remove('a')]).toEqual([undefined, false])
    expect(await object.size()).toEqual({ documents: 0, bytes: 0 })
    await object.wipe()
    expect(await storedIn(object)).toEqual(nothing)
  })
})
