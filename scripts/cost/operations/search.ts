// Operations of fulltext and typeahead whose cost is measured.
import { type Costed, type CostOperation, many } from './operation.ts'

const words = 'river market running mountain city engine garden winter summer window paper music colour bridge harbour station village journey letter teacher'.split(' ') // biome-ignore format: one line

const textOf = (n: number, length: number) =>
  Array.from({ length }, (_, i) => words[(n * 7 + i * 13 + ((n * i) % 11)) % words.length]).join(' ')

const document = (n: number, length: number) => ({ code: `d${n}`, text: textOf(n, length) })

const costOf = (component: string, indexes: Record<string, object>, length: number): Costed => ({
  prepare: async ({ ask }) => {
    for (const [index, settings] of Object.entries(indexes)) {
      await ask('POST', `/${component}/index`, { body: { name: index, ...settings } })
      const documents = (from: number) => Array.from({ length: 250 }, (_, n) => document(from + n, length))
      await many(4, (n) => ask('POST', `/${component}/documents`, { body: { index, documents: documents(250 * n) } }))
    }
  },
  operations: Object.keys(indexes).flatMap((index) => operationsOf(component, index, length)),
})

const operationsOf = (component: string, index: string, length: number): CostOperation[] => [
  {
    name: `POST /document, index of ${index}`,
    run: ({ ask }, n) => ask('POST', `/${component}/document`, { body: { index, ...document(5_000 + n, length) } }),
  },
  {
    name: `POST /documents, fifty, index of ${index}`,
    run: ({ ask }, n) => {
      const documents = Array.from({ length: 50 }, (_, i) => document(10_000 + n * 50 + i, length))
      return ask('POST', `/${component}/documents`, { body: { index, documents } })
    },
  },
  {
    name: `GET /documents, two words, index of ${index}`,
    run: ({ ask }, n) =>
      ask('GET', `/${component}/documents?index=${index}&search=${encodeURIComponent(textOf(n, 2))}`),
  },
  {
    name: `DELETE /document, index of ${index}`,
    run: ({ ask }, n) => ask('DELETE', `/${component}/document?index=${index}&code=d${n}`),
  },
]

const english = { stemmer: 'english', stopwords: 'english' }

export const fulltext: Costed = costOf('fulltext', { one: english, four: { ...english, shards: 4 } }, 40)
export const typeahead: Costed = costOf('typeahead', { one: {} }, 3)
