// The library Orama in the search benchmark: node bench/search/contenders/orama.ts <variant>
import { create, insert, search } from '@orama/orama'
import { serve } from '../child.ts'
import { maxResults } from '../contender.ts'
import { contenderOf, termOf, variant } from './library.ts'

const index = create({
  schema: variant === 'fulltext' ? { title: 'string', text: 'string' } : { text: 'string' },
  // Disables the index for sorting, which the benchmark does not use.
  sort: { enabled: false },
  components: { tokenizer: { language: 'english', stemming: true, stemmer: termOf, stopWords: false } },
})

const optionsOf = (term: string) =>
  variant === 'fulltext'
    ? { term, limit: maxResults, boost: { title: 3 } }
    : { term, limit: maxResults, threshold: 0, tolerance: term.length < 5 ? 0 : term.length < 9 ? 1 : 2 }

serve(
  contenderOf({
    add: ({ code, title, text }) =>
      insert(index, variant === 'fulltext' ? { id: code, title, text } : { id: code, text }),
    searchFor: (kind) =>
      // `exact` makes Orama require all words in the document, which is as near as it comes to a phrase.
      kind === 'phrase'
        ? undefined
        : (term) => {
            const results = search(index, optionsOf(term))
            if (results instanceof Promise) throw new Error('Orama has not answered at once')
            return results.hits.length
          },
  }),
)
