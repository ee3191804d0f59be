import * as z from 'zod'
import { count, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { stemmers, stopwordLists } from './analysis/names.ts'
import type { Variant } from './engine/documents.ts'
import { maxStopwordLength, maxStopwords } from './limits.ts'

const IndexName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,47}$/, 'Must be a-z, 0-9 and _, 1 to 48 characters, a letter first')
  .meta({
    description: 'Name of the index: a-z, 0-9 and _, a letter first, up to 48 characters',
    examples: ['articles'],
  })

const Code = text(255)
  .min(1)
  .meta({ description: 'Identity of the document in its index, up to 255 characters', examples: ['a1'] })

const Shards = z
  .int()
  .min(1)
  .max(16)
  .default(1)
  .describe('Over how many objects the documents are spread, up to 16, for good; each holds up to 9.5 GB')

const Language = text(64)

const newIndex = { name: IndexName, shards: Shards }

const NewFulltextIndex = z.object({
  ...newIndex,
  stemmer: Language.default('english').describe(
    `Language of the stemmer: one of ${stemmers.join(', ')}, also written \`_russian_\``,
  ),
  stopwords: z
    .union([text(maxStopwords * (maxStopwordLength + 1)), z.array(text(maxStopwordLength)).max(maxStopwords)], {
      error: ({ input }) =>
        input === undefined
          ? undefined
          : `Must be a language, or up to ${maxStopwords} words of ${maxStopwordLength} characters`,
    })
    .default('english')
    .describe(
      `Words that a query ignores: the language of a list, one of ${stopwordLists.join(', ')}, also written \`_russian_\`; or the \
words themselves, an array of up to ${maxStopwords} or a text separated by commas. Independent of \`stemmer\`.`,
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

export const ListedIndex = z.object({ name: IndexName })

const index = {
  name: IndexName,
  shards: z.int(),
  documents: z.int(),
  bytes: z.int().describe('On disk'),
  created_at: Time,
}

const FulltextIndex = z.object({
  ...index,
  stemmer: z.string(),
  stopwords: z.union([z.string(), z.array(z.string())]),
})
const TypeaheadIndex = z.object(index)

export const Index = (variant: Variant) => (variant === 'fulltext' ? FulltextIndex : TypeaheadIndex)

// Bounded together, and by bytes: see `writeDocuments`.
const Words = text(30_000_000).meta({ maxLength: 1_000_000 })
const Title = Words.describe('Weighs more than the text')
const Text = Words.describe('With the title at most 1 000 000 bytes of UTF-8')

const content = { code: Code, text: Text }

const NewFulltextDocument = z.object({ ...content, title: Title.optional() })
const NewTypeaheadDocument = z.object(content)

const newDocument = (variant: Variant) => (variant === 'fulltext' ? NewFulltextDocument : NewTypeaheadDocument)
export interface NewContent {
  code: string
  title?: string | undefined
  text: string
}

const ofIndex = { index: IndexName }

export const NewDocument = (variant: Variant) => newDocument(variant).extend(ofIndex)

export const NewDocuments = (variant: Variant) =>
  z.object({
    ...ofIndex,
    documents: z
      .array(newDocument(variant))
      .min(1)
      .max(1_000)
      .meta({ description: written[variant], examples: [[{ code: 'a1', text: 'text' }]] }),
  })

const written = {
  fulltext: 'Each with `code` and `text`, and a `title` where it has one',
  typeahead: 'Each with `code` and `text`',
}

export const DocumentOf = z.object({ ...ofIndex, code: Code })

const FulltextDocument = z.object({
  code: Code,
  title: z.string().optional().describe('Absent where it has none'),
  text: z.string(),
})
const TypeaheadDocument = z.object({ code: Code, text: z.string() })

export const Document = (variant: Variant) => (variant === 'fulltext' ? FulltextDocument : TypeaheadDocument)

export const Search = z
  .object({
    ...ofIndex,
    search: text(10_000)
      .min(1)
      .meta({
        description:
          'Query, up to 10 000 characters. `-word` and `-"some words"` exclude documents; a query that only excludes finds nothing.',
        examples: ['word'],
      }),
    from: z.int().min(0).default(0).describe('How many to skip; with `size` at most 10 000'),
    size: z.int().min(0).max(1_000).default(50).describe('How many to return, up to 1000'),
    highlight: z.boolean().default(false).describe('Adds `highlight` to each document'),
    score: z.boolean().default(false).describe('Adds `score` to each document'),
    count: z.boolean().default(false).describe('Adds `nb_results`, the number of all that match'),
  })
  .refine(({ from, size }) => from + size <= 10_000, { path: ['from'], error: 'Must be at most 10 000 with `size`' })
export type Search = z.output<typeof Search>

const marked = z.string().describe('The text as HTML, what was found in `<mark>`')

const found = { score: z.number().optional().describe('The higher, the better; comparable in one reply only') }

const FoundFulltext = FulltextDocument.extend({
  ...found,
  highlight: z.object({ title: marked.optional(), text: marked }).optional(),
})
const FoundTypeahead = TypeaheadDocument.extend({ ...found, highlight: z.object({ text: marked }).optional() })

export const Found = (variant: Variant) => (variant === 'fulltext' ? FoundFulltext : FoundTypeahead)
