import { describe, expect, it } from 'vitest'
import { mergeHits, packHits, type ShardHit } from '#search/hits'
import type { ShardClient } from '#search/part'
import { readAll } from '#search/scatter'
import { filled, intercept, must, search } from './support.ts'

/** A shard that has these texts, by row, and says in which rounds it was asked. */
const shardOf = (texts: (string | null)[]) => {
  const asked: number[][] = []
  const read: ShardClient['read'] = (rows, bytes) => {
    asked.push(rows)
    const documents: Awaited<ReturnType<ShardClient['read']>> = []
    for (let left = bytes; left > 0 && documents.length < rows.length; ) {
      const text = texts[rows[documents.length]!]!
      documents.push(text === null ? null : { code: text, title: null, text, bytes: text.length })
      left -= text?.length ?? 0
    }
    return documents
  }
  return { part: { read } as ShardClient, asked }
}

const hit = (shard: number, row: number): ShardHit => ({ shard, row, score: 1, seq: row })

describe('reading a page', () => {
  it('reads documents of all shards in the order of the hits, without those that are gone', async () => {
    const shards = [shardOf(['a', 'b']), shardOf(['c', null])]
    const hits = [hit(1, 0), hit(0, 1), hit(1, 1), hit(0, 0)]
    const { documents, isCut } = await readAll(
      shards.map(({ part }) => part),
      hits,
      1000,
    )
    expect([documents.map(({ code }) => code), isCut]).toEqual([['c', 'b', 'a'], false])
    expect(shards.map(({ asked }) => asked)).toEqual([[[1, 0]], [[0, 1]]])
  })

  it('ends where it has grown too large, and says so', async () => {
    const { part } = shardOf(['x'.repeat(60), 'y'.repeat(60), 'z'.repeat(60)])
    const { documents, isCut } = await readAll([part], [hit(0, 0), hit(0, 1), hit(0, 2)], 100)
    expect([documents.map(({ text }) => text[0]), isCut]).toEqual([['x', 'y'], true])
  })

  it('goes on in a shard that has reached its share while there is room', async () => {
    const [large, small] = [shardOf(['x'.repeat(60), 'y'.repeat(30)]), shardOf(['z'])]
    const hits = [hit(0, 0), hit(0, 1), hit(1, 0)]
    const { documents, isCut } = await readAll([large.part, small.part], hits, 100)
    expect([documents.map(({ text }) => text[0]), isCut]).toEqual([['x', 'y', 'z'], false])
    expect(large.asked).toEqual([[0, 1], [1]])
  })

  it('has the first document, however large', async () => {
    const { part } = shardOf(['x'.repeat(1000), 'y'])
    expect((await readAll([part], [hit(0, 0), hit(0, 1)], 10)).documents).toHaveLength(1)
  })
})

describe('hits of several shards', () => {
  it('come by score, then by seq, then by shard', () => {
    const list = (...hits: [number, number, number][]) =>
      packHits({ hits: hits.map(([score, seq, row]) => ({ score, seq, row })), total: hits.length })
    const merged = mergeHits([list([3, 5, 1], [1, 1, 2]), list([3, 4, 1], [2, 9, 2], [1, 1, 3])])
    expect(merged.map(({ shard, row }) => [shard, row])).toEqual([
      [1, 1],
      [0, 1],
      [1, 2],
      [0, 2],
      [1, 3],
    ])
  })
})

describe('what is written while several shards are asked', () => {
  const documents = Array.from({ length: 12 }, (_, i) => ({ code: `d${i}`, text: `common word${i}` }))

  /** Does something each time that a shard has found its part, before the documents are read. */
  const afterFinding = (index: string, act: () => Promise<unknown>) =>
    intercept(index, () => ({
      find: async (pass) => {
        const hits = await pass()
        await act()
        return hits
      },
    }))

  it('leaves no document out that it replaces: it is told as it is now, with marks in that', async () => {
    const index = await filled(documents, { shards: 4 })
    const changed = documents.map(({ code }) => ({ code, title: 'Now', text: 'Something common & <new>' }))
    await afterFinding(index, () => must('POST', '/documents', { index, documents: changed }))
    const page = await search(index, 'common', { count: true, highlight: true })
    expect(page.nb_results).toBe(documents.length)
    expect(page.documents).toHaveLength(documents.length)
    const highlight = { title: 'Now', text: 'Something <mark>common</mark> &amp; &lt;new&gt;' }
    expect(page.documents).toEqual(expect.arrayContaining(changed.map((document) => ({ ...document, highlight }))))
  })

  it('leaves out what it deletes', async () => {
    const index = await filled(documents, { shards: 4 })
    let left = 1
    await afterFinding(index, async () => {
      if (left-- > 0) await must('DELETE', '/document', { index, code: 'd7' })
    })
    const { documents: found } = await search(index, 'common')
    expect(found.map(({ code }) => code)).toEqual(documents.map(({ code }) => code).filter((code) => code !== 'd7'))
  })
})
