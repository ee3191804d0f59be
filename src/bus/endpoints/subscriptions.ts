// Endpoints of subscriptions and of signing secrets.
import { open } from '#core/db/open'
import type { ComponentApi } from '#core/http/api'
import * as texts from '../api-texts.ts'
import type { Env } from '../bindings.ts'
import { forAdministrators } from '../callers.ts'
import * as wire from '../contract/subscriptions.ts'
import type { errors } from '../errors.ts'
import { readList } from '../queries.ts'
import { schema } from '../schema.ts'
import * as secrets from '../signing-secrets.ts'
import * as subscriptions from '../subscriptions.ts'

const storeOf = (env: Env) => open(env, schema)

/** Adds the endpoints of subscriptions and of signing secrets to the API. */
export const withSubscriptions = <Calls>(api: ComponentApi<Env, Calls, keyof typeof errors>) =>
  api
    .post(
      '/subscription',
      {
        adds: true,
        summary: 'Create a subscription',
        description: texts.subscription,
        params: wire.NewSubscription,
        reply: wire.newSubscription,
        status: 201,
        ...forAdministrators(
          'manage',
          'collection_not_found',
          'subscription_not_found',
          'subscriptions_full',
          'sync_collection',
          'not_configured',
        ),
      },
      async ({ env, params }) => ({
        subscription: await subscriptions.createSubscription(storeOf(env), env, params, new Date()),
      }),
    )

    .get(
      '/subscriptions',
      {
        summary: 'List subscriptions',
        description: 'Lists subscriptions with the state of their circuits, without secrets. Administrators only.',
        params: wire.SubscriptionFilter,
        reply: wire.subscriptions,
        ...forAdministrators('read'),
      },
      ({ env, params }) => readList(env, (bus) => subscriptions.listSubscriptions(bus, params)),
    )

    .patch(
      '/subscription',
      {
        summary: 'Change a subscription',
        description:
          'Changes only the fields that are given. Deliveries that wait go to the new URL; those of a disabled subscription fail. A subscription that is enabled again gets the documents that are sent from then on: replay the others with `POST /documents/replay`. Administrators only.',
        params: wire.SubscriptionChanges,
        reply: wire.subscription,
        ...forAdministrators('manage', 'subscription_not_found'),
      },
      async ({ env, params }) => ({
        subscription: await subscriptions.changeSubscription(storeOf(env), env, params, new Date()),
      }),
    )

    .delete(
      '/subscription',
      {
        summary: 'Delete a subscription',
        description:
          'Deletes the subscription on all instances. Documents that wait for it are not delivered. Administrators only.',
        params: wire.SubscriptionOf,
        ...forAdministrators('manage', 'subscription_not_found'),
      },
      async ({ env, params }) => subscriptions.deleteSubscription(storeOf(env), params.id, new Date()),
    )

    .post(
      '/signing-secret',
      {
        adds: true,
        summary: 'Add or rotate a signing secret',
        description: texts.signingSecret,
        params: wire.NewSigningSecret,
        reply: wire.newSigningSecret,
        status: 201,
        ...forAdministrators(
          'manage',
          'collection_not_found',
          'subscription_not_found',
          'signing_secrets_full',
          'not_configured',
        ),
      },
      async ({ env, params }) => ({
        signing_secret: await secrets.addSigningSecret(storeOf(env), env, params, new Date()),
      }),
    )

    .get(
      '/signing-secrets',
      {
        summary: 'List the targets with signing secrets',
        description:
          'Lists the targets of a collection that have signing secrets, without the secrets. `GET /subscriptions` shows those of subscriptions. Administrators only.',
        params: wire.SigningSecretsOf,
        reply: wire.signingSecrets,
        ...forAdministrators('read', 'collection_not_found'),
      },
      async ({ env, params }) => ({
        signing_secrets: await secrets.listSigningSecrets(storeOf(env), params.collection),
      }),
    )

    .delete(
      '/signing-secret',
      {
        summary: 'End a rotation, or delete signing secrets',
        description:
          'Deletes the older secret of a target when its receiver knows the newer one, or all secrets of a handler or webhook, which are then signed with BOX_SIGNING_SECRET, if it is set. Administrators only.',
        params: wire.SigningSecretDeletion,
        ...forAdministrators('manage', 'collection_not_found', 'signing_secret_not_found', 'subscription_not_found'),
      },
      async ({ env, params }) => secrets.deleteSigningSecret(storeOf(env), params, new Date()),
    )
