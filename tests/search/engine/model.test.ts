// Tests that an index after any changes finds the same as a new index with the remaining documents.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NewIndexedDocument, Variant } from '#search/engine/indexed-document'
import type { InvertedIndex } from '#search/engine/inverted-index'
import { runs } from '../../support/tier.ts'
import { document, find, inStorage, open } from './inverted.ts'

/** Words that share prefixes and stems, or differ by typos. */
const vocabulary = [
  'wing',
  'wings',
  'winging',
  'flow',
  'flows',
  'flew',
  'a',
  'an',
  'aerodynamic',
  'aerodynamics',
  'the',
  'straße',
  '東京都',
  'x1',
  'flight',
  'filght',
]
const queries = [
  'w',
  'wi',
  'win',
  'wing',
  'wings',
  'winsg',
  'flow wing',
  'the',
  'aerodinamics',
  'aerodinamcis',
  '"wing flow"',
  '"the wing" a',
  'flight f',
  '東京',
  '都',
  'x',
  'strasse',
]

const words = fc.array(fc.constantFrom(...vocabulary), { maxLength: 12 }).map((all) => all.join(' '))

type Step = { put: { code: number; title: string | null; text: string }[] } | { remove: number } | { restart: true }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    put: fc.uniqueArray(fc.record({ code: fc.nat(30), title: fc.option(words), text: words }), {
      minLength: 1,
      maxLength: 8,
      selector: ({ code }) => code,
    }),
  }),
  fc.record({ remove: fc.nat(30) }),
  fc.constant<Step>({ restart: true }),
)

describe.each(['fulltext', 'typeahead'] as const)('%s', (variant) => {
  it('finds the same after any changes as a new index with the remaining documents', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        await inStorage(async (storage) => {
          const { index, kept } = run(storage, variant, steps)
          expect(index.size).toBe(kept.size)
          const fresh = await inStorage((other) => answers(load(other, variant, [...kept.values()]), variant))
          expect(answers(index, variant)).toEqual(fresh)
        })
      }),
      { numRuns: runs(40) },
    )
  })

  it('finds the same when its segments are on disk and have been merged', async () => {
    await inStorage(async (storage) => {
      const kept = new Map<string, NewIndexedDocument>()
      let index = open(storage, variant)
      // Writes ten bulks of 60 000 words. Each is flushed to disk as a segment, and the eighth segment starts a merge.
      for (let round = 0; round < 10; round++) {
        const documents = Array.from({ length: 100 }, (_, i) => long(round * 50 + i))
        index.write(documents)
        for (const one of documents) kept.set(one.code, { ...one, seq: kept.get(one.code)?.seq ?? one.seq })
        for (const code of [round * 50 + 3, round * 7])
          expect(index.remove(String(code))).toBe(kept.delete(String(code)))
        if (round % 3 === 0) index = open(storage, variant)
      }
      const segments = storage.sql.exec('SELECT id FROM segments').toArray().length
      expect(segments).toBeGreaterThan(0)
      expect(segments).toBeLessThan(8)
      const fresh = await inStorage((other) => answers(load(other, variant, [...kept.values()]), variant))
      expect(answers(index, variant)).toEqual(fresh)
      expect(answers(open(storage, variant), variant)).toEqual(fresh)
    })
  })
})

/** Makes a document of 600 words. Few other documents have its last word. */
const long = (code: number): NewIndexedDocument => {
  const own = Array.from({ length: 600 }, (_, i) => vocabulary[(code * 31 + i * i) % vocabulary.length])
  return document(String(code), `${own.join(' ')} rare${code % 40}`, code % 2 ? 'wing flow' : null)
}

function run(storage: DurableObjectStorage, variant: Variant, steps: Step[]) {
  const kept = new Map<string, NewIndexedDocument>()
  let index = open(storage, variant)
  let seq = 0
  for (const one of steps) {
    if ('restart' in one) index = open(storage, variant)
    else if ('remove' in one) expect(index.remove(String(one.remove))).toBe(kept.delete(String(one.remove)))
    else {
      const documents = one.put.map(({ code, title, text }) => document(String(code), text, title, seq++))
      index.write(documents)
      for (const put of documents) kept.set(put.code, { ...put, seq: kept.get(put.code)?.seq ?? put.seq })
    }
  }
  return { index, kept }
}

function load(storage: DurableObjectStorage, variant: Variant, documents: NewIndexedDocument[]) {
  const index = open(storage, variant)
  index.write(documents)
  return index
}

const answers = (index: InvertedIndex, variant: Variant) =>
  [...queries, 'rare7', 'rare'].map((text) => ({ text, ...find(index, variant, text) }))

it('removes the text of deleted documents after a while, and finds the same', async () => {
  await inStorage((storage) => {
    const index = open(storage, 'fulltext')
    index.write(Array.from({ length: 120 }, (_, i) => long(i)))
    index.write([document('5', 'wing')])
    index.remove('7')
    const texts = () => storage.sql.exec('SELECT text FROM documents WHERE code IS NULL').toArray().length
    expect([index.isUnsettled, texts()]).toEqual([true, 2])
    const before = answers(index, 'fulltext')
    index.settle()
    expect([index.isUnsettled, texts()]).toEqual([false, 0])
    expect(answers(index, 'fulltext')).toEqual(before)
    const again = open(storage, 'fulltext')
    expect([again.isUnsettled, again.size]).toEqual([false, 119])
    expect(answers(again, 'fulltext')).toEqual(before)
  })
})
