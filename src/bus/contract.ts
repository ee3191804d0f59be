import * as z from 'zod'
import { count, has_more, Json, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'

const Id = z.int().min(1)

const ClientName = text(64)
  .min(1)
  .regex(/^\S(.*\S)?$/u, 'Must not begin or end with a space')
  .meta({ description: 'Name of the user, by which other instances know it too', examples: ['crm'] })
const Secret = z
  .string()
  .regex(/^[\x21-\x7e]{16,255}$/, 'Must be 16 to 255 printable ASCII characters without spaces')
  .describe('At least 16 characters; generated unless given')
const Description = text(1_000)
const Disabled = z.boolean().describe('A disabled user is refused as if its secret were wrong')

export const NewClient = z.object({
  name: ClientName.optional().describe('Generated unless given'),
  secret: Secret.optional(),
  is_admin: z.boolean().default(false).describe('Reads and writes every collection, and administers the bus'),
  is_disabled: Disabled.default(false),
  description: Description.optional(),
})
export type NewClient = z.output<typeof NewClient>

export const ClientChanges = z.object({
  id: Id,
  secret: Secret.optional(),
  renew_secret: z.boolean().default(false).describe('Generates a new secret, which the reply has this once'),
  is_admin: z.boolean().optional(),
  is_disabled: Disabled.optional(),
  description: Description.optional(),
})
export type ClientChanges = z.output<typeof ClientChanges>

export const Client = z.object({
  id: Id,
  name: z.string(),
  is_admin: z.boolean(),
  is_disabled: z.boolean(),
  description: z.string().nullable(),
  created_at: Time,
  updated_at: Time,
})

export const ClientWithSecret = Client.extend({
  secret: z.string().optional().describe('Of a new user, or a renewed one: shown this once'),
})

export const ClientOf = z.object({ id: Id })
export const ClientBy = z
  .object({ id: Id.optional(), name: text(64).optional() })
  .refine(({ id, name }) => id !== undefined || name, { path: ['id'], error: 'id or name is required' })
export type ClientBy = z.output<typeof ClientBy>

export const BusPaging = z.object({ count, ...paging() })
export type BusPaging = z.output<typeof BusPaging>

const CollectionName = z
  .string()
  .regex(/^[a-z0-9]{1,48}$/, 'Must be lowercase Latin letters and digits, 1 to 48')
  .meta({ description: 'Name of the collection', examples: ['orders'] })

const Type = z.enum(['sync', 'async', 'storage'])
export type Type = z.output<typeof Type>

const Handler = text(2_000).describe(
  'URL that documents are posted to; required for sync and async, of no use to storage',
)

export const NewCollection = z.object({
  name: CollectionName,
  type: Type,
  handler: Handler.optional(),
  is_disabled: z.boolean().default(false).describe('A disabled collection takes no new documents'),
  description: Description.optional(),
})
export type NewCollection = z.output<typeof NewCollection>

export const CollectionChanges = z.object({
  id: Id,
  type: Type.optional(),
  handler: Handler.optional(),
  is_disabled: z.boolean().optional(),
  description: Description.optional(),
})
export type CollectionChanges = z.output<typeof CollectionChanges>

export const Collection = z.object({
  id: Id,
  name: z.string(),
  type: Type,
  handler: z.string().nullable(),
  is_disabled: z.boolean(),
  description: z.string().nullable(),
  created_at: Time,
  updated_at: Time,
})

export const CollectionBy = z
  .object({ id: Id.optional(), name: text(48).optional() })
  .refine(({ id, name }) => id !== undefined || name, { path: ['id'], error: 'id or name is required' })
export type CollectionBy = z.output<typeof CollectionBy>

export const CollectionDeletion = z.object({
  id: Id,
  force: z.boolean().default(false).describe('With its documents; without it 409 where there are any'),
})
export type CollectionDeletion = z.output<typeof CollectionDeletion>

const Level = z.enum(['read', 'write']).describe('`write` is read and write')

export const NewAccess = z.object({
  client: Id.describe('Id of the user'),
  collection: Id.describe('Id of the collection'),
  level: Level,
})
export type NewAccess = z.output<typeof NewAccess>

export const Access = NewAccess.extend({ client_name: z.string(), collection_name: z.string() })
export const AccessOf = NewAccess.omit({ level: true })
export type AccessOf = z.output<typeof AccessOf>

/** Access that another instance has granted may be here before its user and its collection. */
export const ListedAccess = Access.extend({
  client: Id.nullable().describe('Id of the user; null where there is none of this name yet'),
  collection: Id.nullable().describe('Id of the collection; null where there is none of this name yet'),
})

const AccessNames = z.object({
  client_name: text(64).optional().describe('Name of the user, in place of its id'),
  collection_name: text(48).optional().describe('Name of the collection, in place of its id'),
})
export const HeldAccess = AccessOf.partial()
  .extend(AccessNames.shape)
  .refine((given) => given.client !== undefined || given.client_name, {
    path: ['client'],
    error: 'Needs client or client_name',
  })
  .refine((given) => given.collection !== undefined || given.collection_name, {
    path: ['collection'],
    error: 'Needs collection or collection_name',
  })
export type HeldAccess = z.output<typeof HeldAccess>
export const AccessFilter = AccessOf.partial().extend({ count, ...paging() })
export type AccessFilter = z.output<typeof AccessFilter>

const hex = '[0-9a-f]'
const Uuid = z
  .string()
  .toLowerCase()
  .regex(new RegExp(`^${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}$`), 'Must be a UUID')
  .meta({
    description: 'Chosen by the caller; a repeat with it changes nothing',
    examples: ['0a7bd8f4-6a5c-4c51-9ad8-8d0f4f2f7a39'],
  })

const event = text(255)
  .min(1)
  .meta({ description: 'Event, subservice or subcollection', examples: ['created'] })

export const NewDocument = z.object({
  collection: CollectionName,
  event,
  uuid: Uuid,
  data: Json.describe('Any JSON'),
  webhook: text(2_000).optional().describe('URL that the result is posted to; required for async, else ignored'),
})
export type NewDocument = z.output<typeof NewDocument>

export const Document = z.object({
  id: Id,
  collection: z.string(),
  event: z.string(),
  uuid: z.string(),
  data: Json,
  webhook: z.string().nullable(),
})

/** What a handler has answered; the body is JSON text in the code. */
export const HandlerOutcome = z.object({
  status_code: z.int().describe("The handler's, or 502 where it could not be reached and 504 where it took over 20 s"),
  body: Json.describe('The JSON, or the text where it is none; null without an answer and where it has over 900 KB'),
})
export type HandlerOutcome = z.output<typeof HandlerOutcome>

const state = z
  .enum(['waiting', 'processing', 'delivered', 'rejected', 'failed'])
  .nullable()
  .describe(
    '`delivered`: the handler answered 2xx, and the webhook of an async document took the answer. `rejected`: the same with a 4xx other than 408, 425 and 429. `failed`: the retries have ended; a sync document is sent again by a repeat of its uuid. null in a storage collection',
  )
export type DocumentState = z.output<typeof state>

const progress = {
  state,
  attempts: z.int().describe('Number of calls to the handler since the last replay'),
  webhook_attempts: z.int(),
}

export const DocumentInFull = Document.extend({
  ...progress,
  webhook_status: z.int().nullable().describe("The webhook's last answer; 502 and 504 as for a handler"),
  response: HandlerOutcome.nullable().describe("The handler's last answer"),
  created_at: Time,
  answered_at: Time.nullable(),
  delivered_at: Time.nullable(),
  next_at: Time.nullable().describe('When the next attempt is due; null if none is planned'),
})

export const DocumentOf = z.object({ collection: CollectionName, id: Id })

const after = z.int().min(0).default(0).describe('Only documents after this id')
export const Listing = z.object({
  collection: CollectionName,
  id: after.describe('Only documents after this id; with `desc` before it, or the last there are'),
  order: z.enum(['asc', 'desc']).default('asc').describe('By id; in the collection `system` always `asc`'),
  limit: z.int().min(1).optional().describe('At most BOX_FETCH_LIMIT, which is also the default'),
})
export const CountOf = z.object({ collection: CollectionName, id: after })

/** How far a document is has no place in the log of changes, which is read as documents too. */
const ListedDocument = Document.pick({ id: true, event: true, uuid: true, data: true }).extend(
  z.object({ ...progress, created_at: Time }).partial().shape,
)

export const Callback = z.object({ collection: Id, document: Id })
export type Callback = z.output<typeof Callback>

const Moment = z.int().min(0)
// Earlier versions of the bus log neither `since` nor `seen`.
const stamped = {
  at: Moment,
  origin: text(100).min(1),
  since: Moment.optional(),
  seen: z.record(text(100), Moment).optional(),
}
const kept = { ...stamped, is_deleted: z.literal(false) }
const gone = { ...stamped, is_deleted: z.literal(true) }
const disabled = { is_disabled: z.boolean(), description: Description.nullable() }

const ofClient = { kind: z.literal('client'), name: ClientName }
const ofCollection = { kind: z.literal('collection'), name: CollectionName }
const ofAccess = { kind: z.literal('access'), client: ClientName, collection: CollectionName }

/** A change as another instance has it in its log. */
export const LoggedChange = z.union([
  z.object({ ...ofClient, ...kept, ...disabled, secret_hash: z.hash('sha256'), is_admin: z.boolean() }),
  z.object({ ...ofCollection, ...kept, ...disabled, type: Type, handler: Handler.nullable() }),
  z.object({ ...ofAccess, ...kept, level: Level }),
  z.object({ ...ofClient, ...gone }),
  z.object({ ...ofCollection, ...gone }),
  z.object({ ...ofAccess, ...gone }),
])
export type LoggedChange = z.output<typeof LoggedChange>

/** A page of another instance's log. */
export const LogPage = z.object({
  instance: z.string(),
  documents: z.array(z.object({ id: z.int(), data: z.unknown() })),
})

export const Conflict = z.object({
  kind: z.enum(['client', 'collection', 'access']),
  name: z.string().optional().describe('Name of the user or the collection'),
  client: z.string().optional().describe('Of access: name of the user'),
  collection: z.string().optional().describe('Of access: name of the collection'),
  replaced_at: Time.describe('When the value was set here'),
  replaced: Json.describe(
    'The value that was set here; for a user `is_secret_replaced` says whether its secret changed',
  ),
  kept_at: Time.describe('When the other instance set its value'),
  kept_origin: z.string().describe('Name of the instance that set the value that is kept'),
  kept: Json.describe('The value that is kept: the later one, or `is_deleted` for a deletion'),
  found_at: Time,
})
export type Conflict = z.output<typeof Conflict>

export const Instance = z.object({
  url: z.string(),
  instance: z
    .string()
    .nullable()
    .describe('Name of its database; if it changes, or the log is shorter than before, the log is read again'),
  position: z.int().describe('What was read up to here'),
  succeeded_at: Time.nullable(),
  failed_at: Time.nullable(),
  error: z.string().nullable().describe('Why the last attempt failed; none after a success'),
  skipped: z.int().describe('Number of changes that could not be applied at once, since the instance is read'),
  last_skipped: z.array(z.object({ position: z.int(), reason: z.string() })).describe('The last ten of them'),
  pending: z.int().describe('Number of skipped changes that are still not applied; each is tried again once a minute'),
})
export type Instance = z.output<typeof Instance>
export type LogPage = z.output<typeof LogPage>
const instance = z.string().optional().describe('Instance that wrote this log; only for the collection `system`')
export const documentPage = { documents: z.array(ListedDocument), has_more, instance }
export const documentCount = { documents: z.int() }
