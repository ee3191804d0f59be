import { z } from 'zod'
import { api } from '#core/http/api'
import { has_more, nb_results } from '#core/http/fields'
import * as wire from './contract.ts'
import { deleteDocument, findDocument, searchDocuments, writeDocuments } from './documents.ts'
import type { Variant } from './engine/inverted-index.ts'
import type { Env } from './env.ts'
import { catalogOf, createIndex, deleteIndex, describeIndex, listIndexes } from './indexes.ts'

const about = {
  fulltext: {
    title: 'Full-text search',
    description: `Documents in named indexes, found by the words of title and text.`,
  },
  typeahead: {
    title: 'Search as you type',
    description: `Documents in named indexes, found while their words are being typed.`,
  },
}

export const search = (variant: Variant) =>
  api<Env>({
    name: variant,
    ...about[variant],
    probes: (env) => ({ catalog: async () => catalogOf(env).ping() }),
  })
    .post('/index', { summary: 'Create an index', params: wire.NewIndex(variant) }, async ({ env, params }) =>
      createIndex(env, variant, params),
    )

    .delete(
      '/index',
      { summary: 'Delete an index and all its documents', params: wire.ByName },
      async ({ env, params }) => deleteIndex(env, params.name),
    )

    .get(
      '/index',
      {
        summary: 'Read the settings of an index, and how large it is',
        params: wire.ByName,
        reply: { index: wire.Index(variant) },
      },
      async ({ env, params }) => ({ index: await describeIndex(env, params.name) }),
    )

    .get(
      '/indexes',
      {
        summary: 'List the indexes by name',
        params: wire.Listing,
        reply: { indexes: z.array(wire.ListedIndex), nb_results },
      },
      async ({ env, params }) => listIndexes(env, params),
    )

    .post(
      '/document',
      { summary: 'Write a document, in place of the one of the same code', params: wire.NewDocument(variant) },
      async ({ env, params: { index, ...document } }) => writeDocuments(env, index, [document]),
    )

    .post(
      '/documents',
      {
        summary: 'Write up to 1000 documents',
        params: wire.NewDocuments(variant),
        bodyLimit: 30_000_000,
      },
      async ({ env, params }) => writeDocuments(env, params.index, params.documents),
    )

    .get(
      '/document',
      { summary: 'Read a document', params: wire.DocumentOf, reply: { document: wire.Document(variant) } },
      async ({ env, params: { index, code } }) => ({ document: await findDocument(env, index, code) }),
    )

    .delete('/document', { summary: 'Delete a document', params: wire.DocumentOf }, async ({ env, params }) =>
      deleteDocument(env, params.index, params.code),
    )

    .get(
      '/documents',
      {
        summary: 'Search, the best first',
        params: wire.Search,
        reply: { documents: z.array(wire.Found(variant)), nb_results, has_more },
      },
      async ({ env, params }) => searchDocuments(env, variant, params),
    )
