import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { attached, large } from './samples.ts'
import { fresh, on, type Signature, signaturesOn } from './support.ts'

describe.each(databases)('a list on $dialect', (database) => {
  const { save, list } = signaturesOn(on(database))

  /** Twelve records: threads t0 to t11, of two documents, with tags by what divides their number, every third saved twice. */
  async function filled() {
    const [document, other, run] = [fresh(), fresh(), fresh()]
    const tag = (n: number) => `${run}-${n}`
    for (let n = 0; n < 12; n++) {
      const given = { document: n % 4 === 3 ? other : document, thread: `${run}-t${n}`, cms: attached }
      const tags = [1, 2, 3, 5].filter((by) => n % by === 0).map(tag)
      await save({ ...given, tags: n % 3 === 0 ? ['first'] : tags })
      if (n % 3 === 0) await save({ ...given, version: 1, tags })
    }
    const numbers = async (params: object) =>
      (await list(params)).signatures.map(({ thread }) => Number(thread.slice(run.length + 2)))
    return { document, other, tag, run, numbers }
  }

  it('has the newest first, one row a record, and what each filter chooses', async () => {
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

  it('has pages and a count that fit together', async () => {
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

  it('keeps its order when one of its records is saved again', async () => {
    const { document, run, numbers } = await filled()
    const before = await numbers({ document })
    await save({ document, thread: `${run}-t1`, version: 1, cms: attached })
    expect(await numbers({ document })).toEqual(before)
  })

  it('takes tags as a query has them, with commas too', async () => {
    const [document, tag] = [fresh(), fresh()]
    await save({ document, thread: 't', cms: attached, tags: [`${tag},2`, 'Ключ 😀', "'; --"] })
    for (const tags of [[`${tag},2`], ['Ключ 😀'], ["'; --"]])
      expect((await list({ document, tags })).signatures).toHaveLength(1)
    expect((await list({ document, tags: 'x,y,Ключ 😀' })).signatures).toHaveLength(1)
  })

  it('takes a hundred tags, of records with a hundred', async () => {
    const document = fresh()
    const tags = Array.from({ length: 100 }, (_, n) => '😀'.repeat(125) + n)
    await save({ document, thread: 't', cms: attached, tags })
    await save({ document, thread: 'u', cms: attached, tags: tags.slice(50) })
    const { signatures, nb_results } = await list({ document, tags, count: true })
    expect([signatures.map(({ thread }) => thread), nb_results]).toEqual([['u', 't'], 2])
    expect(signatures[1]!.tags).toEqual(tags)
  })

  it('ends a page at 32 MB, and says where to go on', async () => {
    const document = fresh()
    // In rows up to 1 MB, in R2 above.
    const sizes = [...Array(7).fill(5_000_000), 10, ...Array(6).fill(900_000)] as number[]
    const all = sizes.map((size, n) => large(size, n))
    for (const [n, cms] of all.entries()) await save({ document, thread: `t${n}`, cms })

    const seen: Signature[] = []
    let offset: number | undefined = 0
    let pages = 0
    while (offset !== undefined) {
      const { signatures, next_offset, nb_results } = await list({ document, offset, count: true })
      const bytes = JSON.stringify(signatures).length
      expect(bytes).toBeLessThanOrEqual(32_000_000)
      expect(nb_results).toBe(all.length)
      if (next_offset !== undefined) expect(next_offset).toBe(offset + signatures.length)
      if (next_offset !== undefined) expect(bytes).toBeGreaterThan(25_000_000)
      seen.push(...signatures)
      offset = next_offset
      pages++
    }
    expect(pages).toBe(2)
    expect(seen.map(({ thread }) => thread)).toEqual(all.map((_, n) => `t${n}`).toReversed())
    expect(seen.every(({ signature }, n) => signature === all.at(-1 - n))).toBe(true)
    expect(await list({ document, limit: 3 })).not.toHaveProperty('next_offset')
  })
})
