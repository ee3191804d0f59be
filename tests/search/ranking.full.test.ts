// Tests that an index returns the same results with any number of shards.
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Coordinator } from '#search/coordinator'
import { ask } from '../support/requests.ts'
import { bound, type Document, filled, must, search } from './support.ts'

const words =
  'alpha alpine beta better bet gamma game games gaming delta the of and running runner ran 東京 東京都'.split(' ')
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 }).map((chosen) => chosen.join(' '))
const code = fc.integer({ min: 0, max: 30 }).map((n) => `c${n}`)
const document: fc.Arbitrary<Document> = fc.record({ code, title: text, text }, { requiredKeys: ['code', 'text'] })

/** Random changes of an index: bulk writes, which may overwrite documents, and deletions. */
const changes = fc.array(fc.oneof(fc.array(document, { minLength: 1, maxLength: 20 }), code), {
  minLength: 1,
  maxLength: 8,
})

const queries = [
  'alpha',
  'al',
  'b',
  'game runner',
  'the',
  'running gam',
  '"the game" alpha',
  '"game of" "of the"',
  '東京都',
  'zeta',
  'gamma delta beta alp',
]

async function change(index: string, change: Document[] | string) {
  if (typeof change !== 'string') await must('POST', '/documents', { index, documents: change })
  else await ask('DELETE', '/document', { index, code: change })
}

/** Makes the text of a document long, so that a few such documents fill the memtable and are flushed to disk. */
const lengthened = ({ text, ...rest }: Document): Document => ({ ...rest, text: `${text} `.repeat(1_000) })

const all = { score: true, count: true, size: 100 }

describe('an index of any number of shards', () => {
  it('finds the same, in the same order, with the same scores', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (given) => {
        const indexes = await Promise.all([1, 2, 8].map((shards) => filled([], { shards })))
        for (const one of given) for (const index of indexes) await change(index, one)
        for (const query of queries) {
          const [one, ...others] = await Promise.all(indexes.map((index) => search(index, query, all)))
          for (const other of others) expect(other).toEqual(one)
        }
        await Promise.all(indexes.map((name) => must('DELETE', '/index', { name })))
      }),
      { numRuns: 15 },
    )
  })

  it('finds the same after its segments were flushed, merged, settled and read again', async () => {
    const long = fc.array(document, { minLength: 1, maxLength: 20 }).map((all) => all.map(lengthened))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(long, code), { minLength: 4, maxLength: 10 }), async (given) => {
        const indexes = await Promise.all([1, 2].map((shards) => filled([], { shards })))
        for (const one of given) for (const index of indexes) await change(index, one)
        const head = bound.HEAD.getByName(indexes[0]!)
        await runInDurableObject(head, (object: Coordinator) => object.alarm())
        await evictDurableObject(head)
        for (const query of queries) {
          const [one, other] = await Promise.all(indexes.map((index) => search(index, query, all)))
          expect(other).toEqual(one)
        }
        await Promise.all(indexes.map((name) => must('DELETE', '/index', { name })))
      }),
      { numRuns: 10 },
    )
  })

  it('expands a prefix to the same words if the first round of candidates is not enough', async () => {
    const word = (n: number) => `p${n.toString(36)}`
    const documents = Array.from({ length: 64 }, (_, i) => ({
      code: `c${i}`,
      text: Array.from({ length: 250 }, (_, n) => word((i * 977 + n * n * 31) % 3000)).join(' '),
    }))
    const indexes = await Promise.all([1, 2, 8].map((shards) => filled(documents, { shards })))
    const [one, ...others] = await Promise.all(indexes.map((index) => search(index, 'p', all)))
    expect(one!.nb_results).toBeGreaterThan(10)
    for (const other of others) expect(other).toEqual(one)
  })

  it('returns the same pages', async () => {
    const documents = Array.from({ length: 60 }, (_, i) => ({ code: `c${i}`, text: `same ${'more '.repeat(i % 7)}` }))
    for (const shards of [1, 5]) {
      const index = await filled(documents, { shards })
      const whole = (await search(index, 'same more', { size: 60 })).documents
      expect(whole).toHaveLength(60)
      const pages = await Promise.all([0, 17, 34, 51].map((from) => search(index, 'same more', { from, size: 17 })))
      expect(pages.flatMap((page) => page.documents)).toEqual(whole)
    }
  })
})
