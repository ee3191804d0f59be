// Schemas of the parameters and replies of fulltext and typeahead, which differ in a few fields.
import * as z from 'zod'
import { count, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { stemmerNames, stopwordListNames } from './analysis/languages.ts'
import type { Variant } from './engine/indexed-document.ts'

/** Maximum number of words in a list of stop words, and of characters in each. */
export const maxStopwords = 1_000
export const maxStopwordLength = 64

const IndexName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,47}$/, 'Must be 1 to 48 characters of a-z, 0-9 and _, beginning with a letter')
  .meta({
    description: 'Name of the index: 1 to 48 characters of a-z, 0-9 and _, beginning with a letter',
    examples: ['articles'],
  })

const Code = text(255)
  .min(1)
  .meta({ description: 'Id of the document, unique in its index, 1 to 255 characters', examples: ['a1'] })

const Shards = z
  .int()
  .min(1)
  .max(16)
  .default(1)
  .describe(
    'Number of shards that the documents are spread over, 1 to 16, by default 1. It cannot be changed later. Each shard holds up to 9.5 GB',
  )

const Language = text(64)

const newIndex = { name: IndexName, shards: Shards }

const NewFulltextIndex = z.object({
  ...newIndex,
  stemmer: Language.default('english').describe(
    `Stemmer that removes word endings, by default \`english\`: one of ${stemmerNames.join(', ')}. \`_russian_\` is accepted for \`russian\``,
  ),
  stopwords: z
    .union([text(maxStopwords * (maxStopwordLength + 1)), z.array(text(maxStopwordLength)).max(maxStopwords)], {
      error: ({ input }) =>
        input === undefined
          ? undefined
          : `Must be the name of a list, or up to ${maxStopwords} words of up to ${maxStopwordLength} characters`,
    })
    .default('english')
    .describe(
      `Words that a query ignores, by default \`english\`: the name of a list, one of ${stopwordListNames.join(', ')} (\`_russian_\` is \
accepted for \`russian\`); or up to ${maxStopwords} words of up to ${maxStopwordLength} characters, as an array or separated by commas. Independent of \`stemmer\`.`,
    ),
})
const NewTypeaheadIndex = z.object(newIndex)

export const NewIndex = (variant: Variant) => (variant === 'fulltext' ? NewFulltextIndex : NewTypeaheadIndex)
export interface NewIndex {
  name: string
  shards: number
  stemmer?: string
  stopwords?: string | string[]
}

export const ByName = z.object({ name: IndexName })

export const Listing = z.object({ ...paging(), count })

export const ListedIndex = z.object({ name: IndexName }).describe('An index')

const index = {
  name: IndexName,
  shards: z.int().describe('Number of shards, 1 to 16'),
  documents: z.int().describe('Number of documents'),
  bytes: z.int().describe('Size on disk in bytes, of all shards'),
  created_at: Time.describe('Time when the index was created, in UTC'),
}

const FulltextIndex = z.object({
  ...index,
  stemmer: z.string().describe('Name of the stemmer, or `none`'),
  stopwords: z
    .union([z.string(), z.array(z.string())])
    .describe('Name of the list of stop words, `none`, or the words themselves'),
})
const TypeaheadIndex = z.object(index)

export const Index = (variant: Variant) => (variant === 'fulltext' ? FulltextIndex : TypeaheadIndex)

// Text of a title or document. `writeDocuments` limits title and text together, in bytes. The OpenAPI document can state a maximum
// only in characters.
const Words = text(30_000_000).meta({ maxLength: 1_000_000 })
const Title = Words.describe(
  'Title: each of its words counts three times as much as one of the text. Title and text together have up to 1 000 000 bytes of UTF-8',
)
const Text = Words.describe('Text of the document. Title and text together have up to 1 000 000 bytes of UTF-8')

const content = { code: Code, text: Text }

const NewFulltextDocument = z.object({ ...content, title: Title.optional() })
const NewTypeaheadDocument = z.object(content)

const newDocument = (variant: Variant) => (variant === 'fulltext' ? NewFulltextDocument : NewTypeaheadDocument)
export interface NewContent {
  code: string
  title?: string | undefined
  text: string
}

const inIndex = { index: IndexName }

export const NewDocument = (variant: Variant) => newDocument(variant).extend(inIndex)

export const NewDocuments = (variant: Variant) =>
  z.object({
    ...inIndex,
    documents: z
      .array(newDocument(variant))
      .min(1)
      .max(1_000)
      .meta({ description: documentsDescription[variant], examples: [[{ code: 'a1', text: 'text' }]] }),
  })

const documentsDescription = {
  fulltext: '1 to 1000 documents, each with `code`, `text` and optionally `title`',
  typeahead: '1 to 1000 documents, each with `code` and `text`',
}

export const DocumentOf = z.object({ ...inIndex, code: Code })

const FulltextDocument = z.object({
  code: Code,
  title: z.string().optional().describe('Title, if the document has one'),
  text: z.string().describe('Text of the document'),
})
const TypeaheadDocument = z.object({ code: Code, text: z.string().describe('Text of the document') })

export const Document = (variant: Variant) => (variant === 'fulltext' ? FulltextDocument : TypeaheadDocument)

export const Search = z
  .object({
    ...inIndex,
    search: text(10_000)
      .min(1)
      .meta({
        description:
          'Query, 1 to 10 000 characters. `-word` and `-"some words"` exclude documents that have these words; a query that only excludes finds nothing.',
        examples: ['word'],
      }),
    from: z
      .int()
      .min(0)
      .default(0)
      .describe('Number of results to skip, by default 0. `from` and `size` together are at most 10 000'),
    size: z
      .int()
      .min(0)
      .max(1_000)
      .default(50)
      .describe('Maximum number of results to return, 0 to 1000, by default 50'),
    highlight: z.boolean().default(false).describe('Add `highlight` to each document, by default false'),
    score: z.boolean().default(false).describe('Add `score` to each document, by default false'),
    count: z
      .boolean()
      .default(false)
      .describe('Add `nb_results`, the number of all documents that match, by default false'),
  })
  .refine(({ from, size }) => from + size <= 10_000, {
    path: ['from'],
    error: 'Must be at most 10 000 together with `size`',
  })
export type Search = z.output<typeof Search>

const marked = (field: string) =>
  z.string().describe(`The ${field} as escaped HTML, with the words that match in \`<mark>\``)

const scored = {
  score: z
    .number()
    .optional()
    .describe('Relevance of the document, if `score` is true: higher is better. Compare scores within one reply only'),
}

const highlightDescription =
  'Texts of the document as escaped HTML, with the words that match in `<mark>`, if `highlight` is true. Of a word that matches as a prefix, only the prefix is marked'

const FulltextResult = FulltextDocument.extend({
  ...scored,
  highlight: z
    .object({ title: marked('title').optional(), text: marked('text') })
    .optional()
    .describe(highlightDescription),
})
const TypeaheadResult = TypeaheadDocument.extend({
  ...scored,
  highlight: z
    .object({ text: marked('text') })
    .optional()
    .describe(highlightDescription),
})

export const SearchResult = (variant: Variant) => (variant === 'fulltext' ? FulltextResult : TypeaheadResult)
