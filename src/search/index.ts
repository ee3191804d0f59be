// Declares the endpoints of fulltext and typeahead, which are one API in two variants. contract.ts has the schemas.
import * as z from 'zod'
import { api } from '#core/http/api'
import { has_more, nb_results } from '#core/http/fields'
import { about } from './about.ts'
import type { Env } from './bindings.ts'
import * as wire from './contract.ts'
import { deleteDocument, findDocument, searchDocuments, writeDocuments } from './documents.ts'
import type { Variant } from './engine/indexed-document.ts'
import { errors } from './errors.ts'
import { examplePage } from './example.ts'
import { catalogOf, createIndex, deleteIndex, describeIndex, listIndexes } from './indexes.ts'

/** Creates the API of a variant. */
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
        level: 'write',
        summary: 'Create an index',
        description:
          'Creates an empty index. The index accepts documents as soon as this call returns. Its settings cannot be changed later. Returns 409 `index_exists` if the name is taken, and 400 `validation_failed` if a setting is not valid.',
        params: wire.NewIndex(variant),
        errors: ['index_exists'],
      },
      async ({ env, params }) => createIndex(env, variant, params),
    )

    .delete(
      '/index',
      {
        level: 'manage',
        errors: ['index_not_found'],
        summary: 'Delete an index and its documents',
        description:
          'Deletes the index and all its documents, which cannot be undone. Their storage is empty when this call returns, and the name can be used again.',
        params: wire.ByName,
      },
      async ({ env, params }) => deleteIndex(env, params.name),
    )

    .get(
      '/index',
      {
        level: 'read',
        summary: 'Get an index',
        description: 'Returns the settings of an index, the number of its documents and its size on disk in bytes.',
        params: wire.ByName,
        reply: { index: wire.Index(variant).describe('Settings and size of the index') },
        errors: ['index_not_found'],
      },
      async ({ env, params }) => ({ index: await describeIndex(env, params.name) }),
    )

    .get(
      '/indexes',
      {
        level: 'read',
        summary: 'List indexes',
        description:
          'Returns the names of all indexes, sorted by name, one page at a time. `GET /index` returns the settings and size of one of them.',
        params: wire.Listing,
        reply: { indexes: z.array(wire.ListedIndex).describe('A page of indexes, sorted by name'), nb_results },
      },
      async ({ env, params }) => listIndexes(env, params),
    )

    .post(
      '/document',
      {
        level: 'write',
        summary: 'Create or replace a document',
        description:
          'Writes a document, and replaces the one with the same `code`. Searches find the document as soon as this call returns. Title and text together have up to 1 000 000 bytes of UTF-8, else the reply is 413 `payload_too_large`. The request body has up to 1 MB; write a document whose JSON is larger, because of escapes, with `POST /documents`. 404 `index_not_found` if the index does not exist, 503 `index_full` if the shard of the document has 9.5 GB.',
        params: wire.NewDocument(variant),
        bindable: ['index'],
        errors: ['index_full', 'index_not_found'],
      },
      async ({ env, params: { index, ...document } }) => writeDocuments(env, index, [document]),
    )

    .post(
      '/documents',
      {
        level: 'write',
        summary: 'Create or replace up to 1000 documents',
        description: `Writes documents, and replaces those with the same codes. If one document is not valid or too large, none is written. If \
documents of the request share a code, the last one is written. Each shard writes its documents in one transaction; if a shard fails, the documents of the other \
shards stay written, and you can safely repeat the request. The request body has up to 30 MB. 413 \`payload_too_large\` if a document or the body is too large, 503 \`index_full\` if a shard has 9.5 GB.`,
        params: wire.NewDocuments(variant),
        bindable: ['index'],
        bodyLimit: 30_000_000,
        errors: ['index_full', 'index_not_found'],
      },
      async ({ env, params }) => writeDocuments(env, params.index, params.documents),
    )

    .getOrPost(
      '/document',
      {
        postPath: '/document/search',
        level: 'read',
        summary: 'Get a document',
        description:
          'Returns a document by its code. 404 `index_not_found` if the index does not exist, 404 `document_not_found` if it has no such document.',
        params: wire.DocumentOf,
        bindable: ['index'],
        reply: { document: wire.Document(variant).describe('The document') },
        errors: ['document_not_found', 'index_not_found'],
      },
      async ({ env, params: { index, code } }) => ({ document: await findDocument(env, index, code) }),
    )

    .delete(
      '/document',
      {
        level: 'write',
        summary: 'Delete a document',
        description:
          'Deletes a document by its code. Searches no longer find it when this call returns; its title and text leave the disk within about a minute, its words when the index files are merged. 404 `document_not_found` if the index has no such document.',
        params: wire.DocumentOf,
        bindable: ['index'],
        errors: ['document_not_found', 'index_not_found'],
      },
      async ({ env, params }) => deleteDocument(env, params.index, params.code),
    )

    .getOrPost(
      '/documents',
      {
        postPath: '/documents/search',
        level: 'read',
        summary: 'Search documents',
        description:
          'Returns the documents that match a query, the best first. Documents with equal scores come in the order in which they were first written. A page ends early at 8 MB of documents or of highlights; `has_more` is then true.',
        params: wire.Search,
        bindable: ['index'],
        errors: ['index_not_found'],
        reply: {
          documents: z.array(wire.SearchResult(variant)).describe('A page of the documents that match, the best first'),
          nb_results,
          has_more,
        },
      },
      async ({ env, params }) => searchDocuments(env, variant, params),
    )

    .get(
      '/_example',
      {
        summary: 'Open the example page',
        description:
          'An HTML page that shows search results while you type, and can write sample documents to an index.',
        open: true,
        produces: 'text/html',
      },
      () => examplePage(variant),
    )
