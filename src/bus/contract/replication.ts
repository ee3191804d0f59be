// Schemas of the replication between instances: entries of the log, and the state and conflicts of GET /synchronisation.

import * as z from 'zod'
import { Json, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { ClientName, CollectionName, Description, deliverySettings, Handler, Level, Type } from '../contract.ts'

const Moment = z.int().min(0)
// Time and instance of a change. `since` and `seen` are optional, since earlier versions of the bus do not log them.
const stamped = {
  at: Moment,
  origin: text(100).min(1),
  since: Moment.optional(),
  seen: z.record(text(100), Moment).optional(),
}
const current = { ...stamped, is_deleted: z.literal(false) }
const deleted = { ...stamped, is_deleted: z.literal(true) }
const disabled = { is_disabled: z.boolean(), description: Description.nullable() }

const ofClient = { kind: z.literal('client'), name: ClientName }
const ofCollection = { kind: z.literal('collection'), name: CollectionName }
// Encrypted secrets of up to 101 targets with names of up to 300 characters, or 50 events.
const Stored = z.string().max(100_000)
const ofSubscription = { kind: z.literal('subscription'), id: z.uuid(), collection: CollectionName }
const ofAccess = { kind: z.literal('access'), client: ClientName, collection: CollectionName }

/** An entry of another instance's replication log. */
export const LoggedChange = z.union([
  z.object({ ...ofClient, ...current, ...disabled, secret_hash: z.hash('sha256'), is_admin: z.boolean() }),
  z.object({
    ...{ ...ofCollection, ...current, ...disabled, type: Type, handler: Handler.nullable() },
    ...z.object(deliverySettings).partial().shape,
    secrets: Stored.optional(),
  }),
  z.object({ ...ofAccess, ...current, level: Level }),
  z.object({ ...ofClient, ...deleted }),
  z.object({ ...ofCollection, ...deleted }),
  z.object({ ...ofAccess, ...deleted }),
  z.object({
    ...{ ...ofSubscription, ...current, is_disabled: z.boolean(), url: Handler },
    ...{ events: Stored, secrets: Stored, disabled_because: z.string().max(20).nullable() },
  }),
  z.object({ ...ofSubscription, ...deleted }),
])
export type LoggedChange = z.output<typeof LoggedChange>

/** A page of another instance's replication log. */
export const LogPage = z.object({
  instance: z.string(),
  documents: z.array(z.object({ id: z.int(), data: z.unknown() })),
})

export const Conflict = z.object({
  kind: z.enum(['client', 'collection', 'access', 'subscription']).describe('Kind of the object'),
  id: z.string().optional().describe('Id of the subscription; for subscriptions only'),
  name: z.string().optional().describe('Name of the user or the collection; absent for access and subscriptions'),
  client: z.string().optional().describe('Name of the user; for access only'),
  collection: z.string().optional().describe('Name of the collection; for access and subscriptions only'),
  replaced_at: Time.describe('When the replaced value was set on this instance'),
  replaced: Json.describe(
    'The replaced value of this instance. For a user, `is_secret_replaced` says whether the secret changed',
  ),
  kept_at: Time.describe('When the other instance set the value that is kept'),
  kept_origin: z.string().describe('Name of the instance that set the value that is kept'),
  kept: Json.describe('The value that is kept: the later one, with `is_deleted` for a deletion'),
  found_at: Time.describe('When the conflict was detected'),
})
export type Conflict = z.output<typeof Conflict>

export const Instance = z.object({
  url: z.string().describe('Address of the other instance, from BOX_INSTANCES'),
  instance: z
    .string()
    .nullable()
    .describe(
      'Random id of its database; null before the first read. If it changes, or the log has become shorter, the log is read again from the start',
    ),
  position: z.int().describe('Last position of its replication log that was read'),
  succeeded_at: Time.nullable().describe('When the log was last read; null if it never was'),
  failed_at: Time.nullable().describe('When reading last failed; null if it never has'),
  error: z.string().nullable().describe('Why the last attempt failed; null after a success'),
  skipped: z.int().describe('Total number of changes that could not be applied when they were read'),
  last_skipped: z
    .array(
      z.object({
        position: z.int().describe('Position in the log'),
        reason: z.string().describe('Why the change could not be applied'),
      }),
    )
    .describe('The last ten of these changes, the newest first'),
  pending: z.int().describe('Number of skipped changes that are still not applied. Each is retried once a minute'),
})
export type Instance = z.output<typeof Instance>
export type LogPage = z.output<typeof LogPage>
