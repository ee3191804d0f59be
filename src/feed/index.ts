// Endpoints of the feed: collections, records, read flags and live streams.
import * as z from 'zod'
import { open, ping } from '#core/db/open'
import { api } from '#core/http/api'
import { has_more, nb_results } from '#core/http/fields'
import { component, listing, streamed, streamToken } from './api-texts.ts'
import type { Env } from './bindings.ts'
import { createCollection, listCollections, prepareFeed } from './collections.ts'
import * as wire from './contract.ts'
import { errors } from './errors.ts'
import { markAllRead, markRecord } from './read-flags.ts'
import * as records from './records.ts'
import { schema } from './schema.ts'
import { openStream } from './stream.ts'
import { hasStreamToken, issueToken, notifyOfChanges, notifyOfRecords, validityOfStream } from './subscribers.ts'

/** The database and the table of a collection. */
async function openTable(env: Env, collection: string) {
  const feed = open(env, schema)
  return { feed, table: await records.tableOf(feed, collection) }
}

const bindable = ['collection', 'recipient'] as const
const ofOwner = { errors: ['collection_not_found'], bindable, selectors: ['user'] } as const // It replaces `recipient`.
const ofRecord = { params: wire.RecordOf, errors: ['collection_not_found', 'record_not_found'], bindable } as const
const ofRecipient = { params: wire.RecipientOf, errors: ['collection_not_found'], bindable } as const

