// Tests how the results of several shards are merged, and how pages of documents are read.
import { describe, expect, it } from 'vitest'
import { encodeHits, mergeHits, type ShardHit } from '#search/hits'
import { readDocuments } from '#search/scatter-gather'
import type { ShardClient } from '#search/shard-client'
import { filled, intercept, must, search } from './support.ts'

/** A fake shard whose rows are these texts. It records the rows that each call reads. */
const shardOf = (texts: (string | null)[]) => {
  const reads: number[][] = []
  const read: ShardClient['read'] = (rows, bytes) => {
    reads.push(rows)
    const documents: Awaited<ReturnType<ShardClient['read']>> = []
    for (let left = bytes; left > 0 && documents.length < rows.length; ) {
      const text = texts[rows[documents.length]!]!
      documents.push(text === null ? null : { code: text, title: null, text, bytes: text.length })
      left -= text?.length ?? 0
    }
    return documents
  }
  return { part: { read } as ShardClient, reads }
}

const hit = (shard: number, row: number): ShardHit => ({ shard, row, score: 1, seq: row })

describe('reading a page', () => {
  it('returns the documents of all shards in the order of the hits, without deleted ones', async () => {
    const shards = [shardOf(['a', 'b']), shardOf(['c', null])]
    const hits = [hit(1, 0), hit(0, 1), hit(1, 1), hit(0, 0)]
    const { documents, isCut } = await readDocuments(
      shards.map(({ part }) => part),
      hits,
      1000,
    )
    expect([documents.map(({ code }) => code), isCut]).toEqual([['c', 'b', 'a'], false])
    expect(shards.map(({ reads }) => reads)).toEqual([[[1, 0]], [[0, 1]]])
  })

  it('ends at the maximum size, and reports that it was cut', async () => {
    const { part } = shardOf(['x'.repeat(60), 'y'.repeat(60), 'z'.repeat(60)])
    const { documents, isCut } = await readDocuments([part], [hit(0, 0), hit(0, 1), hit(0, 2)], 100)
    expect([documents.map(({ text }) => text[0]), isCut]).toEqual([['x', 'y'], true])
  })

  it('continues with a shard that has reached its share if there is room left', async () => {
    const [large, small] = [shardOf(['x'.repeat(60), 'y'.repeat(30)]), shardOf(['z'])]
    const hits = [hit(0, 0), hit(0, 1), hit(1, 0)]
    const { documents, isCut } = await readDocuments([large.part, small.part], hits, 100)
    expect([documents.map(({ text }) => text[0]), isCut]).toEqual([['x', 'y', 'z'], false])
    expect(large.reads).toEqual([[0, 1], [1]])
  })

  it('returns the first document, however large', async () => {
    const { part } = shardOf(['x'.repeat(1000), 'y'])
    expect((await readDocuments([part], [hit(0, 0), hit(0, 1)], 10)).documents).toHaveLength(1)
  })
})

describe('merged hits of several shards', () => {
  it('are ordered by score, then by sequence number, then by shard', () => {
    const list = (...hits: [number, number, number][]) =>
      encodeHits({ hits: hits.map(([score, seq, row]) => ({ score, seq, row })), total: hits.length })
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

describe('a write during a search of several shards', () => {
  const documents = Array.from({ length: 12 }, (_, i) => ({ code: `d${i}`, text: `common word${i}` }))

  /** Runs `act` between the search for hits and the reading of the documents. */
  const afterHits = (index: string, act: () => Promise<unknown>) =>
    intercept(index, () => ({
      search: async (pass) => {
        const hits = await pass()
        await act()
        return hits
      },
    }))

  it('that replaces documents: the search returns their new versions, with highlights', async () => {
    const index = await filled(documents, { shards: 4 })
    const changed = documents.map(({ code }) => ({ code, title: 'Now', text: 'Something common & <new>' }))
    await afterHits(index, () => must('POST', '/documents', { index, documents: changed }))
    const page = await search(index, 'common', { count: true, highlight: true })
    expect(page.nb_results).toBe(documents.length)
    expect(page.documents).toHaveLength(documents.length)
    const highlight = { title: 'Now', text: 'Something <mark>common</mark> &amp; &lt;new&gt;' }
    expect(page.documents).toEqual(expect.arrayContaining(changed.map((document) => ({ ...document, highlight }))))
  })

  it('that deletes a document: the search leaves the document out', async () => {
    const index = await filled(documents, { shards: 4 })
    let left = 1
    await afterHits(index, async () => {
      if (left-- > 0) await must('DELETE', '/document', { index, code: 'd7' })
    })
    const { documents: found } = await search(index, 'common')
    expect(found.map(({ code }) => code)).toEqual(documents.map(({ code }) => code).filter((code) => code !== 'd7'))
  })
})
