// Schemas of subscriptions, and of the signing secrets of handlers, webhooks and subscribers.
import * as z from 'zod'
import { count, nb_results, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { keyOf } from '#core/outgoing/standard-webhooks'
import { CircuitState, CollectionName, CreatedAt, UpdatedAt } from '../contract.ts'

const SubscriptionId = z.uuid().describe('Id of the subscription, the same on all instances')

const Url = text(2_000)
  .min(1)
  .describe('URL that documents are posted to: http or https, with a public address, at most 2000 characters')

const EventPattern = text(255)
  .min(1)
  .refine((pattern) => !pattern.slice(0, -1).includes('*'), 'May have `*` at its end only')

const Events = z
  .array(EventPattern)
  .max(50)
  .describe(
    'Names of events, at most 50. `*` at the end of a name stands for any text: `order.*`. Only documents with such an `event` are sent; all documents if the list is empty',
  )

const SigningSecret = z
  .string()
  .max(100)
  .refine(
    (secret) => keyOf(secret) !== undefined,
    'Must be 24 to 64 bytes in base64, with or without the prefix whsec_',
  )
  .describe(
    'Signing secret: 24 to 64 bytes in base64, with or without the prefix `whsec_`. Default: a generated secret',
  )

export const NewSubscription = z.object({
  collection: CollectionName,
  url: Url,
  events: Events.default([]),
  secret: SigningSecret.optional(),
})
export type NewSubscription = z.output<typeof NewSubscription>

export const SubscriptionChanges = z.object({
  id: SubscriptionId,
  url: Url.optional(),
  events: Events.optional(),
  is_disabled: z
    .boolean()
    .optional()
    .describe('Whether the subscription is disabled. A disabled one gets no documents, also later. Default: unchanged'),
})
export type SubscriptionChanges = z.output<typeof SubscriptionChanges>

export const SubscriptionOf = z.object({ id: SubscriptionId })

export const SubscriptionFilter = z.object({
  collection: CollectionName.optional().describe('Only subscriptions to this collection. Default: all'),
  count,
  ...paging(),
})
export type SubscriptionFilter = z.output<typeof SubscriptionFilter>

export const Subscription = z.object({
  id: SubscriptionId,
  collection: z.string().describe('Name of the collection'),
  url: z.string().describe('URL that documents are posted to'),
  events: z.array(z.string()).describe('Names of events, with `*` at the end for any text; empty for all documents'),
  is_disabled: z.boolean().describe('Whether the subscription is disabled'),
  disabled_because: z
    .enum(['gone'])
    .nullable()
    .describe('gone: the subscriber answered 410. null: an administrator disabled it, or it is not disabled'),
  secrets: z.int().describe('Number of signing secrets: 1, or 2 during a rotation'),
  circuit: CircuitState,
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})
export type Subscription = z.output<typeof Subscription>

export const newSubscription = {
  subscription: Subscription.extend({
    secret: z.string().describe('Signing secret of the subscription. No later reply shows it'),
  }).describe('The new subscription with its secret'),
}
export const subscription = { subscription: Subscription.describe('The changed subscription') }
export const subscriptions = {
  subscriptions: z.array(Subscription).describe('Subscriptions of the page, sorted by collection and time of creation'),
  nb_results,
}

const Target = z
  .union([z.literal('handler'), z.uuid(), z.url({ protocol: /^https?$/ }).max(300)])
  .transform((target) => (target.includes('://') ? new URL(target).origin : target))
  .describe('`handler`; the origin of webhooks, such as `https://partner.example`; or the id of a subscription')

export const NewSigningSecret = z.object({
  collection: CollectionName,
  target: Target.default('handler'),
  secret: SigningSecret.optional(),
})
export type NewSigningSecret = z.output<typeof NewSigningSecret>

export const SigningSecretsOf = z.object({ collection: CollectionName })

export const SigningSecretDeletion = z.object({
  collection: CollectionName,
  target: Target.default('handler'),
  which: z
    .enum(['older', 'all'])
    .default('older')
    .describe('older: end a rotation, so that only the newer secret signs. all: delete both'),
})
export type SigningSecretDeletion = z.output<typeof SigningSecretDeletion>

const SigningSecrets = z.object({
  target: z.string().describe('`handler`, the origin of webhooks, or the id of a subscription'),
  secrets: z.int().describe('Number of secrets that sign: 1, or 2 during a rotation'),
})

export const newSigningSecret = {
  signing_secret: SigningSecrets.extend({
    secret: z.string().describe('The new secret. No later reply shows it'),
  }),
}
export const signingSecrets = {
  signing_secrets: z.array(SigningSecrets).describe('The targets that have secrets'),
}

/** The delivery of a document to one subscriber, in `GET /document`. */
export const SubscriberDelivery = z.object({
  id: SubscriptionId,
  state: z
    .enum(['waiting', 'processing', 'delivered', 'failed'])
    .describe(
      'waiting: the next attempt is due now or later. processing: the subscriber is being called. delivered: it answered 2xx. failed: no attempts are left, or the subscription was disabled',
    ),
  attempts: z.int().describe('Number of calls since the last replay'),
  status_code: z
    .int()
    .nullable()
    .describe('HTTP status of the last answer; 502 and 504 as for a handler; null before it'),
  next_at: Time.nullable().describe('When the next attempt is due; null if none is planned'),
  delivered_at: Time.nullable().describe('When the subscriber accepted the document; null if it has not'),
})
export type SubscriberDelivery = z.output<typeof SubscriberDelivery>
