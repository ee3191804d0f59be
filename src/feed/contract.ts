// Schemas of the parameters and replies of the feed's API.
import * as z from 'zod'
import { count, Json, JsonObject, paging, text } from '#core/http/fields'
import { selector } from '#core/http/params'
import { Time } from '#core/http/time'

export const Collection = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,47}$/, 'Must be 1 to 48 characters of a-z, 0-9 and _, starting with a letter')
  .meta({
    description: 'Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter',
    examples: ['news'],
  })
const User = text(255).meta({ examples: ['ann'] })
const NonEmptyUser = text(255)
  .min(1)
  .meta({ examples: ['ann'] })
const Id = z.int().describe('Id of the record. Ids increase within a collection')

const Recipient = User.describe('The user whom the record is for, at most 255 characters')

const content = {
  sender: User.describe('The user who caused the record, at most 255 characters'),
  thread: User.describe('Tag that groups records, at most 255 characters'),
  title: text(1_000).describe('Title, at most 1 000 characters'),
  text: text(100_000).describe('Text, at most 100 000 characters'),
  image: text(2_000).describe('URL of an image, at most 2 000 characters'),
}

export const NewCollection = z.object({ name: Collection })

export const FeedPaging = z.object({ ...paging(), count })
export type FeedPaging = z.output<typeof FeedPaging>

export const ListedCollection = z.object({
  name: Collection,
  created_at: Time.nullable().describe(
    'Time of creation in UTC. Null for collections that older versions created without a time',
  ),
})

const NewContent = {
  recipient: Recipient,
  ...z.object(content).partial().shape,
  payload: Json.optional().describe('Any JSON value, at most 1 000 000 bytes'),
  created_at: Time.optional().describe(
    'Time of the record: `YYYY-MM-DD HH:MM:SS` in UTC, a date, or ISO 8601. Default: now. Lists are sorted by id, not by this time',
  ),
}

export const NewRecord = z.object({ collection: Collection, ...NewContent })
export type NewRecord = z.output<typeof NewRecord>

export const NewRecords = z.object({
  collection: Collection,
  records: z.array(z.object(NewContent)).min(1).max(1_000).describe('1 to 1000 records'),
})

/** Makes a schema nullable and keeps its description, which `nullable` alone would lose. */
const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().describe(schema.description ?? '')

/** The reply to a new record. It has no `is_read`, since a new record is unread. */
export const AddedRecord = z.object({
  id: Id,
  recipient: Recipient,
  sender: orNull(content.sender),
  thread: orNull(content.thread),
  title: orNull(content.title),
  text: orNull(content.text),
  image: orNull(content.image),
  payload: Json.nullable().describe('Payload: any JSON value, null if there is none'),
  created_at: Time.describe('Time of the record in UTC'),
})

export const FeedRecord = AddedRecord.extend({
  is_read: z.boolean().describe('Whether the record is read'),
})
export type FeedRecord = z.output<typeof FeedRecord>

/** Converts a record from its stored form to the form of replies and events. */
export const encodeRecord = (record: FeedRecord) => z.encode(FeedRecord, record)

export const RecordOf = z.object({
  collection: Collection,
  id: Id,
  recipient: User.optional().describe(
    'Only if the record is for this user; else 404 `record_not_found`. A credential that is bound to a recipient fills it in',
  ),
})
export type RecordOf = z.output<typeof RecordOf>

export const RecipientOf = z.object({
  collection: Collection,
  recipient: User.describe('The user whom the records are for, at most 255 characters'),
})

// An empty name counts as missing, as it does for a required parameter.
const OptionalUser = User.transform((name) => name || undefined).optional()
const before = Id.optional().describe('Exclusive cursor: returns records after this id in the order of the list')

export const Newest = z.object({ collection: Collection, id: before, limit: paging({ limit: 25 }).limit })
export type Newest = z.output<typeof Newest>

const filter = {
  collection: Collection,
  recipient: OptionalUser.describe('Only records for this user. Required without `user`'),
  sender: User.optional().describe('Only records from this user'),
  user: OptionalUser.describe(
    'Only records that have this user as recipient or sender. `recipient` and `sender` are ignored then',
  ),
  thread: z
    .union([User, z.array(User).min(1).max(90)])
    .optional()
    .describe(
      'Only records of this thread, or of one of up to 90 threads: in the query, `thread[]=a&thread[]=b`. Commas are part of a name',
    ),
  search: text(1_000)
    .optional()
    .describe('Only records with this text in `title` or `text`. Case is ignored; at most 1 000 characters'),
  id: Id.optional().describe('Only records with a lower id'),
  is_read: z
    .boolean()
    .optional()
    .describe('`true`: only read records. `false`: only unread records. `null` or missing: both'),
}

const hasOwner = ({ user, recipient }: { user?: string | undefined; recipient?: string | undefined }) =>
  user !== undefined || recipient !== undefined
const noOwner = { path: ['recipient'], error: 'Is required' }

export const Filter = z
  .object({
    ...filter,
    id: before.describe(
      'Exclusive cursor: returns records after this id in the order of the list. `nb_results` counts only these',
    ),
    order: z
      .enum(['asc', 'desc'])
      .default('desc')
      .describe('`desc`: newest records first. `asc`: oldest records first'),
    count,
    ...paging({ limit: 25 }),
  })
  .refine(hasOwner, noOwner)
export type Filter = z.output<typeof Filter>

export const CountFilter = z.object(filter).refine(hasOwner, noOwner)
export type CountFilter = z.output<typeof CountFilter>

const noKey = { error: 'Must have at least one key' }
const isNotEmpty = (values: object) => Object.values(values).some((value) => value !== undefined)

const Where = z
  .strictObject({
    recipient: User.describe('Records for this user'),
    sender: User.describe('Records from this user'),
    thread: User.describe('Records of this thread'),
    user: User.describe('Records that have this user as recipient or sender'),
  })
  .partial()
const Changes = z
  .strictObject({
    recipient: NonEmptyUser.describe('New recipient. The records keep their read flags'),
    ...content,
    user: NonEmptyUser.describe('New name of `where.user`, as recipient and as sender'),
    payload: JsonObject.describe('New payload: a JSON object, at most 1 000 000 bytes'),
  })
  .partial()

export const Patch = z.object({
  collection: Collection,
  where: selector(
    Where.refine(isNotEmpty, noKey).describe('Records to change: those that match all keys. At least one key'),
  ),
  set: Changes.refine(isNotEmpty, noKey).describe('New values. At least one key; missing keys keep their values'),
})
export type Patch = z.output<typeof Patch>

export const StreamParams = RecipientOf.extend({
  last_event_id: text(40)
    .optional()
    .describe(
      'Event id to resume after, if the client cannot send the header `Last-Event-ID`. Default: the stream starts with new events',
    ),
  token: text(8_192)
    .optional()
    .describe(
      'Token from `POST /stream/token` or `POST /access/token`, if the client cannot send credentials in a header',
    ),
})

export const recordCount = { records: z.int().describe('Number of matching records') }
export const change = { updated: z.int().describe('Number of changed records') }
export const deletion = { deleted: z.int().describe('Number of deleted records') }

export const streamToken = {
  token: z.string().describe('Token for `GET /stream`. Valid for this recipient of this collection alone'),
  expires_in: z
    .int()
    .describe(
      'Lifetime of the token in seconds. A stream that is open stays open until the credentials that requested the token end',
    ),
  last_event_id: z.string().describe('Present position of the stream, for `last_event_id` of `GET /stream`'),
}
