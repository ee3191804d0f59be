// Tests that results do not change their order while a user types.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { document, find, inStorage, open } from './inverted.ts'

const vocabulary = [
  'a',
  'al',
  'alp',
  'alpha',
  'alphabet',
  'alphabetical',
  'alpine',
  'lap',
  'be',
  'beta',
  'better',
  'betters',
]
const word = fc.constantFrom(...vocabulary)
const texts = fc.array(fc.array(word, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 20 })

it('documents with a prefix keep their order at each keystroke, except that exact words come first', () =>
  fc.assert(
    fc.asyncProperty(texts, fc.option(word), word, async (all, before, last) => {
      const results = await inStorage((storage) => {
        const index = open(storage, 'typeahead')
        index.write(all.map((words, i) => document(String(i), words.join(' '))))
        return Array.from(last, (_, i) => {
          const typed = last.slice(0, i + 1)
          return { typed, codes: find(index, 'typeahead', [before ?? '', typed].join(' ')).codes.map(Number) }
        })
      })
      for (const [i, { typed, codes }] of results.entries()) {
        const earlier = results[i - 1]
        if (!earlier) continue
        const begins = (code: number) =>
          all[code]!.some((one) => one.startsWith(typed)) &&
          ![typed, earlier.typed].some((one) => all[code]!.includes(one))
        if (!mayErrMore.has(typed.length)) expect(earlier.codes).toEqual(expect.arrayContaining(codes))
        expect(codes.filter(begins)).toEqual(earlier.codes.filter((code) => codes.includes(code)).filter(begins))
      }
    }),
  ))

/** Numbers of letters from which a word may have one more typo. At these, more documents may match than before. */
const mayErrMore = new Set([5, 9])
