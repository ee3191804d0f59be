import { describe, expect, it } from 'vitest'
import { mergeHits, packHits, type ShardHit } from '#search/hits'
import type { Part } from '#search/part'
import { readAll } from '#search/scatter'

/** A shard that has these texts, by row, and says in which rounds it was asked. */
const shardOf = (texts: (string | null)[]) => {
  const asked: number[][] = []
  const read: Part['read'] = (rows, bytes) => {
    asked.push(rows)
    const documents: Awaited<ReturnType<Part['read']>> = []
    for (let left = bytes; left > 0 && documents.length < rows.length; ) {
      const text = texts[rows[documents.length]!]!
      documents.push(text === null ? null : { code: text, title: null, text, bytes: text.length })
      left -= text?.length ?? 0
    }
    return documents
  }
  return { part: { read } as Part, asked }
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
