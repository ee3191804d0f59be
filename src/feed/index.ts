import * as z from 'zod'
import { open, ping } from '#core/db/open'
import { api } from '#core/http/api'
import { has_more, nb_results } from '#core/http/fields'
import { announceChanges, announceRecords, issueToken, mayListen } from './announce.ts'
import type { Env } from './bindings.ts'
import { createCollection, listCollections } from './collections.ts'
import * as wire from './contract.ts'
import { presetCollections } from './env.ts'
import { errors } from './errors.ts'
import { markAllRead, markRecord } from './reading.ts'
import * as records from './records.ts'
import { schema } from './schema.ts'
import { listen } from './stream.ts'

export const feed = api<Env, keyof typeof errors>({
  name: 'feed',
  errors,
  title: 'Feed',
  description: 'Notification and news feeds: records in named collections, addressed to a recipient, read or unread.',
  probes: (env) => ({ database: async () => ping(env) }),
  prepare: async (env) => {
    for (const name of presetCollections(env)) await createCollection(open(env, schema), name)
  },
})
  .post(
    '/collection',
    { adds: true, summary: 'Create a collection', params: wire.NewCollection },
    async ({ env, params }) => {
      await createCollection(open(env, schema), params.name)
    },
  )

  .get(
    '/collections',
    {
      summary: 'List the collections',
      params: wire.FeedPaging,
      reply: { collections: z.array(wire.ListedCollection), nb_results },
    },
    ({ env, params }) => listCollections(open(env, schema), params),
  )

  .get(
    '/collection/records',
    {
      summary: 'List the newest records of a collection, whoever they are for',
      params: wire.Newest,
      errors: ['collection_not_found'],
      reply: { records: z.array(wire.FeedRecord), has_more },
    },
    async ({ env, params: { collection, ...page } }) => {
      const feed = open(env, schema)
      return records.listNewest(feed, await records.shelfOf(feed, collection), page)
    },
  )

  .post(
    '/record',
    {
      adds: true,
      summary: 'Add a record',
      params: wire.NewRecord,
      errors: ['collection_not_found'],
      reply: { record: wire.AddedRecord },
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, ctx, markPointOfNoReturn, params: { collection, ...content } }) => {
      const feed = open(env, schema)
      const shelf = await records.shelfOf(feed, collection)
      await markPointOfNoReturn()
      const added = await records.addRecords(feed, shelf, [content])
      announceRecords(env, ctx, shelf, added)
      return { record: added[0]! }
    },
  )

  .post(
    '/records',
    {
      adds: true,
      summary: 'Add up to 1000 records, all or none',
      params: wire.NewRecords,
      errors: ['collection_not_found'],
      reply: { records: z.array(wire.AddedRecord) },
      bodyLimit: 8_000_000,
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, ctx, markPointOfNoReturn, params }) => {
      const feed = open(env, schema)
      const shelf = await records.shelfOf(feed, params.collection)
      await markPointOfNoReturn()
      const added = await records.addRecords(feed, shelf, params.records)
      announceRecords(env, ctx, shelf, added)
      return { records: added }
    },
  )

  .get(
    '/record',
    {
      summary: 'Read a record',
      params: wire.RecordOf,
      errors: ['collection_not_found', 'record_not_found'],
      reply: { record: wire.FeedRecord },
    },
    async ({ env, params }) => {
      const feed = open(env, schema)
      return { record: await records.findRecord(feed, await records.shelfOf(feed, params.collection), params.id) }
    },
  )

  .delete(
    '/record',
    { summary: 'Delete a record', params: wire.RecordOf, errors: ['collection_not_found', 'record_not_found'] },
    async ({ env, ctx, params }) => {
      const feed = open(env, schema)
      const shelf = await records.shelfOf(feed, params.collection)
      announceChanges(env, ctx, shelf, await records.deleteRecord(feed, shelf, params.id))
    },
  )

  .get(
    '/records',
    {
      summary: 'List records, the newest first',
      params: wire.Filter,
      errors: ['collection_not_found'],
      reply: { records: z.array(wire.FeedRecord), nb_results, has_more },
    },
    async ({ env, params: { collection, count, ...filter } }) => {
      const feed = open(env, schema)
      const shelf = await records.shelfOf(feed, collection)
      return records.listRecords(feed, shelf, filter, count)
    },
  )

  .get(
    '/records/count',
    { summary: 'Count records', params: wire.CountFilter, errors: ['collection_not_found'], reply: wire.recordCount },
    async ({ env, params }) => {
      const feed = open(env, schema)
      return { records: await records.countRecords(feed, await records.shelfOf(feed, params.collection), params) }
    },
  )

  .patch(
    '/records',
    {
      summary: 'Change all records that a filter chooses',
      params: wire.Patch,
      errors: ['collection_not_found'],
      reply: wire.change,
    },
    async ({ env, ctx, params }) => {
      const feed = open(env, schema)
      const shelf = await records.shelfOf(feed, params.collection)
      const { updated, heard } = await records.changeRecords(feed, shelf, params)
      announceChanges(env, ctx, shelf, heard)
      return { updated }
    },
  )

  .delete(
    '/records',
    {
      summary: 'Delete all records of a recipient',
      params: wire.RecipientOf,
      errors: ['collection_not_found'],
      reply: wire.deletion,
    },
    async ({ env, ctx, params }) => {
      const feed = open(env, schema)
      const shelf = await records.shelfOf(feed, params.collection)
      const { deleted, heard } = await records.deleteRecords(feed, shelf, params.recipient)
      announceChanges(env, ctx, shelf, heard)
      return { deleted }
    },
  )

  .post(
    '/record/read',
    { summary: 'Mark a record read', params: wire.RecordOf, errors: ['collection_not_found', 'record_not_found'] },
    async ({ env, ctx, params }) => {
      const feed = open(env, schema)
      const shelf = await records.shelfOf(feed, params.collection)
      announceChanges(env, ctx, shelf, [await markRecord(feed, shelf, params.id, true)])
    },
  )

  .post(
    '/record/unread',
    { summary: 'Mark a record unread', params: wire.RecordOf, errors: ['collection_not_found', 'record_not_found'] },
    async ({ env, ctx, params }) => {
      const feed = open(env, schema)
      const shelf = await records.shelfOf(feed, params.collection)
      announceChanges(env, ctx, shelf, [await markRecord(feed, shelf, params.id, false)])
    },
  )

  .post(
    '/records/read',
    { summary: 'Mark all records of a recipient read', params: wire.RecipientOf, errors: ['collection_not_found'] },
    async ({ env, ctx, params }) => {
      const feed = open(env, schema)
      const shelf = await records.shelfOf(feed, params.collection)
      announceChanges(env, ctx, shelf, [await markAllRead(feed, shelf, params.recipient)])
    },
  )

  .post(
    '/stream/token',
    {
      summary: 'Let a browser listen to a recipient',
      description:
        'The token is good for opening GET /stream within a minute; an EventSource cannot send credentials. One that is closed later needs a new token, and `last_event_id` of the last event that it had.',
      params: wire.RecipientOf,
      errors: ['collection_not_found'],
      reply: wire.streamToken,
    },
    async ({ env, params }) => {
      const feed = open(env, schema)
      return issueToken(env, feed, await records.shelfOf(feed, params.collection), params.recipient)
    },
  )

  .get(
    '/stream',
    {
      summary: 'Stream the changes of a recipient as server-sent events',
      description:
        'Events: `record`, a record that is new or has become the recipient’s; `updated`, the record as it is now; `deleted`, the `id` of a record that is deleted or has got another recipient; `read`, `id` and `is_read` of one record, or `until`, the last record of all that are read; `reset`: one call has changed more than 100 records, so list them again. `Last-Event-ID` resumes: new records without limit, all other events for up to a day. On Postgres a record that is committed after one with a larger id, in the moment when nobody listens, is not told on return.',
      params: wire.Listening,
      errors: ['collection_not_found'],
      produces: 'text/event-stream',
      proof: mayListen,
    },
    async ({ env, request, params }) => {
      const feed = open(env, schema)
      const shelf = await records.shelfOf(feed, params.collection)
      return listen(env, feed, shelf, params.recipient, request.headers.get('last-event-id') ?? params.last_event_id)
    },
  )
