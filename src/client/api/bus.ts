// Types of the operations of bus, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Bus {
  post: {
    /**
     * Create a user
     * Creates a user, who may then call the bus with `Api-Secret`. The reply has the secret; no later reply shows it. A new user has no access: grant it with `POST /access`. Administrators only.
     */
    '/client': {
      params: {
        /** Name of the user, 1 to 64 characters, no space at its ends. Default: a generated name */
        name?: string | undefined
        /** Secret of the user: 16 to 255 printable ASCII characters without spaces. Default: a generated secret */
        secret?: string | undefined
        /** Whether the user is an administrator: may read and write every collection and administer the bus; default `false` */
        is_admin?: boolean | undefined
        /** Whether the user is disabled. A disabled user gets 401, as with a wrong secret; default `false` */
        is_disabled?: boolean | undefined
        /** Free text, at most 1000 characters */
        description?: string | undefined
      }
      reply: {
        /** The new user with its secret */
        client: {
          /** Id of the user */
          id: number
          /** Name of the user */
          name: string
          /** Whether the user is an administrator */
          is_admin: boolean
          /** Whether the user is disabled */
          is_disabled: boolean
          /** Free text; null if not set */
          description: string | null
          /** Time of creation, in UTC */
          created_at: string
          /** Time of the last change, in UTC */
          updated_at: string
          /** Secret of a new user, or the renewed secret. No later reply shows it */
          secret?: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'name_taken' | 'secret_taken' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'database_full' | 'not_configured'
    }
    /**
     * Create a collection
     * Creates a collection and its table of documents. `handler` is required for the types sync and async. The name `system` is reserved. Administrators only.
     */
    '/collection': {
      params: {
        /** Name of the collection: 1 to 48 lowercase letters and digits */
        name: string
        /** sync: the sender waits for the answer of the handler. async: the queue delivers the document, and the answer goes to its webhook. storage: documents are stored for others to fetch */
        type: 'sync' | 'async' | 'storage'
        /** URL that documents are posted to: http or https, with a public address, at most 2000 characters. Required for sync and async, ignored for storage */
        handler?: string | undefined
        /** Days for which documents are stored, 1 to 36500, except those that are still to be delivered. 0: `BOX_RETENTION` applies; default `0` */
        retention?: number | undefined
        /** Maximum number of concurrent deliveries of an async collection, 1 to 32. 0: the default, 2; default `0` */
        concurrency?: number | undefined
        /** Whether an answer 4xx of an async handler is retried hourly for 75 hours before it is final and goes to the webhook; default `false` */
        retry_rejected?: boolean | undefined
        /** Whether the collection is disabled. A disabled collection refuses new documents with 409; default `false` */
        is_disabled?: boolean | undefined
        /** Free text, at most 1000 characters */
        description?: string | undefined
      }
      reply: {
        /** The collection */
        collection: {
          /** Id of the collection */
          id: number
          /** Name of the collection */
          name: string
          /** sync: the sender waits for the answer of the handler. async: the queue delivers the document, and the answer goes to its webhook. storage: documents are stored for others to fetch */
          type: 'sync' | 'async' | 'storage'
          /** URL that documents are posted to; null if not set */
          handler: string | null
          /** Days for which documents are stored; null if `BOX_RETENTION` applies */
          retention: number | null
          /** Maximum number of concurrent deliveries of an async collection; null if 2 */
          concurrency: number | null
          /** Whether an answer 4xx of an async handler is retried hourly for 75 hours before it is final and goes to the webhook */
          retry_rejected: boolean
          /** State of the circuit breaker of the handler: closed, open or half_open */
          circuit: 'closed' | 'half_open' | 'open'
          /** The circuits of the collection that are not closed: at most 20, those that opened first */
          circuits: {
            /** `handler`, the origin of webhooks, or `subscription/` with the id of a subscription */
            destination: string
            /** open: documents wait without a call. half_open: one document at a time probes the destination */
            state: 'half_open' | 'open'
            /** Number of failures in a row */
            failures: number
            /** When the first of these failures was */
            opened_at: string
            /** When the next probe may begin */
            probe_at: string
          }[]
          /** Whether the collection is disabled */
          is_disabled: boolean
          /** Free text; null if not set */
          description: string | null
          /** Time of creation, in UTC */
          created_at: string
          /** Time of the last change, in UTC */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_reserved' | 'name_taken' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'database_full' | 'not_configured'
    }
    /**
     * Grant a user access to a collection
     * Grants the user `client` access to the collection, both by id, and replaces the access that the user had to it. Takes effect at once. Administrators only.
     */
    '/access': {
      params: {
        /** Id of the user */
        client: number
        /** Id of the collection */
        collection: number
        /** read: list and get documents. write: also send and replay them */
        level: 'read' | 'write'
      }
      reply: {
        /** The granted access */
        access: {
          /** Id of the user */
          client: number
          /** Id of the collection */
          collection: number
          /** read: list and get documents. write: also send and replay them */
          level: 'read' | 'write'
          /** Name of the user */
          client_name: string
          /** Name of the collection */
          collection_name: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'access_not_found' | 'client_not_found' | 'collection_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'database_full' | 'not_configured'
    }
    /**
     * Send a document
     * Needs write access. `uuid` is the idempotency key: a repeat with the same event, data and webhook returns the first document, and any other content gets 409 `uuid_taken` (the order of keys in `data` does not matter). 2xx is success; 4xx other than 408, 425 and 429 is final too. sync: the reply waits for the handler. A repeat during the call gets the same answer, and a repeat after an answer that is not final calls the handler again. async: the document is stored and delivered by the queue. After no answer, 408, 425, 429, 5xx, or a redirect that would change the method, the handler is retried after 10 s, 1, 5 and 15 min, 1 h, then hourly for 75 h, with up to 20 % jitter and not before the `Retry-After` of a 429 or 503 (at most 1 h). The webhook is retried on the same schedule until it answers 2xx. While a handler or webhook is down, one document at a time probes it and the others wait. storage: the document is stored. The reply is 201 for a repeat too, and if the handler fails: see `response.status_code`. Only sync has `response`. Without access the reply is 403, whether the collection exists or not.
     */
    '/document': {
      params: {
        /** Name of the collection: 1 to 48 lowercase letters and digits */
        collection: string
        /** Kind of the document, such as an event, a subservice or a subcollection; 1 to 255 characters */
        event: string
        /** Idempotency key, chosen by the sender: a UUID of any version, unique in the collection. A repeat with the same uuid changes nothing. Case does not matter: upper case is accepted, and stored and returned in lower case */
        uuid: string
        /** Content of the document: any JSON, at most 1 MB */
        data: unknown
        /** URL that the answer of the handler is posted to. Required for async, ignored otherwise */
        webhook?: string | undefined
      }
      reply: {
        /** The stored document; for a repeat, the first document with this uuid */
        document: {
          /** Id of the document in its collection; later documents have greater ids */
          id: number
          /** Name of the collection */
          collection: string
          /** Kind of the document */
          event: string
          /** Idempotency key of the document, in lower case */
          uuid: string
          /** Content of the document */
          data: unknown
          /** URL that the answer is posted to; null unless the document is async */
          webhook: string | null
        }
        /** Answer of the handler; only for a collection of the type sync */
        response?: {
          /** HTTP status of the handler; 502 if it could not be reached, 504 if it took longer than 20 s */
          status_code: number
          /** JSON body of the answer, or its text as a string; null without an answer, or if it is larger than 900 KB */
          body: unknown
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_not_found' | 'collection_disabled' | 'collection_reserved' | 'uuid_taken' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'queue_failed' | 'unavailable' | 'database_full' | 'not_configured' | 'queue_timeout'
    }
    /**
     * Replay an async document
     * Calls the handler again from the start of the retry schedule, whatever it answered before, with the same uuid and `webhook-id`. The webhook then gets the new answer, with a new `webhook-id`. 409 `document_processing` during a delivery, 409 `not_async` for a document without a webhook. Needs write access.
     */
    '/document/replay': {
      params: {
        /** Name of the collection: 1 to 48 lowercase letters and digits */
        collection: string
        /** Id of the document in its collection; later documents have greater ids */
        id: number
      }
      reply: {
        /** The document with its delivery state */
        document: {
          /** Id of the document in its collection; later documents have greater ids */
          id: number
          /** Name of the collection */
          collection: string
          /** Kind of the document */
          event: string
          /** Idempotency key of the document, in lower case */
          uuid: string
          /** Content of the document */
          data: unknown
          /** URL that the answer is posted to; null unless the document is async */
          webhook: string | null
          /** waiting: the next attempt is due now or later. processing: the handler or the webhook is being called. delivered: the handler answered 2xx, and the webhook of an async document accepted the answer. rejected: as delivered, but the handler answered 4xx other than 408, 425 and 429. failed: no attempts are left; a sync document is sent again by a repeat of its uuid. null in a storage collection */
          state: 'waiting' | 'processing' | 'delivered' | 'rejected' | 'failed' | null
          /** Number of calls to the handler since the last replay */
          attempts: number
          /** Number of calls to the webhook since the last replay */
          webhook_attempts: number
          /** HTTP status of the last call to the webhook; 502 and 504 as for a handler; null if it was not called */
          webhook_status: number | null
          /** Last answer of the handler; null if there was none */
          response: {
            /** HTTP status of the handler; 502 if it could not be reached, 504 if it took longer than 20 s */
            status_code: number
            /** JSON body of the answer, or its text as a string; null without an answer, or if it is larger than 900 KB */
            body: unknown
          } | null
          /** Time of creation, in UTC */
          created_at: string
          /** When the handler last answered; null if it has not */
          answered_at: string | null
          /** When the delivery ended with a final answer; null if it has not */
          delivered_at: string | null
          /** When the next attempt is due; null if none is planned */
          next_at: string | null
          /** Deliveries to the subscribers of the collection */
          subscriptions: {
            /** Id of the subscription, the same on all instances */
            id: string
            /** waiting: the next attempt is due now or later. processing: the subscriber is being called. delivered: it answered 2xx. failed: no attempts are left, or the subscription was disabled */
            state: 'waiting' | 'processing' | 'delivered' | 'failed'
            /** Number of calls since the last replay */
            attempts: number
            /** HTTP status of the last answer; 502 and 504 as for a handler; null before it */
            status_code: number | null
            /** When the next attempt is due; null if none is planned */
            next_at: string | null
            /** When the subscriber accepted the document; null if it has not */
            delivered_at: string | null
          }[]
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_not_found' | 'document_not_found' | 'collection_reserved' | 'document_processing' | 'not_async' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'queue_failed' | 'unavailable' | 'not_configured' | 'queue_timeout'
    }
    /**
     * Replay the documents of a collection
     * Starts an operation that replays all matching documents of an async collection, in the background and in the order in which they were sent, and returns its id at once. Documents under way are left out. The operation continues after a crash. A document that was sent after this call is not replayed. Use it when an endpoint is repaired, for example with `state` `failed` or `rejected`. 409 `not_async` for other collections. Needs write access.
     */
    '/documents/replay': {
      params: {
        /** Name of the collection: 1 to 48 lowercase letters and digits */
        collection: string
        /** Only documents in this state; for a subscription, the state of the delivery to the subscriber. Default: all documents */
        state?: 'waiting' | 'delivered' | 'rejected' | 'failed' | undefined
        /** Only documents that were sent at this time or later. Default: from the first */
        from?: string | undefined
        /** Only documents that were sent before this time. Default: up to now */
        to?: string | undefined
        /** handler: call the handler again, and the webhook with its new answer. webhook: send the stored final answer of the handler to the webhook again. The id of a subscription: send the documents with its events to the subscriber again, also those that it has never got; default `"handler"` */
        target?: 'handler' | 'webhook' | string | undefined
      }
      reply: {
        /** The operation, which runs in the background */
        operation: {
          /** Id of the operation, for `GET /operation` */
          id: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_not_found' | 'subscription_not_found' | 'not_async' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured' | 'operations_full'
    }
    /**
     * Create a subscription
     * Creates a subscription to an async or storage collection. The subscriber gets each document that is sent from now on and whose event matches, by POST with the body that a handler gets, signed with the secret of the subscription. The reply has the secret; no later reply shows it. Only 2xx is success; any other answer is retried for 75 hours as for a webhook, and 410 disables the subscription. Each subscription has separate attempts and a separate circuit breaker. At most 50 subscriptions for each collection. 503 `not_configured` without BOX_SECRET_KEY. Administrators only.
     */
    '/subscription': {
      params: {
        /** Name of the collection: 1 to 48 lowercase letters and digits */
        collection: string
        /** URL that documents are posted to: http or https, with a public address, at most 2000 characters */
        url: string
        /** Names of events, at most 50. `*` at the end of a name stands for any text: `order.*`. Only documents with such an `event` are sent; all documents if the list is empty; default `[]` */
        events?: string[] | undefined
        /** Signing secret: 24 to 64 bytes in base64, with or without the prefix `whsec_`. Default: a generated secret */
        secret?: string | undefined
      }
      reply: {
        /** The new subscription with its secret */
        subscription: {
          /** Id of the subscription, the same on all instances */
          id: string
          /** Name of the collection */
          collection: string
          /** URL that documents are posted to */
          url: string
          /** Names of events, with `*` at the end for any text; empty for all documents */
          events: string[]
          /** Whether the subscription is disabled */
          is_disabled: boolean
          /** gone: the subscriber answered 410. null: an administrator disabled it, or it is not disabled */
          disabled_because: 'gone' | null
          /** Number of signing secrets: 1, or 2 during a rotation */
          secrets: number
          /** State of the circuit breaker. closed: every document is sent. open: the destination is down, and documents wait. half_open: one document at a time probes it */
          circuit: 'closed' | 'half_open' | 'open'
          /** Time of creation, in UTC */
          created_at: string
          /** Time of the last change, in UTC */
          updated_at: string
          /** Signing secret of the subscription. No later reply shows it */
          secret: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_not_found' | 'subscription_not_found' | 'subscriptions_full' | 'sync_collection' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'database_full' | 'not_configured'
    }
    /**
     * Add or rotate a signing secret
     * Adds a signing secret to the handler of a collection, to the webhooks of an origin, or to a subscription, and returns it; no later reply shows it. To rotate a secret, add a new one: the new and the previous one both sign, so that the receiver may have either. Then delete the older with `DELETE /signing-secret`. A third secret replaces the oldest. 503 `not_configured` without BOX_SECRET_KEY. Administrators only.
     */
    '/signing-secret': {
      params: {
        /** Name of the collection: 1 to 48 lowercase letters and digits */
        collection: string
        /** `handler`; the origin of webhooks, such as `https://partner.example`; or the id of a subscription */
        target?: 'handler' | string | undefined
        /** Signing secret: 24 to 64 bytes in base64, with or without the prefix `whsec_`. Default: a generated secret */
        secret?: string | undefined
      }
      reply: {
        signing_secret: {
          /** `handler`, the origin of webhooks, or the id of a subscription */
          target: string
          /** Number of secrets that sign: 1, or 2 during a rotation */
          secrets: number
          /** The new secret. No later reply shows it */
          secret: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_not_found' | 'subscription_not_found' | 'signing_secrets_full' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'database_full' | 'not_configured'
    }
  }
  patch: {
    /**
     * Change a user or renew its secret
     * Changes only the fields that are given. A new secret replaces the old one at once. The built-in administrator is configured by BOX_ADMIN_USER and BOX_ADMIN_SECRET: only its description can be changed here. Administrators only.
     */
    '/client': {
      params: {
        /** Id of the user */
        id: number
        /** New secret of the user, as in `POST /client`. Default: unchanged */
        secret?: string | undefined
        /** Whether to generate a new secret, which only this reply shows. Ignored with `secret`; default `false` */
        renew_secret?: boolean | undefined
        /** Whether the user is an administrator. Default: unchanged */
        is_admin?: boolean | undefined
        /** Whether the user is disabled. A disabled user gets 401, as with a wrong secret */
        is_disabled?: boolean | undefined
        /** Free text, at most 1000 characters */
        description?: string | undefined
      }
      reply: {
        /** The changed user, with its secret if `renew_secret` was given */
        client: {
          /** Id of the user */
          id: number
          /** Name of the user */
          name: string
          /** Whether the user is an administrator */
          is_admin: boolean
          /** Whether the user is disabled */
          is_disabled: boolean
          /** Free text; null if not set */
          description: string | null
          /** Time of creation, in UTC */
          created_at: string
          /** Time of the last change, in UTC */
          updated_at: string
          /** Secret of a new user, or the renewed secret. No later reply shows it */
          secret?: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'client_not_found' | 'builtin_administrator' | 'secret_taken' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Change a collection
     * Changes only the fields that are given. The new type applies to new documents; documents in delivery go to the new handler. 400 if the type is then sync or async and the collection has no handler. Administrators only.
     */
    '/collection': {
      params: {
        /** Id of the collection */
        id: number
        /** sync: the sender waits for the answer of the handler. async: the queue delivers the document, and the answer goes to its webhook. storage: documents are stored for others to fetch */
        type?: 'sync' | 'async' | 'storage' | undefined
        /** URL that documents are posted to: http or https, with a public address, at most 2000 characters. Required for sync and async, ignored for storage */
        handler?: string | undefined
        /** Days for which documents are stored, 1 to 36500, except those that are still to be delivered. 0: `BOX_RETENTION` applies */
        retention?: number | undefined
        /** Maximum number of concurrent deliveries of an async collection, 1 to 32. 0: the default, 2 */
        concurrency?: number | undefined
        /** Whether an answer 4xx of an async handler is retried hourly for 75 hours before it is final and goes to the webhook */
        retry_rejected?: boolean | undefined
        /** Whether the collection is disabled. A disabled collection refuses new documents with 409 */
        is_disabled?: boolean | undefined
        /** Free text, at most 1000 characters */
        description?: string | undefined
      }
      reply: {
        /** The collection */
        collection: {
          /** Id of the collection */
          id: number
          /** Name of the collection */
          name: string
          /** sync: the sender waits for the answer of the handler. async: the queue delivers the document, and the answer goes to its webhook. storage: documents are stored for others to fetch */
          type: 'sync' | 'async' | 'storage'
          /** URL that documents are posted to; null if not set */
          handler: string | null
          /** Days for which documents are stored; null if `BOX_RETENTION` applies */
          retention: number | null
          /** Maximum number of concurrent deliveries of an async collection; null if 2 */
          concurrency: number | null
          /** Whether an answer 4xx of an async handler is retried hourly for 75 hours before it is final and goes to the webhook */
          retry_rejected: boolean
          /** State of the circuit breaker of the handler: closed, open or half_open */
          circuit: 'closed' | 'half_open' | 'open'
          /** The circuits of the collection that are not closed: at most 20, those that opened first */
          circuits: {
            /** `handler`, the origin of webhooks, or `subscription/` with the id of a subscription */
            destination: string
            /** open: documents wait without a call. half_open: one document at a time probes the destination */
            state: 'half_open' | 'open'
            /** Number of failures in a row */
            failures: number
            /** When the first of these failures was */
            opened_at: string
            /** When the next probe may begin */
            probe_at: string
          }[]
          /** Whether the collection is disabled */
          is_disabled: boolean
          /** Free text; null if not set */
          description: string | null
          /** Time of creation, in UTC */
          created_at: string
          /** Time of the last change, in UTC */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Change a subscription
     * Changes only the fields that are given. Deliveries that wait go to the new URL; those of a disabled subscription fail. A subscription that is enabled again gets the documents that are sent from then on: replay the others with `POST /documents/replay`. Administrators only.
     */
    '/subscription': {
      params: {
        /** Id of the subscription, the same on all instances */
        id: string
        /** URL that documents are posted to: http or https, with a public address, at most 2000 characters */
        url?: string | undefined
        /** Names of events, at most 50. `*` at the end of a name stands for any text: `order.*`. Only documents with such an `event` are sent; all documents if the list is empty */
        events?: string[] | undefined
        /** Whether the subscription is disabled. A disabled one gets no documents, also later. Default: unchanged */
        is_disabled?: boolean | undefined
      }
      reply: {
        /** The changed subscription */
        subscription: {
          /** Id of the subscription, the same on all instances */
          id: string
          /** Name of the collection */
          collection: string
          /** URL that documents are posted to */
          url: string
          /** Names of events, with `*` at the end for any text; empty for all documents */
          events: string[]
          /** Whether the subscription is disabled */
          is_disabled: boolean
          /** gone: the subscriber answered 410. null: an administrator disabled it, or it is not disabled */
          disabled_because: 'gone' | null
          /** Number of signing secrets: 1, or 2 during a rotation */
          secrets: number
          /** State of the circuit breaker. closed: every document is sent. open: the destination is down, and documents wait. half_open: one document at a time probes it */
          circuit: 'closed' | 'half_open' | 'open'
          /** Time of creation, in UTC */
          created_at: string
          /** Time of the last change, in UTC */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'subscription_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  get: {
    /**
     * Get a user
     * Finds the user by `id` or `name`; with both, both must match. Administrators only.
     */
    '/client': {
      params: {
        /** Id of the user. Either `id` or `name` is required */
        id?: number | undefined
        /** Name of the user */
        name?: string | undefined
      }
      reply: {
        /** The user, without its secret */
        client: {
          /** Id of the user */
          id: number
          /** Name of the user */
          name: string
          /** Whether the user is an administrator */
          is_admin: boolean
          /** Whether the user is disabled */
          is_disabled: boolean
          /** Free text; null if not set */
          description: string | null
          /** Time of creation, in UTC */
          created_at: string
          /** Time of the last change, in UTC */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'client_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List users
     * Lists all users by id. Administrators only.
     */
    '/clients': {
      params: {
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** Users of the page, sorted by id */
        clients: {
          /** Id of the user */
          id: number
          /** Name of the user */
          name: string
          /** Whether the user is an administrator */
          is_admin: boolean
          /** Whether the user is disabled */
          is_disabled: boolean
          /** Free text; null if not set */
          description: string | null
          /** Time of creation, in UTC */
          created_at: string
          /** Time of the last change, in UTC */
          updated_at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get a collection
     * Finds the collection by `id` or `name`; with both, both must match. Administrators only.
     */
    '/collection': {
      params: {
        /** Id of the collection. Either `id` or `name` is required */
        id?: number | undefined
        /** Name of the collection */
        name?: string | undefined
      }
      reply: {
        /** The collection */
        collection: {
          /** Id of the collection */
          id: number
          /** Name of the collection */
          name: string
          /** sync: the sender waits for the answer of the handler. async: the queue delivers the document, and the answer goes to its webhook. storage: documents are stored for others to fetch */
          type: 'sync' | 'async' | 'storage'
          /** URL that documents are posted to; null if not set */
          handler: string | null
          /** Days for which documents are stored; null if `BOX_RETENTION` applies */
          retention: number | null
          /** Maximum number of concurrent deliveries of an async collection; null if 2 */
          concurrency: number | null
          /** Whether an answer 4xx of an async handler is retried hourly for 75 hours before it is final and goes to the webhook */
          retry_rejected: boolean
          /** State of the circuit breaker of the handler: closed, open or half_open */
          circuit: 'closed' | 'half_open' | 'open'
          /** The circuits of the collection that are not closed: at most 20, those that opened first */
          circuits: {
            /** `handler`, the origin of webhooks, or `subscription/` with the id of a subscription */
            destination: string
            /** open: documents wait without a call. half_open: one document at a time probes the destination */
            state: 'half_open' | 'open'
            /** Number of failures in a row */
            failures: number
            /** When the first of these failures was */
            opened_at: string
            /** When the next probe may begin */
            probe_at: string
          }[]
          /** Whether the collection is disabled */
          is_disabled: boolean
          /** Free text; null if not set */
          description: string | null
          /** Time of creation, in UTC */
          created_at: string
          /** Time of the last change, in UTC */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List collections
     * Lists all collections by id. Administrators only.
     */
    '/collections': {
      params: {
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** Collections of the page, sorted by id */
        collections: {
          /** Id of the collection */
          id: number
          /** Name of the collection */
          name: string
          /** sync: the sender waits for the answer of the handler. async: the queue delivers the document, and the answer goes to its webhook. storage: documents are stored for others to fetch */
          type: 'sync' | 'async' | 'storage'
          /** URL that documents are posted to; null if not set */
          handler: string | null
          /** Days for which documents are stored; null if `BOX_RETENTION` applies */
          retention: number | null
          /** Maximum number of concurrent deliveries of an async collection; null if 2 */
          concurrency: number | null
          /** Whether an answer 4xx of an async handler is retried hourly for 75 hours before it is final and goes to the webhook */
          retry_rejected: boolean
          /** State of the circuit breaker of the handler: closed, open or half_open */
          circuit: 'closed' | 'half_open' | 'open'
          /** The circuits of the collection that are not closed: at most 20, those that opened first */
          circuits: {
            /** `handler`, the origin of webhooks, or `subscription/` with the id of a subscription */
            destination: string
            /** open: documents wait without a call. half_open: one document at a time probes the destination */
            state: 'half_open' | 'open'
            /** Number of failures in a row */
            failures: number
            /** When the first of these failures was */
            opened_at: string
            /** When the next probe may begin */
            probe_at: string
          }[]
          /** Whether the collection is disabled */
          is_disabled: boolean
          /** Free text; null if not set */
          description: string | null
          /** Time of creation, in UTC */
          created_at: string
          /** Time of the last change, in UTC */
          updated_at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List access
     * Lists access by the names of user and collection, including access that another instance has granted to names that do not exist here yet. Administrators only.
     */
    '/accesses': {
      params: {
        /** Only access of this user. Default: all users */
        client?: number | undefined
        /** Only access to this collection. Default: all collections */
        collection?: number | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** Access of the page, sorted by the names of user and collection */
        accesses: {
          /** Id of the user; null if no user has this name yet */
          client: number | null
          /** Id of the collection; null if no collection has this name yet */
          collection: number | null
          /** read: list and get documents. write: also send and replay them */
          level: 'read' | 'write'
          /** Name of the user */
          client_name: string
          /** Name of the collection */
          collection_name: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get a document and its delivery state
     * Returns a document with its state, attempts, last answer and next attempt. Needs read access.
     */
    '/document': {
      params: {
        /** Name of the collection: 1 to 48 lowercase letters and digits */
        collection: string
        /** Id of the document in its collection; later documents have greater ids */
        id: number
      }
      reply: {
        /** The document with its delivery state */
        document: {
          /** Id of the document in its collection; later documents have greater ids */
          id: number
          /** Name of the collection */
          collection: string
          /** Kind of the document */
          event: string
          /** Idempotency key of the document, in lower case */
          uuid: string
          /** Content of the document */
          data: unknown
          /** URL that the answer is posted to; null unless the document is async */
          webhook: string | null
          /** waiting: the next attempt is due now or later. processing: the handler or the webhook is being called. delivered: the handler answered 2xx, and the webhook of an async document accepted the answer. rejected: as delivered, but the handler answered 4xx other than 408, 425 and 429. failed: no attempts are left; a sync document is sent again by a repeat of its uuid. null in a storage collection */
          state: 'waiting' | 'processing' | 'delivered' | 'rejected' | 'failed' | null
          /** Number of calls to the handler since the last replay */
          attempts: number
          /** Number of calls to the webhook since the last replay */
          webhook_attempts: number
          /** HTTP status of the last call to the webhook; 502 and 504 as for a handler; null if it was not called */
          webhook_status: number | null
          /** Last answer of the handler; null if there was none */
          response: {
            /** HTTP status of the handler; 502 if it could not be reached, 504 if it took longer than 20 s */
            status_code: number
            /** JSON body of the answer, or its text as a string; null without an answer, or if it is larger than 900 KB */
            body: unknown
          } | null
          /** Time of creation, in UTC */
          created_at: string
          /** When the handler last answered; null if it has not */
          answered_at: string | null
          /** When the delivery ended with a final answer; null if it has not */
          delivered_at: string | null
          /** When the next attempt is due; null if none is planned */
          next_at: string | null
          /** Deliveries to the subscribers of the collection */
          subscriptions: {
            /** Id of the subscription, the same on all instances */
            id: string
            /** waiting: the next attempt is due now or later. processing: the subscriber is being called. delivered: it answered 2xx. failed: no attempts are left, or the subscription was disabled */
            state: 'waiting' | 'processing' | 'delivered' | 'failed'
            /** Number of calls since the last replay */
            attempts: number
            /** HTTP status of the last answer; 502 and 504 as for a handler; null before it */
            status_code: number | null
            /** When the next attempt is due; null if none is planned */
            next_at: string | null
            /** When the subscriber accepted the document; null if it has not */
            delivered_at: string | null
          }[]
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_not_found' | 'document_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List documents
     * Lists documents by id. To fetch new documents, pass the last `id` that you have; `order` `desc` lists the newest first. A page ends early at 8 MB, with `has_more`. The collection `system` is the replication log, for administrators. Needs read access.
     */
    '/documents': {
      params: {
        /** Name of the collection: 1 to 48 lowercase letters and digits */
        collection: string
        /** Exclusive cursor: only documents with a greater id; with `order` `desc`, with a smaller id, where 0 means from the newest; default `0` */
        id?: number | undefined
        /** Order by id. The collection `system` is always ascending; default `"asc"` */
        order?: 'asc' | 'desc' | undefined
        /** Only documents in this delivery state. Default: all. Ignored for the collection `system` */
        state?: 'waiting' | 'processing' | 'delivered' | 'rejected' | 'failed' | undefined
        /** Maximum number of documents. Default and maximum: BOX_FETCH_LIMIT (100 unless configured) */
        limit?: number | undefined
      }
      reply: {
        /** Documents, by id */
        documents: {
          /** Id of the document in its collection; later documents have greater ids */
          id: number
          /** Kind of the document */
          event: string
          /** Idempotency key of the document, in lower case */
          uuid: string
          /** Content of the document */
          data: unknown
          /** waiting: the next attempt is due now or later. processing: the handler or the webhook is being called. delivered: the handler answered 2xx, and the webhook of an async document accepted the answer. rejected: as delivered, but the handler answered 4xx other than 408, 425 and 429. failed: no attempts are left; a sync document is sent again by a repeat of its uuid. null in a storage collection */
          state?: 'waiting' | 'processing' | 'delivered' | 'rejected' | 'failed' | null
          /** Number of calls to the handler since the last replay */
          attempts?: number
          /** Number of calls to the webhook since the last replay */
          webhook_attempts?: number
          /** Time of creation, in UTC */
          created_at?: string
        }[]
        /** Present if the page ended at 8 MB before it had `limit` items: more items follow. A page with `limit` items never has it, even if more items follow */
        has_more?: true
        /** Id of the instance that wrote this log; only for the collection `system` */
        instance?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Count documents after an id
     * Counts the documents with a greater id than `id`; all of them with 0. Needs read access.
     */
    '/documents/count': {
      params: {
        /** Name of the collection: 1 to 48 lowercase letters and digits */
        collection: string
        /** Exclusive cursor: only documents with a greater id; default `0` */
        id?: number | undefined
      }
      reply: {
        /** Number of documents */
        documents: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List the attempts of a document
     * Lists the calls that were made for a document: to its handler, its webhook and the subscribers, each with its status, duration and the beginning of the answer. The last 20 attempts of each target are stored, until the document is deleted. An attempt that a crash interrupted is not listed: its number is missing. Needs read access.
     */
    '/document/attempts': {
      params: {
        /** Name of the collection: 1 to 48 lowercase letters and digits */
        collection: string
        /** Id of the document in its collection; later documents have greater ids */
        id: number
        /** Only attempts to `handler`, `webhook`, or a subscription by its id. Default: all */
        target?: 'handler' | 'webhook' | string | undefined
        /** Exclusive cursor: only attempts with a greater id; default `0` */
        after?: number | undefined
        /** Maximum number of attempts, 1 to 100. Default: 100; default `100` */
        limit?: number | undefined
      }
      reply: {
        /** Attempts, the oldest first. The last 20 of each target are stored */
        attempts: {
          /** Id of the attempt; later attempts have greater ids. Pass the last one as `after` */
          id: number
          /** `handler`, `webhook`, or the id of a subscription */
          target: string
          /** Number of the attempt to this target since the last replay, from 1 */
          attempt: number
          /** When the call began */
          started_at: string
          /** Duration of the call in milliseconds */
          duration_ms: number
          /** HTTP status of the answer; null without one */
          status: number | null
          /** timeout: no complete answer in time. unreachable: no connection, or a URL that is not allowed. null: answered */
          error: 'timeout' | 'unreachable' | null
          /** The headers `content-type`, `retry-after` and `location`, the last without its query; null without an answer */
          headers: { [name: string]: string } | null
          /** First 1024 characters of the answer, with card data and credentials masked; null without an answer */
          body: string | null
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_not_found' | 'document_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the progress of a bulk replay
     * Returns the state of an operation that `POST /documents/replay` started, until 30 days after its end. Needs read access.
     */
    '/operation': {
      params: {
        /** Name of the collection: 1 to 48 lowercase letters and digits */
        collection: string
        /** Id of the operation, from the reply that started it */
        id: string
      }
      reply: {
        operation: {
          /** Id of the operation */
          id: string
          /** running: continues every minute. done: all matching documents were found. failed: it ended before the last one */
          state: 'running' | 'done' | 'failed'
          /** Number of matching documents that were found so far */
          matched: number
          /** Number of them that were replayed. A document that is under way, or was deleted, is not */
          done: number
          /** When the operation was started */
          created_at: string
          /** When the operation ended; null while it is running */
          ended_at: string | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_not_found' | 'operation_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the state of synchronisation
     * Returns how far the replication log of each other instance was read, and the newest 100 conflicts. A conflict is a change of this instance that was replaced by a later change of another instance, made without knowledge of the first. Both lists are empty unless BOX_IS_SYSTEM is set. Administrators only.
     */
    '/synchronisation': {
      params: None
      reply: {
        /** Replication state of each other instance, in the order of BOX_INSTANCES */
        instances: {
          /** Address of the other instance, from BOX_INSTANCES */
          url: string
          /** Random id of its database; null before the first read. If it changes, or the log has become shorter, the log is read again from the start */
          instance: string | null
          /** Last position of its replication log that was read */
          position: number
          /** When the log was last read; null if it never was */
          succeeded_at: string | null
          /** When reading last failed; null if it never has */
          failed_at: string | null
          /** Why the last attempt failed; null after a success */
          error: string | null
          /** Total number of changes that could not be applied when they were read */
          skipped: number
          /** The last ten of these changes, the newest first */
          last_skipped: {
            /** Position in the log */
            position: number
            /** Why the change could not be applied */
            reason: string
          }[]
          /** Number of skipped changes that are still not applied. Each is retried once a minute */
          pending: number
        }[]
        /** Conflicts, the newest first */
        conflicts: {
          /** Kind of the object */
          kind: 'client' | 'collection' | 'access' | 'subscription'
          /** Id of the subscription; for subscriptions only */
          id?: string
          /** Name of the user or the collection; absent for access and subscriptions */
          name?: string
          /** Name of the user; for access only */
          client?: string
          /** Name of the collection; for access and subscriptions only */
          collection?: string
          /** When the replaced value was set on this instance */
          replaced_at: string
          /** The replaced value of this instance. For a user, `is_secret_replaced` says whether the secret changed */
          replaced: unknown
          /** When the other instance set the value that is kept */
          kept_at: string
          /** Name of the instance that set the value that is kept */
          kept_origin: string
          /** The value that is kept: the later one, with `is_deleted` for a deletion */
          kept: unknown
          /** When the conflict was detected */
          found_at: string
        }[]
      }
      errors: 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List subscriptions
     * Lists subscriptions with the state of their circuits, without secrets. Administrators only.
     */
    '/subscriptions': {
      params: {
        /** Only subscriptions to this collection. Default: all */
        collection?: string | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** Subscriptions of the page, sorted by collection and time of creation */
        subscriptions: {
          /** Id of the subscription, the same on all instances */
          id: string
          /** Name of the collection */
          collection: string
          /** URL that documents are posted to */
          url: string
          /** Names of events, with `*` at the end for any text; empty for all documents */
          events: string[]
          /** Whether the subscription is disabled */
          is_disabled: boolean
          /** gone: the subscriber answered 410. null: an administrator disabled it, or it is not disabled */
          disabled_because: 'gone' | null
          /** Number of signing secrets: 1, or 2 during a rotation */
          secrets: number
          /** State of the circuit breaker. closed: every document is sent. open: the destination is down, and documents wait. half_open: one document at a time probes it */
          circuit: 'closed' | 'half_open' | 'open'
          /** Time of creation, in UTC */
          created_at: string
          /** Time of the last change, in UTC */
          updated_at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List the targets with signing secrets
     * Lists the targets of a collection that have signing secrets, without the secrets. `GET /subscriptions` shows those of subscriptions. Administrators only.
     */
    '/signing-secrets': {
      params: {
        /** Name of the collection: 1 to 48 lowercase letters and digits */
        collection: string
      }
      reply: {
        /** The targets that have secrets */
        signing_secrets: {
          /** `handler`, the origin of webhooks, or the id of a subscription */
          target: string
          /** Number of secrets that sign: 1, or 2 during a rotation */
          secrets: number
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
  delete: {
    /**
     * Delete a user
     * Deletes the user and its access; documents that it sent stay. Other instances disable the user. Administrators only.
     */
    '/client': {
      params: {
        /** Id of the user */
        id: number
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'client_not_found' | 'builtin_administrator' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Delete a collection
     * Deletes the collection, all access to it, and with `force` its documents. Without `force`, a collection with documents gets 409 `collection_not_empty`. Other instances disable the collection. Administrators only.
     */
    '/collection': {
      params: {
        /** Id of the collection */
        id: number
        /** Whether to delete the collection even if it has documents. Otherwise it then gets 409; default `false` */
        force?: boolean | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_not_found' | 'collection_not_empty' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Revoke access to a collection
     * Names the user and the collection by id or by name. Takes effect at once. Administrators only.
     */
    '/access': {
      params: {
        /** Id of the user */
        client?: number | undefined
        /** Id of the collection */
        collection?: number | undefined
        /** Name of the user, instead of its id */
        client_name?: string | undefined
        /** Name of the collection, instead of its id */
        collection_name?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'access_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Delete a document
     * Deletes the document with its attempts, which cannot be undone. A document that waits for its delivery is not delivered any more; 409 `document_processing` while it is being delivered. Its id is not given again. A repeat with its `uuid` is a new document. Needs write access.
     */
    '/document': {
      params: {
        /** Name of the collection: 1 to 48 lowercase letters and digits */
        collection: string
        /** Id of the document in its collection; later documents have greater ids */
        id: number
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_not_found' | 'document_not_found' | 'document_processing' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Delete a subscription
     * Deletes the subscription on all instances. Documents that wait for it are not delivered. Administrators only.
     */
    '/subscription': {
      params: {
        /** Id of the subscription, the same on all instances */
        id: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'subscription_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * End a rotation, or delete signing secrets
     * Deletes the older secret of a target when its receiver knows the newer one, or all secrets of a handler or webhook, which are then signed with BOX_SIGNING_SECRET, if it is set. Administrators only.
     */
    '/signing-secret': {
      params: {
        /** Name of the collection: 1 to 48 lowercase letters and digits */
        collection: string
        /** `handler`; the origin of webhooks, such as `https://partner.example`; or the id of a subscription */
        target?: 'handler' | string | undefined
        /** older: end a rotation, so that only the newer secret signs. all: delete both; default `"older"` */
        which?: 'older' | 'all' | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'collection_not_found' | 'signing_secret_not_found' | 'subscription_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
}
