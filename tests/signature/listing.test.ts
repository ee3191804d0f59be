// Tests the filters, the order and the pages of `GET /signatures`.
import { describe, expect, it } from 'vitest'
import { addVersion } from '#signature/versions'
import { databases } from '../support/databases.ts'
import { attached, large } from './samples.ts'
import { fresh, on, signaturesOn } from './support.ts'

describe.each(databases)('a list on $dialect', (database) => {
  const { env, store, save, list } = signaturesOn(on(database))

  /**
   * Saves twelve signatures, of the threads t0 to t11 in two documents. The tags are the divisors of the number; every third
   * signature has two versions.
   */
  async function filled() {
    const [document, other, run] = [fresh(), fresh(), fresh()]
    const tag = (n: number) => `${run}-${n}`
    for (let n = 0; n < 12; n++) {
      const fields = { document: n % 4 === 3 ? other : document, thread: `${run}-t${n}`, cms: attached }
      const tags = [1, 2, 3, 5].filter((by) => n % by === 0).map(tag)
      await save({ ...fields, tags: n % 3 === 0 ? ['first'] : tags })
      if (n % 3 === 0) await save({ ...fields, version: 1, tags })
    }
    const numbers = async (params: object) =>
      (await list(params)).signatures.map(({ thread }) => Number(thread.slice(run.length + 2)))
    return { document, other, tag, run, numbers }
  }

  it('has one row per record, the newest first, and applies each filter', async () => {
    const { document, other, tag, run, numbers } = await filled()
    expect(await numbers({ tags: [tag(1)] })).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    expect(await numbers({ tags: [tag(5)] })).toEqual([10, 5, 0])
    expect(await numbers({ tags: [tag(3), tag(5), tag(3)] })).toEqual([10, 9, 6, 5, 3, 0])
    expect(await numbers({ tags: [tag(2), tag(3), 'none'] })).toEqual([10, 9, 8, 6, 4, 3, 2, 0])
    expect(await numbers({ tags: ['none'] })).toEqual([])
    expect(await numbers({ document })).toEqual([10, 9, 8, 6, 5, 4, 2, 1, 0])
    expect(await numbers({ document: other })).toEqual([11, 7, 3])
    expect(await numbers({ document, tags: [] })).toEqual([10, 9, 8, 6, 5, 4, 2, 1, 0])
    expect(await numbers({ document, tags: [tag(3), tag(5)] })).toEqual([10, 9, 6, 5, 0])
    expect(await numbers({ document, stage: '2' })).toEqual([9, 6, 0])
    expect(await numbers({ document, stage: '1' })).toEqual([10, 8, 5, 4, 2, 1])
    expect(await numbers({ tags: [tag(2), tag(5)], stage: '2' })).toEqual([6, 0])
    expect(await numbers({ document: other, tags: [tag(3)], stage: '2' })).toEqual([3])
    expect(await numbers({ chain: `${run}-t4` })).toEqual([4])
    expect(await numbers({ thread: `${run}-t4` })).toEqual([4])
    expect(await numbers({ chain: `${run}-t4`, thread: `${run}-t4`, document, stage: '1', tags: [tag(2)] })).toEqual([
      4,
    ])
    expect(await numbers({ chain: `${run}-t4`, thread: `${run}-t5` })).toEqual([])
    expect(await numbers({ chain: `${run}-t4`, stage: '2' })).toEqual([])
    expect(await numbers({ chain: `${run}-t4`, tags: [tag(3)] })).toEqual([])
    expect(await numbers({ chain: `${run}-t4`, document: other })).toEqual([])
    for (const stage of ['3', '0', '-1', '01', '1.0', 'one', '', '9'.repeat(30)])
      expect(await numbers({ document, stage })).toEqual([])
  })

  it('has consistent pages and counts', async () => {
    const { document, tag, numbers } = await filled()
    for (const filter of [{ document }, { tags: [tag(2), tag(3), tag(5)] }, { document, tags: [tag(1), tag(2)] }]) {
      const all = await numbers(filter)
      const counted = async (more: object) => (await list({ ...filter, ...more, count: true })).nb_results
      const pages = [0, 2, 4, 6, 8, 10].map((offset) => numbers({ ...filter, limit: 2, offset }))
      expect((await Promise.all(pages)).flat()).toEqual(all)
      expect(await counted({})).toBe(all.length)
      expect(await counted({ limit: 1, offset: 3 })).toBe(all.length)
      expect(await counted({ offset: 100 })).toBe(all.length)
    }
    expect(await list({ document, limit: 2 })).not.toHaveProperty('next_offset')
    expect(await list({ document })).not.toHaveProperty('nb_results')
  })

  it('keeps its order if a record is saved again', async () => {
    const { document, run, numbers } = await filled()
    const before = await numbers({ document })
    await save({ document, thread: `${run}-t1`, version: 1, cms: attached })
    expect(await numbers({ document })).toEqual(before)
  })

  it('reads tags from the query, also separated by commas', async () => {
    const [document, tag] = [fresh(), fresh()]
    await save({ document, thread: 't', cms: attached, tags: [`${tag},2`, 'Ключ 😀', "'; --"] })
    for (const tags of [[`${tag},2`], ['Ключ 😀'], ["'; --"]])
      expect((await list({ document, tags })).signatures).toHaveLength(1)
    expect((await list({ document, tags: 'x,y,Ключ 😀' })).signatures).toHaveLength(1)
  })

  it('supports a hundred tags, of records with a hundred tags', async () => {
    const document = fresh()
    const tags = Array.from({ length: 100 }, (_, n) => '😀'.repeat(125) + n)
    await save({ document, thread: 't', cms: attached, tags })
    await save({ document, thread: 'u', cms: attached, tags: tags.slice(50) })
    const { signatures, nb_results } = await list({ document, tags, count: true })
    expect([signatures.map(({ thread }) => thread), nb_results]).toEqual([['u', 't'], 2])
    expect(signatures[1]!.tags).toEqual(tags)
  })

  it('is complete if it is large, from rows and from R2', async () => {
    const document = fresh()
    const sizes = [900_000, 5_000_000, 10, 900_000, 900_000, 1_100_000, 900_000, 900_000]
    const all = sizes.map((size, n) => large(size, n))
    for (const [n, cms] of all.entries()) await save({ document, thread: `t${n}`, cms })
    const { signatures, nb_results, ...rest } = await list({ document, count: true })
    expect([nb_results, rest]).toEqual([all.length, {}])
    expect(signatures.map(({ thread }) => thread)).toEqual(all.map((_, n) => `t${n}`).toReversed())
    expect(signatures.every(({ signature }, n) => signature === all.at(-1 - n))).toBe(true)
  })

  it('ends a page at 32 MB, with the offset of the next page', async () => {
    const document = fresh()
    for (let n = 0; n < 9; n++) {
      const object = fresh()
      // The object is small, but the row below says 5 MB, which counts for the size of the page.
      await env.FILES.put(object, 'abc')
      await addVersion(store, {
        ...{ document, thread: `t${n}`, after: 0, format: 'cms', signature: null, object, size: 5_000_000 },
        ...{ signers: '[]', tags: [], version_created_by: '', version_created_at: new Date(), version_comment: '' },
      })
    }
    const pageAt = async (offset: number, limit = 100) => {
      const { signatures, next_offset } = await list({ document, offset, limit })
      return [signatures.map(({ thread, signature }) => thread + signature), next_offset]
    }
    expect(await pageAt(0)).toEqual([['t8YWJj', 't7YWJj', 't6YWJj', 't5YWJj'], 4])
    expect(await pageAt(4)).toEqual([['t4YWJj', 't3YWJj', 't2YWJj', 't1YWJj'], 8])
    expect(await pageAt(8)).toEqual([['t0YWJj'], undefined])
    expect(await pageAt(0, 4)).toEqual([['t8YWJj', 't7YWJj', 't6YWJj', 't5YWJj'], undefined])
    expect(await pageAt(0, 5)).toEqual([['t8YWJj', 't7YWJj', 't6YWJj', 't5YWJj'], 4])
    expect(await pageAt(9)).toEqual([[], undefined])
  })
})
