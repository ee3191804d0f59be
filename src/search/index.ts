import * as z from 'zod'
import { api } from '#core/http/api'
import { has_more, nb_results } from '#core/http/fields'
import { about } from './about.ts'
import type { Env } from './bindings.ts'
import * as wire from './contract.ts'
import { deleteDocument, findDocument, searchDocuments, writeDocuments } from './documents.ts'
import type { Variant } from './engine/documents.ts'
import { errors } from './errors.ts'
import { examplePage } from './example.ts'
import { catalogOf, createIndex, deleteIndex, describeIndex, listIndexes } from './indexes.ts'

/** The API of a variant. */
export const search = (variant: Variant) =>
  api<Env, keyof typeof errors>({
    errors,
    name: variant,
    ...about[variant],
    probes: (env) => ({ catalog: async () => catalogOf(env).ping() }),
  })
    .post(
      '/index',
      {
        summary: 'Create an index',
        description: 'It is there for documents when this is answered; 409 where there is one of this name.',
        params: wire.NewIndex(variant),
        errors: ['index_exists'],
      },
      async ({ env, params }) => createIndex(env, variant, params),
    )

    .delete(
      '/index',
      {
        errors: ['index_not_found'],
        summary: 'Delete an index and all its documents',
        description: 'Its storage is empty when this is answered.',
        params: wire.ByName,
      },
      async ({ env, params }) => deleteIndex(env, params.name),
    )

    .get(
      '/index',
      {
        summary: 'Read the settings of an index, and how large it is',
        params: wire.ByName,
        reply: { index: wire.Index(variant) },
        errors: ['index_not_found'],
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
      {
        summary: 'Write a document, in place of the one of the same code',
        description: 'A body has up to 1 MB; a document that is larger as JSON, for its escapes, goes into a bulk.',
        params: wire.NewDocument(variant),
        errors: ['index_full', 'index_not_found'],
      },
      async ({ env, params: { index, ...document } }) => writeDocuments(env, index, [document]),
    )

    .post(
      '/documents',
      {
        summary: 'Write up to 1000 documents',
        description: `Where one is not valid, or has more than a megabyte, none is written. Of several with the same code only the \
last is written. What one shard gets is one transaction: where a shard fails, what others got is written, and a repeat is safe. A body has up to 30 MB.`,
        params: wire.NewDocuments(variant),
        bodyLimit: 30_000_000,
        errors: ['index_full', 'index_not_found'],
      },
      async ({ env, params }) => writeDocuments(env, params.index, params.documents),
    )

    .get(
      '/document',
      {
        summary: 'Read a document',
        params: wire.DocumentOf,
        reply: { document: wire.Document(variant) },
        errors: ['document_not_found', 'index_not_found'],
      },
      async ({ env, params: { index, code } }) => ({ document: await findDocument(env, index, code) }),
    )

    .delete(
      '/document',
      { summary: 'Delete a document', params: wire.DocumentOf, errors: ['document_not_found', 'index_not_found'] },
      async ({ env, params }) => deleteDocument(env, params.index, params.code),
    )

    .get(
      '/documents',
      {
        summary: 'Search, the best first',
        description:
          'Documents of the same rank come in the order in which they were first written. A page ends early at 8 MB of documents, or of highlights; `has_more` tells.',
        params: wire.Search,
        errors: ['index_not_found'],
        reply: { documents: z.array(wire.Found(variant)), nb_results, has_more },
      },
      async ({ env, params }) => searchDocuments(env, variant, params),
    )

    .get('/_example', { summary: 'Try it: results at each letter', open: true, produces: 'text/html' }, () =>
      examplePage(variant),
    )
