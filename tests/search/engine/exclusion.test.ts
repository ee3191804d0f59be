// Tests the exclusion of documents with `-word`.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Variant } from '#search/engine/indexed-document'
import { runs } from '../../support/tier.ts'
import { document, find, inStorage, open } from './inverted.ts'

const found = (variant: Variant, texts: string[], query: string) =>
  inStorage((storage) => {
    const index = open(storage, variant)
    index.write(texts.map((text, i) => document(String(i), text)))
    return find(index, variant, query)
      .codes.map((code) => texts[Number(code)])
      .sort()
  })

describe.each(['fulltext', 'typeahead'] as const)('-word in %s', (variant) => {
  it.each([
    ['cat -dog', ['cat']],
    ['cat -DOG', ['cat']],
    ['-dog cat', ['cat']],
    ['cat -"dog cat"', ['cat', 'cat dog']],
    ['cat -bird', ['cat', 'cat dog', 'dog cat']],
    ['cat -cat', []],
    ['-dog', []],
    ['cat - dog', variant === 'fulltext' ? ['cat', 'cat dog', 'dog', 'dog cat'] : ['cat dog', 'dog cat']],
    ['cat --dog', variant === 'fulltext' ? ['cat', 'cat dog', 'dog', 'dog cat'] : ['cat dog', 'dog cat']],
  ])('%s finds %j', async (query, texts) => {
    const expected = variant === 'typeahead' && query === 'cat -"dog cat"' ? ['cat'] : texts
    expect(await found(variant, ['cat', 'cat dog', 'dog', 'dog cat'], query)).toEqual(expected)
  })

  it('excludes every part of a word with a hyphen, and leaves a hyphen within a word alone', async () => {
    expect(await found(variant, ['router wi-fi', 'router'], 'router -wi-fi')).toEqual(['router'])
    expect(await found(variant, ['wi-fi router'], 'wi-fi')).toEqual(['wi-fi router'])
  })

  it('excludes nothing more in the next search of the same isolate', async () => {
    expect(await found(variant, ['cat', 'cat dog'], 'cat -dog')).toEqual(['cat'])
    expect(await found(variant, ['cat', 'cat dog'], 'cat')).toEqual(['cat', 'cat dog'])
  })

  it('finds exactly the documents that the rest of the query finds and that do not have the word', () => {
    const word = fc.constantFrom('red', 'green', 'blue', 'black')
    const texts = fc.uniqueArray(
      fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    return fc.assert(
      fc.asyncProperty(texts, word, word, async (all, wanted, unwanted) => {
        const rest = await found(variant, all, wanted)
        const excluding = await found(variant, all, `${wanted} -${unwanted}`)
        expect(excluding).toEqual(rest.filter((text) => !text!.split(' ').includes(unwanted)))
      }),
      { numRuns: runs(30) },
    )
  })
})

it('a phrase and an exclusion narrow a full-text search together', async () => {
  const texts = ['red tape green', 'red tape', 'tape red', 'red tape blue']
  expect(await found('fulltext', texts, '"red tape" -green')).toEqual(['red tape', 'red tape blue'])
  expect(await found('fulltext', texts, '"red -tape"')).toEqual(['red tape', 'red tape blue', 'red tape green'])
})
