// Error codes of the bus's API, each with its status, cause and remedy.
import { defineErrors, peerErrors } from '#core/failure'

export const { errors, failure, missing } = defineErrors({
  ...peerErrors('queue'),
  access_not_found: {
    status: 404,
    cause: 'The user has no access to this collection, or the user or collection was deleted during the call.',
    remedy: 'List access with `GET /accesses`, or grant it with `POST /access`.',
  },
  builtin_administrator: {
    status: 409,
    cause: 'The built-in administrator can only be changed in the configuration.',
    remedy: 'Change `BOX_ADMIN_USER` or `BOX_ADMIN_SECRET`, or use another user.',
  },
  client_not_found: {
    status: 404,
    cause: 'No user has this id or name.',
    remedy: 'List the users with `GET /clients`, or create one with `POST /client`.',
  },
  collection_disabled: {
    status: 409,
    cause: 'The collection is disabled and accepts no documents.',
    remedy: 'Enable it with `PATCH /collection` and `is_disabled: false`.',
  },
  collection_not_empty: {
    status: 409,
    cause: 'The collection still contains documents.',
    remedy: 'Pass `force: true` to delete them with the collection.',
  },
  collection_not_found: {
    status: 404,
    cause: 'No collection has this id or name.',
    remedy: 'List the collections with `GET /collections`, or create one with `POST /collection`.',
  },
  collection_reserved: {
    status: 409,
    cause: 'The collection `system` is the replication log, which only the bus writes.',
    remedy: 'Use another collection.',
  },
  document_not_found: {
    status: 404,
    cause: 'The collection has no document with this id.',
    remedy: 'List its documents with `GET /documents`.',
  },
  document_processing: {
    status: 409,
    cause: 'The document is being delivered.',
    remedy: 'Retry when `GET /document` shows another state.',
  },
  name_taken: {
    status: 409,
    cause: 'Another user or collection has this name.',
    remedy: 'Choose another `name`.',
  },
  not_async: {
    status: 409,
    cause: 'The document has no webhook, or the collection is not async, so there is nothing to replay.',
    remedy: 'Replay only documents of collections of the type `async`.',
  },
  operation_not_found: {
    status: 404,
    cause: 'The collection has no operation with this id, or it ended more than 30 days ago.',
    remedy: 'Use the id from the reply of `POST /documents/replay`.',
  },
  operations_full: {
    status: 503,
    cause: 'Too many operations are running.',
    remedy: 'Retry after the seconds in `Retry-After`, when some have ended.',
  },
  secret_taken: {
    status: 409,
    cause: 'Another user has this secret.',
    remedy: 'Choose another `secret`, or omit it to get a generated one.',
  },
  signing_secret_not_found: {
    status: 404,
    cause: 'The target has no signing secret, or no older one.',
    remedy: 'List the targets with `GET /signing-secrets`.',
  },
  signing_secrets_full: {
    status: 409,
    cause: 'The collection has signing secrets for 100 origins of webhooks.',
    remedy: 'Delete some with `DELETE /signing-secret`.',
  },
  subscription_not_found: {
    status: 404,
    cause: 'No subscription has this id.',
    remedy: 'List the subscriptions with `GET /subscriptions`.',
  },
  subscriptions_full: {
    status: 409,
    cause: 'The collection has 50 subscriptions.',
    remedy: 'Delete some with `DELETE /subscription`.',
  },
  sync_collection: {
    status: 409,
    cause: 'A collection of the type `sync` has no subscriptions.',
    remedy: 'Subscribe to a collection of the type `async` or `storage`.',
  },
  uuid_taken: {
    status: 409,
    cause: 'Another document of the collection has this uuid, with a different event, webhook or data.',
    remedy: 'Send a new document with a new `uuid`, and repeat a document unchanged.',
  },
})

/** Errors of calls that create a task in the queue. */
export const queued = ['queue_failed', 'queue_timeout'] as const
