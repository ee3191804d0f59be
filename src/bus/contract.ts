// Schemas of users, collections and access. The folder contract has those of documents and of the replication.
import * as z from 'zod'
import { count, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'

export const Id = z.int().min(1)
const ClientId = Id.describe('Id of the user')
export const CollectionId = Id.describe('Id of the collection')
export const CreatedAt = Time.describe('Time of creation, in UTC')
export const UpdatedAt = Time.describe('Time of the last change, in UTC')

export const ClientName = text(64)
  .min(1)
  .regex(/^\S(.*\S)?$/u, 'Must not begin or end with a space')
  .meta({ description: 'Name of the user, 1 to 64 characters. The same on all instances', examples: ['crm'] })
const Secret = z
  .string()
  .regex(/^[\x21-\x7e]{16,255}$/, 'Must be 16 to 255 printable ASCII characters without spaces')
  .describe('Secret of the user: 16 to 255 printable ASCII characters without spaces')
export const Description = text(1_000).describe('Free text, at most 1000 characters')
const Disabled = z.boolean().describe('Whether the user is disabled. A disabled user gets 401, as with a wrong secret')

export const CircuitState = z
  .enum(['closed', 'half_open', 'open'])
  .describe(
    'State of the circuit breaker. closed: every document is sent. open: the destination is down, and documents wait. half_open: one document at a time probes it',
  )

export const NewClient = z.object({
  name: ClientName.optional().describe(
    'Name of the user, 1 to 64 characters, no space at its ends. Default: a generated name',
  ),
  secret: Secret.optional().describe(
    'Secret of the user: 16 to 255 printable ASCII characters without spaces. Default: a generated secret',
  ),
  is_admin: z
    .boolean()
    .default(false)
    .describe('Whether the user is an administrator: may read and write every collection and administer the bus'),
  is_disabled: Disabled.default(false),
  description: Description.optional(),
})
export type NewClient = z.output<typeof NewClient>

export const ClientChanges = z.object({
  id: ClientId,
  secret: Secret.optional().describe('New secret of the user, as in `POST /client`. Default: unchanged'),
  renew_secret: z
    .boolean()
    .default(false)
    .describe('Whether to generate a new secret, which only this reply shows. Ignored with `secret`'),
  is_admin: z.boolean().optional().describe('Whether the user is an administrator. Default: unchanged'),
  is_disabled: Disabled.optional(),
  description: Description.optional(),
})
export type ClientChanges = z.output<typeof ClientChanges>

export const Client = z.object({
  id: ClientId,
  name: z.string().describe('Name of the user'),
  is_admin: z.boolean().describe('Whether the user is an administrator'),
  is_disabled: z.boolean().describe('Whether the user is disabled'),
  description: z.string().nullable().describe('Free text; null if not set'),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})

export const ClientWithSecret = Client.extend({
  secret: z.string().optional().describe('Secret of a new user, or the renewed secret. No later reply shows it'),
})

export const ClientOf = z.object({ id: ClientId })
export const ClientBy = z
  .object({
    id: ClientId.optional().describe('Id of the user. Either `id` or `name` is required'),
    name: text(64).optional().describe('Name of the user'),
  })
  .refine(({ id, name }) => id !== undefined || name, { path: ['id'], error: 'id or name is required' })
export type ClientBy = z.output<typeof ClientBy>

export const BusPaging = z.object({ count, ...paging() })
export type BusPaging = z.output<typeof BusPaging>

export const CollectionName = z
  .string()
  .regex(/^[a-z0-9]{1,48}$/, 'Must be 1 to 48 lowercase Latin letters and digits')
  .meta({ description: 'Name of the collection: 1 to 48 lowercase letters and digits', examples: ['orders'] })

export const Type = z
  .enum(['sync', 'async', 'storage'])
  .describe(
    'sync: the sender waits for the answer of the handler. async: the queue delivers the document, and the answer goes to its webhook. storage: documents are stored for others to fetch',
  )
export type Type = z.output<typeof Type>

export const Handler = text(2_000).describe(
  'URL that documents are posted to: http or https, with a public address, at most 2000 characters. Required for sync and async, ignored for storage',
)

const CollectionDisabled = z
  .boolean()
  .describe('Whether the collection is disabled. A disabled collection refuses new documents with 409')

const RetryRejected = z
  .boolean()
  .describe(
    'Whether an answer 4xx of an async handler is retried hourly for 75 hours before it is final and goes to the webhook',
  )

/** Settings of the delivery. They are optional in the replication log, since earlier versions of the bus do not log them. */
export const deliverySettings = {
  retention: z.int().nullable().describe('Days for which documents are stored; null if `BOX_RETENTION` applies'),
  concurrency: z.int().nullable().describe('Maximum number of concurrent deliveries of an async collection; null if 2'),
  retry_rejected: RetryRejected,
}

const newSettings = {
  retention: z
    .int()
    .min(0)
    .max(36_500)
    .describe(
      'Days for which documents are stored, 1 to 36500, except those that are still to be delivered. 0: `BOX_RETENTION` applies',
    ),
  concurrency: z
    .int()
    .min(0)
    .max(32)
    .describe('Maximum number of concurrent deliveries of an async collection, 1 to 32. 0: the default, 2'),
  retry_rejected: RetryRejected,
}

export const NewCollection = z.object({
  name: CollectionName,
  type: Type,
  handler: Handler.optional(),
  retention: newSettings.retention.default(0),
  concurrency: newSettings.concurrency.default(0),
  retry_rejected: newSettings.retry_rejected.default(false),
  is_disabled: CollectionDisabled.default(false),
  description: Description.optional(),
})
export type NewCollection = z.output<typeof NewCollection>

export const CollectionChanges = z.object({
  id: CollectionId,
  type: Type.optional(),
  handler: Handler.optional(),
  ...z.object(newSettings).partial().shape,
  is_disabled: CollectionDisabled.optional(),
  description: Description.optional(),
})
export type CollectionChanges = z.output<typeof CollectionChanges>

const OpenCircuit = z.object({
  destination: z
    .string()
    .describe('`handler`, the origin of webhooks, or `subscription/` with the id of a subscription'),
  state: z
    .enum(['half_open', 'open'])
    .describe('open: documents wait without a call. half_open: one document at a time probes the destination'),
  failures: z.int().describe('Number of failures in a row'),
  opened_at: Time.describe('When the first of these failures was'),
  probe_at: Time.describe('When the next probe may begin'),
})
export type OpenCircuit = z.output<typeof OpenCircuit>

export const Collection = z.object({
  id: CollectionId,
  name: z.string().describe('Name of the collection'),
  type: Type,
  handler: z.string().nullable().describe('URL that documents are posted to; null if not set'),
  ...deliverySettings,
  circuit: CircuitState.describe('State of the circuit breaker of the handler: closed, open or half_open'),
  circuits: z
    .array(OpenCircuit)
    .describe('The circuits of the collection that are not closed: at most 20, those that opened first'),
  is_disabled: z.boolean().describe('Whether the collection is disabled'),
  description: z.string().nullable().describe('Free text; null if not set'),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})

export const CollectionBy = z
  .object({
    id: CollectionId.optional().describe('Id of the collection. Either `id` or `name` is required'),
    name: text(48).optional().describe('Name of the collection'),
  })
  .refine(({ id, name }) => id !== undefined || name, { path: ['id'], error: 'id or name is required' })
export type CollectionBy = z.output<typeof CollectionBy>

export const CollectionDeletion = z.object({
  id: CollectionId,
  force: z
    .boolean()
    .default(false)
    .describe('Whether to delete the collection even if it has documents. Otherwise it then gets 409'),
})
export type CollectionDeletion = z.output<typeof CollectionDeletion>

export const Level = z
  .enum(['read', 'write'])
  .describe('read: list and get documents. write: also send and replay them')

export const NewAccess = z.object({
  client: ClientId,
  collection: CollectionId,
  level: Level,
})
export type NewAccess = z.output<typeof NewAccess>

export const Access = NewAccess.extend({
  client_name: z.string().describe('Name of the user'),
  collection_name: z.string().describe('Name of the collection'),
})
export const AccessOf = NewAccess.omit({ level: true })
export type AccessOf = z.output<typeof AccessOf>

/** Access in a list. Access that another instance has granted may arrive before its user and its collection, which then have no id here. */
export const ListedAccess = Access.extend({
  client: Id.nullable().describe('Id of the user; null if no user has this name yet'),
  collection: Id.nullable().describe('Id of the collection; null if no collection has this name yet'),
})

const AccessNames = z.object({
  client_name: text(64).optional().describe('Name of the user, instead of its id'),
  collection_name: text(48).optional().describe('Name of the collection, instead of its id'),
})
export const AccessBy = AccessOf.partial()
  .extend(AccessNames.shape)
  .refine(({ client, client_name }) => client !== undefined || client_name, {
    path: ['client'],
    error: 'client or client_name is required',
  })
  .refine(({ collection, collection_name }) => collection !== undefined || collection_name, {
    path: ['collection'],
    error: 'collection or collection_name is required',
  })
export type AccessBy = z.output<typeof AccessBy>
export const AccessFilter = z.object({
  client: ClientId.optional().describe('Only access of this user. Default: all users'),
  collection: CollectionId.optional().describe('Only access to this collection. Default: all collections'),
  count,
  ...paging(),
})
export type AccessFilter = z.output<typeof AccessFilter>
