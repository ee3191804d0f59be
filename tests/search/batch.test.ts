// Tests the encoding and splitting of bulk writes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBatch, encodeBatch, type SequencedBatch, splitByShard, splitBySize } from '#search/batch'
import { hashOf } from '#search/hash'

const text = fc.string({ unit: 'grapheme' })
const documents = fc.array(
  fc.record({ code: fc.constantFrom('a', 'b', 'c', 'ß', '語', '__proto__'), title: fc.option(text), text }),
)

const stamp = (parcel: ReturnType<typeof encodeBatch>): SequencedBatch => ({
  ...parcel,
  seqs: parcel.hashes.map((_, i) => i),
})

describe('a document batch', () => {
  it('decodes to the documents that were encoded; of equal codes, to the last', () => {
    fc.assert(
      fc.property(documents, (given) => {
        const last = new Map(given.map((document) => [document.code, document]))
        const got = decodeBatch(stamp(encodeBatch([...given]))).map(({ seq: _, ...document }) => document)
        expect(got).toEqual([...last.values()])
      }),
    )
  })

  it('is split by the hash of the codes, and keeps each sequence number', () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 1, max: 16 }), (given, shards) => {
        const parcel = stamp(encodeBatch([...given]))
        const parts = splitByShard(parcel, shards)
        expect(parts).toHaveLength(shards)
        const got = parts.flatMap((part, shard) =>
          part ? decodeBatch(part).map((document) => ({ ...document, shard })) : [],
        )
        expect(got.toSorted((a, b) => a.seq - b.seq)).toEqual(
          decodeBatch(parcel).map((document) => ({ ...document, shard: hashOf(document.code) % shards })),
        )
      }),
    )
  })

  it('is split into batches of at most the size limit and one document', () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 1, max: 200 }), (given, bytes) => {
        const parcel = stamp(encodeBatch([...given]))
        const parts = [...splitBySize(parcel, bytes)]
        expect(parts.flatMap(decodeBatch)).toEqual(decodeBatch(parcel))
        for (const part of parts) {
          const sizes = part.documents.map(({ length }) => length)
          expect(sizes.slice(0, -1).reduce((sum, size) => sum + size, 0)).toBeLessThan(bytes)
        }
      }),
    )
  })

  it('empties the array of its documents', () => {
    const input = [{ code: 'a', text: 'b' }]
    expect([encodeBatch(input).documents.length, input]).toEqual([1, []])
  })

  it('has no part for a shard without documents', () => {
    expect(splitByShard(stamp(encodeBatch([{ code: 'a', title: null, text: '' }])), 8).filter(Boolean)).toHaveLength(1)
  })

  it('takes one byte for an ASCII letter, and three for a Chinese character', () => {
    const size = (letter: string) =>
      encodeBatch([{ code: 'a', title: null, text: letter.repeat(1000) }]).documents[0]!.length
    expect(size('語') - size('a')).toBe(2000)
  })
})