export const feed = api<Env, keyof typeof errors>({
  name: 'feed',
  errors,
  title: 'Feed',
  description: component,
  probes: (env) => ({ database: async () => ping(env) }),
  prepare: prepareFeed,
  requestHeaders: ['Last-Event-ID'],
})
  .post(
    '/collection',
    {
      level: 'write',
      adds: true,
      summary: 'Create a collection',
      description: 'Has no effect if the collection exists. A collection cannot be deleted or renamed.',
      params: wire.NewCollection,
    },
    async ({ env, params }) => createCollection(open(env, schema), params.name),
  )

  .get(
    '/collections',
    {
      level: 'read',
      summary: 'List collections',
      description: 'All collections, sorted by name.',
      params: wire.FeedPaging,
      reply: { collections: z.array(wire.ListedCollection).describe('Collections, sorted by name'), nb_results },
    },
    ({ env, params }) => listCollections(open(env, schema), params),
  )

  .get(
    '/collection/records',
    {
      level: 'read',
      summary: 'List the newest records of a collection',
      description: 'Records for all recipients, newest first. Pass the last `id` of a page to get the next page.',
      params: wire.Newest,
      bindable: ['collection'],
      errors: ['collection_not_found'],
      reply: { records: z.array(wire.FeedRecord).describe('Records of the page'), has_more },
    },
    async ({ env, params: { collection, ...page } }) => {
      const { feed, table } = await openTable(env, collection)
      return records.listNewest(feed, table, page)
    },
  )

  .post(
    '/record',
    {
      level: 'write',
      adds: true,
      summary: 'Add a record',
      description:
        'The record is unread. Subscribers of the recipient get a `record` event. A repeat with the same `Idempotency-Key` adds no second record.',
      params: wire.NewRecord,
      bindable,
      errors: ['collection_not_found'],
      reply: { record: wire.AddedRecord.describe('The added record') },
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, ctx, markPointOfNoReturn, params: { collection, ...content } }) => {
      const { feed, table } = await openTable(env, collection)
      await markPointOfNoReturn()
      const added = await records.addRecords(feed, table, [content])
      notifyOfRecords(env, ctx, table, added)
      return { record: added[0]! }
    },
  )

  .post(
    '/records',
    {
      level: 'write',
      adds: true,
      summary: 'Add up to 1000 records',
      description:
        'Adds all records or none. Their ids are in the order of the request. A repeat with the same `Idempotency-Key` adds nothing.',
      params: wire.NewRecords,
      errors: ['collection_not_found'],
      reply: { records: z.array(wire.AddedRecord).describe('The added records, in the order of the request') },
      bodyLimit: 8_000_000,
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, ctx, markPointOfNoReturn, params }) => {
      const { feed, table } = await openTable(env, params.collection)
      await markPointOfNoReturn()
      const added = await records.addRecords(feed, table, params.records)
      notifyOfRecords(env, ctx, table, added)
      return { records: added }
    },
  )

  .get(
    '/record',
    {
      level: 'read',
      summary: 'Get a record',
      description: 'Returns the record with its read flag. Does not mark the record read.',
      ...ofRecord,
      reply: { record: wire.FeedRecord.describe('The record') },
    },
    async ({ env, params }) => {
      const { feed, table } = await openTable(env, params.collection)
      return { record: await records.findRecord(feed, table, params) }
    },
  )

  .delete(
    '/record',
    {
      level: 'write',
      summary: 'Delete a record',
      description: 'Deletes the record for ever. Subscribers of the recipient get a `deleted` event.',
      ...ofRecord,
    },
    async ({ env, ctx, params }) => {
      const { feed, table } = await openTable(env, params.collection)
      notifyOfChanges(env, ctx, table, await records.deleteRecord(feed, table, params))
    },
  )

  .getOrPost(
    '/records',
    {
      postPath: '/records/search',
      level: 'read',
      summary: 'List records',
      description: listing,
      params: wire.Filter,
      ...ofOwner,
      reply: { records: z.array(wire.FeedRecord).describe('Records of the page'), nb_results, has_more },
    },
    async ({ env, params: { collection, count, ...filter } }) => {
      const { feed, table } = await openTable(env, collection)
      return records.listRecords(feed, table, filter, count)
    },
  )

  .getOrPost(
    '/records/count',
    {
      level: 'read',
      summary: 'Count records',
      description: 'The number of records that `GET /records` finds with the same filters.',
      params: wire.CountFilter,
      ...ofOwner,
      reply: wire.recordCount,
    },
    async ({ env, params }) => {
      const { feed, table } = await openTable(env, params.collection)
      return { records: await records.countRecords(feed, table, params) }
    },
  )

  .patch(
    '/records',
    {
      level: 'write',
      summary: 'Change records',
      description:
        'Sets the values of `set` in all records that match `where`. With `set.user`, the name of `where.user` is replaced as recipient and as sender. Subscribers get `updated` events; if the recipient changes, the old recipient gets `deleted` and the new one `record`.',
      params: wire.Patch,
      errors: ['collection_not_found'],
      reply: wire.change,
    },
    async ({ env, ctx, params }) => {
      const { feed, table } = await openTable(env, params.collection)
      const { updated, notifiable } = await records.changeRecords(feed, table, params)
      notifyOfChanges(env, ctx, table, notifiable)
      return { updated }
    },
  )

  .delete(
    '/records',
    {
      level: 'manage',
      summary: 'Delete all records of a recipient in a collection',
      description: 'Subscribers get a `deleted` event per record, or one `reset` event if more than 100 are deleted.',
      ...ofRecipient,
      reply: wire.deletion,
    },
    async ({ env, ctx, params }) => {
      const { feed, table } = await openTable(env, params.collection)
      const { deleted, notifiable } = await records.deleteRecords(feed, table, params.recipient)
      notifyOfChanges(env, ctx, table, notifiable)
      return { deleted }
    },
  )

  .post(
    '/record/read',
    {
      level: 'write',
      summary: 'Mark a record read',
      description:
        'Has no effect on a record that is read. Subscribers of the recipient get a `read` event with `is_read` true.',
      ...ofRecord,
    },
    async ({ env, ctx, params }) => {
      const { feed, table } = await openTable(env, params.collection)
      notifyOfChanges(env, ctx, table, [await markRecord(feed, table, params, true)])
    },
  )

  .post(
    '/record/unread',
    {
      level: 'write',
      summary: 'Mark a record unread',
      description:
        'Has no effect on a record that is unread. Subscribers of the recipient get a `read` event with `is_read` false.',
      ...ofRecord,
    },
    async ({ env, ctx, params }) => {
      const { feed, table } = await openTable(env, params.collection)
      notifyOfChanges(env, ctx, table, [await markRecord(feed, table, params, false)])
    },
  )

  .post(
    '/records/read',
    {
      level: 'write',
      summary: 'Mark all records of a recipient read',
      description: 'Takes the same time for any number of records. Subscribers get one `read` event with `id` null.',
      ...ofRecipient,
    },
    async ({ env, ctx, params }) => {
      const { feed, table } = await openTable(env, params.collection)
      notifyOfChanges(env, ctx, table, [await markAllRead(feed, table, params.recipient)])
    },
  )

  .post(
    '/stream/token',
    {
      level: 'read',
      summary: 'Create a token for a stream',
      description: streamToken,
      ...ofRecipient,
      reply: wire.streamToken,
    },
    async ({ env, params, credential }) => {
      const { feed, table } = await openTable(env, params.collection)
      return issueToken(env, feed, table, params.recipient, credential!)
    },
  )

  .get(
    '/stream',
    {
      level: 'read',
      summary: 'Stream records and changes of a recipient',
      description: streamed,
      ...ofRecipient,
      params: wire.StreamParams,
      tokenInQuery: true,
      produces: 'text/event-stream',
      proof: hasStreamToken,
      provenBy: 'a token of `POST /feed/stream/token` in `?token=`',
    },
    async ({ env, request, params, credential }) => {
      const { feed, table } = await openTable(env, params.collection)
      const after = request.headers.get('last-event-id') ?? params.last_event_id
      return openStream(env, feed, table, params.recipient, after, validityOfStream(request, credential))
    },
  )
