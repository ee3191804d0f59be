// Tests the search for phrases.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../support/tier.ts'
import { document, find, inStorage, open } from './inverted.ts'

const phrase = fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 2, maxLength: 5 }).map((all) => all.join(' '))
const text = fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 30 }).map((all) => all.join(' '))

it('a search finds exactly the documents that have all phrases in title or text', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ title: fc.option(text), text }), { minLength: 1, maxLength: 12 }),
      fc.array(phrase, { minLength: 1, maxLength: 3 }),
      async (contents, phrases) => {
        const has = (one: string) => (place: string | null) => ` ${place ?? ''} `.includes(` ${one} `)
        const expected = contents.flatMap((one, i) =>
          phrases.every((asked) => [one.title, one.text].some(has(asked))) ? String(i) : [],
        )
        const found = await inStorage((storage) => {
          const index = open(storage, 'fulltext')
          for (const [i, one] of contents.entries()) index.write([document(String(i), one.text, one.title)])
          return find(index, 'fulltext', phrases.map((one) => `"${one}"`).join(' '))
        })
        expect(found.codes.sort()).toEqual(expected.sort())
      },
    ),
    { numRuns: runs(150) },
  ))

it('a phrase is found in a document that has its words half a million times', async () => {
  await inStorage((storage) => {
    const index = open(storage, 'fulltext')
    index.write([document('1', 'x '.repeat(499_990)), document('2', 'x')])
    expect(find(index, 'fulltext', '"x x x"').codes).toEqual(['1'])
  })
})
