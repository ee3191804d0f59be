// Tests that highlighting a long text for a long query is fast.
import { expect, it } from 'vitest'
import { parseQuery } from '#search/parse-query'
import { highlighterOf } from '#search/query-highlighter'
import { analyzerFor } from './engine/inverted.ts'

it('a hundred words with typos are marked in a text of forty thousand words', () => {
  const letters = (n: number) =>
    n.toString(26).replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
  const wordOf = (n: number) => `${letters(n * 7919)}${letters(n)}qzxw`
  const typos = Array.from({ length: 100 }, (_, i) => `${wordOf(300 * i + 100)}q`)
  const query = parseQuery(`${typos.join(' ')} end`, analyzerFor('typeahead'), 'typeahead')
  const mark = highlighterOf('typeahead', { query, settings: { stemmer: 'none', stopwords: 'none' } })
  const marked = mark(Array.from({ length: 40_000 }, (_, i) => wordOf(i)).join(' '))
  const found = marked.match(/<mark>[a-z]+<\/mark>/g)
  expect(found).toContain(`<mark>${wordOf(100)}</mark>`)
  expect(found!.length).toBeGreaterThanOrEqual(99)
})
