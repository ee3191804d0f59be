import * as z from 'zod'
import { count, Json, JsonObject, paging, text } from '#core/http/fields'
import { selector } from '#core/http/params'
import { Time } from '#core/http/time'

export const Collection = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,47}$/, 'Must be a-z, 0-9 and _, 1 to 48 characters, a letter first')
  .meta({ description: 'Name of the collection', examples: ['news'] })
const User = text(255).meta({ examples: ['ann'] })
const Somebody = text(255)
  .min(1)
  .meta({ examples: ['ann'] })
const Id = z.int().describe('Identity of the record')

const content = {
  sender: User,
  thread: User.describe('Tag for grouping'),
  title: text(1_000),
  text: text(100_000),
  image: text(2_000).describe('URL of an image'),
}

export const NewCollection = z.object({ name: Collection })

export const FeedPaging = z.object({ ...paging(), count })
export type FeedPaging = z.output<typeof FeedPaging>

export const ListedCollection = z.object({
  name: Collection,
  created_at: Time.nullable().describe('Null for one that was made before this was kept'),
})

const NewContent = {
  recipient: User,
  ...z.object(content).partial().shape,
  payload: Json.optional().describe('Any JSON'),
  created_at: Time.optional(),
}

export const NewRecord = z.object({ collection: Collection, ...NewContent })
export type NewRecord = z.output<typeof NewRecord>

export const NewRecords = z.object({ collection: Collection, records: z.array(z.object(NewContent)).min(1).max(1_000) })

/** A record as it is added: without `is_read`. */
export const AddedRecord = z.object({
  id: Id,
  recipient: User,
  sender: User.nullable(),
  thread: User.nullable(),
  title: content.title.nullable(),
  text: content.text.nullable(),
  image: content.image.nullable(),
  payload: Json.nullable(),
  created_at: Time,
})

export const FeedRecord = AddedRecord.extend({ is_read: z.boolean() })
export type FeedRecord = z.output<typeof FeedRecord>

/** A record as it stands in replies and events. */
export const encodeRecord = (record: FeedRecord) => z.encode(FeedRecord, record)

export const RecordOf = z.object({ collection: Collection, id: Id })
export const RecipientOf = z.object({ collection: Collection, recipient: User })

// As for a parameter that is required, an empty name is none.
const Named = User.transform((name) => name || undefined).optional()
const before = Id.optional().describe('Record to start from, itself left out')

export const Newest = z.object({ collection: Collection, id: before, limit: paging({ limit: 25 }).limit })
export type Newest = z.output<typeof Newest>

const filter = {
  collection: Collection,
  recipient: Named.describe('Required without `user`'),
  sender: User.optional(),
  user: Named.describe('Recipient or sender; these are then ignored'),
  thread: z.union([User, z.array(User).min(1).max(90)]).optional(),
  search: text(1_000).optional().describe('Substring of title or text, in any case'),
  id: before,
  is_read: z
    .boolean()
    .optional()
    .describe('`true`: only read records. `false`: only unread ones. `null`, or without it: both'),
}

const named = ({ user, recipient }: { user?: string | undefined; recipient?: string | undefined }) =>
  user !== undefined || recipient !== undefined
const unnamed = { path: ['recipient'], error: 'Is required' }

export const Filter = z
  .object({ ...filter, order: z.enum(['asc', 'desc']).default('desc'), count, ...paging({ limit: 25 }) })
  .refine(named, unnamed)
export type Filter = z.output<typeof Filter>

export const CountFilter = z.object(filter).refine(named, unnamed)
export type CountFilter = z.output<typeof CountFilter>

const oneKey = { error: 'Needs one key at least' }
const isNotEmpty = (given: object) => Object.values(given).some((value) => value !== undefined)

const Where = z
  .strictObject({ recipient: User, sender: User, thread: User, user: User.describe('Recipient or sender') })
  .partial()
const Changes = z
  .strictObject({
    recipient: Somebody,
    ...content,
    user: Somebody.describe('Replaces `where.user`'),
    payload: JsonObject,
  })
  .partial()

export const Patch = z.object({
  collection: Collection,
  where: selector(Where.refine(isNotEmpty, oneKey)),
  set: Changes.refine(isNotEmpty, oneKey),
})
export type Patch = z.output<typeof Patch>

export const Listening = RecipientOf.extend({
  last_event_id: text(40).optional().describe('Where to go on, in place of the header `Last-Event-ID`'),
  token: text(100).optional().describe('From POST /stream/token, where no header can be sent'),
})

export const recordCount = { records: z.int() }
export const change = { updated: z.int() }
export const deletion = { deleted: z.int() }

export const streamToken = {
  token: z.string(),
  expires_in: z.int().describe('Seconds'),
  last_event_id: z.string().describe('Where the stream is now, for GET /stream'),
}
