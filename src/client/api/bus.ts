// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Bus {
  post: {
    /**
     * Create a user
     * The reply has its secret, which is shown this once. Administrators only, as all about users.
     */
    '/client': {
      params: {
        /** Generated unless given */
        name?: string | undefined
        /** At least 16 characters; generated unless given */
        secret?: string | undefined
        /** Reads and writes every collection, and administers the bus; `false` unless given */
        is_admin?: boolean | undefined
        /** A disabled user is refused as if its secret were wrong; `false` unless given */
        is_disabled?: boolean | undefined
        description?: string | undefined
      }
      reply: {
        client: {
          id: number
          name: string
          is_admin: boolean
          is_disabled: boolean
          description: string | null
          /** UTC */
          created_at: string
          /** UTC */
          updated_at: string
          /** Of a new user, or a renewed one: shown this once */
          secret?: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'name_taken' | 'secret_taken' | 'payload_too_large' | 'internal_error' | 'database_full' | 'not_configured'
    }
    /**
     * Create a collection
     * Administrators only, as all about collections.
     */
    '/collection': {
      params: {
        /** Name of the collection */
        name: string
        type: 'sync' | 'async' | 'storage'
        /** URL that documents are posted to; required for sync and async, of no use to storage */
        handler?: string | undefined
        /** A disabled collection takes no new documents; `false` unless given */
        is_disabled?: boolean | undefined
        description?: string | undefined
      }
      reply: {
        collection: {
          id: number
          name: string
          type: 'sync' | 'async' | 'storage'
          handler: string | null
          is_disabled: boolean
          description: string | null
          /** UTC */
          created_at: string
          /** UTC */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'collection_reserved' | 'name_taken' | 'payload_too_large' | 'internal_error' | 'database_full' | 'not_configured'
    }
    /**
     * Grant a user access to a collection, in place of what it had there
     * Administrators only, as all about access.
     */
    '/access': {
      params: {
        /** Id of the user */
        client: number
        /** Id of the collection */
        collection: number
        /** `write` is read and write */
        level: 'read' | 'write'
      }
      reply: {
        access: {
          /** Id of the user */
          client: number
          /** Id of the collection */
          collection: number
          /** `write` is read and write */
          level: 'read' | 'write'
          client_name: string
          collection_name: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'access_not_found' | 'client_not_found' | 'collection_not_found' | 'payload_too_large' | 'internal_error' | 'database_full' | 'not_configured'
    }
    /**
     * Send a document
     * Needs write access. The uuid is the idempotency key of a document in its collection: a repeat with the same event, data and webhook gets the first document, any other 409 `uuid_taken`; the order of keys in data does not matter. 2xx is success, and any other 4xx than 408, 425 and 429 is final too. sync: the reply waits for the handler; a repeat during the call gets the same answer, and a repeat after an answer that is not final calls again. async: after no answer, 408, 425, 429, 5xx or a redirect that would change the method, the handler is retried after 10 s, 1, 5 and 15 min, 1 h, then hourly for 75 h, with up to 20 % jitter and not before the Retry-After of a 429 or 503 (up to 1 h). The webhook is retried on the same schedule until it answers 2xx. While a handler or webhook is down, one document at a time probes it, and the others wait.
     */
    '/document': {
      params: {
        /** Name of the collection */
        collection: string
        /** Event, subservice or subcollection */
        event: string
        /** Chosen by the caller; a repeat with it changes nothing */
        uuid: string
        /** Any JSON */
        data: unknown
        /** URL that the result is posted to; required for async, else ignored */
        webhook?: string | undefined
      }
      reply: {
        document: {
          id: number
          collection: string
          event: string
          uuid: string
          data: unknown
          webhook: string | null
        }
        response?: {
          /** The handler's, or 502 where it could not be reached and 504 where it took over 20 s */
          status_code: number
          /** The JSON, or the text where it is none; null without an answer and where it has over 900 KB */
          body: unknown
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'collection_not_found' | 'collection_disabled' | 'collection_reserved' | 'uuid_taken' | 'payload_too_large' | 'internal_error' | 'queue_failed' | 'database_full' | 'not_configured' | 'queue_timeout'
    }
    /**
     * Replay an async document
     * Calls the handler again from the start of the retry schedule, with the same uuid and webhook-id, whatever it has answered before; the webhook then gets the new answer, with a webhook-id of its own. Needs write access. 409 `document_processing` during a delivery, 409 `not_async` for a document without a webhook.
     */
    '/document/replay': {
      params: {
        /** Name of the collection */
        collection: string
        id: number
      }
      reply: {
        document: {
          id: number
          collection: string
          event: string
          uuid: string
          data: unknown
          webhook: string | null
          /** `delivered`: the handler answered 2xx, and the webhook of an async document took the answer. `rejected`: the same with a 4xx other than 408, 425 and 429. `failed`: the retries have ended; a sync document is sent again by a repeat of its uuid. null in a storage collection */
          state: 'waiting' | 'processing' | 'delivered' | 'rejected' | 'failed' | null
          /** Number of calls to the handler since the last replay */
          attempts: number
          webhook_attempts: number
          /** The webhook's last answer; 502 and 504 as for a handler */
          webhook_status: number | null
          /** The handler's last answer */
          response: {
            /** The handler's, or 502 where it could not be reached and 504 where it took over 20 s */
            status_code: number
            /** The JSON, or the text where it is none; null without an answer and where it has over 900 KB */
            body: unknown
          } | null
          /** UTC */
          created_at: string
          answered_at: string | null
          delivered_at: string | null
          /** When the next attempt is due; null if none is planned */
          next_at: string | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'collection_not_found' | 'document_not_found' | 'collection_reserved' | 'document_processing' | 'not_async' | 'payload_too_large' | 'internal_error' | 'queue_failed' | 'not_configured' | 'queue_timeout'
    }
    /**
     * What the queue calls when a document is due
     * It carries a proof, in place of a secret, that only the bus can give it.
     */
    '/callback': {
      params: {
        collection: number
        document: number
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'collection_not_found' | 'payload_too_large' | 'internal_error' | 'queue_failed' | 'not_configured' | 'queue_timeout'
    }
  }
  patch: {
    /**
     * Change a user, or renew its secret
     * Of the built-in administrator only the description changes here (409).
     */
    '/client': {
      params: {
        id: number
        /** At least 16 characters; generated unless given */
        secret?: string | undefined
        /** Generates a new secret, which the reply has this once; `false` unless given */
        renew_secret?: boolean | undefined
        is_admin?: boolean | undefined
        /** A disabled user is refused as if its secret were wrong */
        is_disabled?: boolean | undefined
        description?: string | undefined
      }
      reply: {
        client: {
          id: number
          name: string
          is_admin: boolean
          is_disabled: boolean
          description: string | null
          /** UTC */
          created_at: string
          /** UTC */
          updated_at: string
          /** Of a new user, or a renewed one: shown this once */
          secret?: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'client_not_found' | 'builtin_administrator' | 'secret_taken' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Change a collection */
    '/collection': {
      params: {
        id: number
        type?: 'sync' | 'async' | 'storage' | undefined
        /** URL that documents are posted to; required for sync and async, of no use to storage */
        handler?: string | undefined
        is_disabled?: boolean | undefined
        description?: string | undefined
      }
      reply: {
        collection: {
          id: number
          name: string
          type: 'sync' | 'async' | 'storage'
          handler: string | null
          is_disabled: boolean
          description: string | null
          /** UTC */
          created_at: string
          /** UTC */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'collection_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
  get: {
    /** Read a user */
    '/client': {
      params: {
        id?: number | undefined
        name?: string | undefined
      }
      reply: {
        client: {
          id: number
          name: string
          is_admin: boolean
          is_disabled: boolean
          description: string | null
          /** UTC */
          created_at: string
          /** UTC */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'client_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** List the users */
    '/clients': {
      params: {
        /** Adds `nb_results`, the matches before limit and offset; `false` unless given */
        count?: boolean | undefined
        /** How many to return; `100` unless given */
        limit?: number | undefined
        /** How many to skip; `0` unless given */
        offset?: number | undefined
      }
      reply: {
        clients: {
          id: number
          name: string
          is_admin: boolean
          is_disabled: boolean
          description: string | null
          /** UTC */
          created_at: string
          /** UTC */
          updated_at: string
        }[]
        /** The matches before limit and offset, when `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Read a collection */
    '/collection': {
      params: {
        id?: number | undefined
        name?: string | undefined
      }
      reply: {
        collection: {
          id: number
          name: string
          type: 'sync' | 'async' | 'storage'
          handler: string | null
          is_disabled: boolean
          description: string | null
          /** UTC */
          created_at: string
          /** UTC */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'collection_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** List the collections */
    '/collections': {
      params: {
        /** Adds `nb_results`, the matches before limit and offset; `false` unless given */
        count?: boolean | undefined
        /** How many to return; `100` unless given */
        limit?: number | undefined
        /** How many to skip; `0` unless given */
        offset?: number | undefined
      }
      reply: {
        collections: {
          id: number
          name: string
          type: 'sync' | 'async' | 'storage'
          handler: string | null
          is_disabled: boolean
          description: string | null
          /** UTC */
          created_at: string
          /** UTC */
          updated_at: string
        }[]
        /** The matches before limit and offset, when `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** List what was granted */
    '/accesses': {
      params: {
        /** Id of the user */
        client?: number | undefined
        /** Id of the collection */
        collection?: number | undefined
        /** Adds `nb_results`, the matches before limit and offset; `false` unless given */
        count?: boolean | undefined
        /** How many to return; `100` unless given */
        limit?: number | undefined
        /** How many to skip; `0` unless given */
        offset?: number | undefined
      }
      reply: {
        accesses: {
          /** Id of the user; null where there is none of this name yet */
          client: number | null
          /** Id of the collection; null where there is none of this name yet */
          collection: number | null
          /** `write` is read and write */
          level: 'read' | 'write'
          client_name: string
          collection_name: string
        }[]
        /** The matches before limit and offset, when `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Read a document, and how far it is
     * Needs read access.
     */
    '/document': {
      params: {
        /** Name of the collection */
        collection: string
        id: number
      }
      reply: {
        document: {
          id: number
          collection: string
          event: string
          uuid: string
          data: unknown
          webhook: string | null
          /** `delivered`: the handler answered 2xx, and the webhook of an async document took the answer. `rejected`: the same with a 4xx other than 408, 425 and 429. `failed`: the retries have ended; a sync document is sent again by a repeat of its uuid. null in a storage collection */
          state: 'waiting' | 'processing' | 'delivered' | 'rejected' | 'failed' | null
          /** Number of calls to the handler since the last replay */
          attempts: number
          webhook_attempts: number
          /** The webhook's last answer; 502 and 504 as for a handler */
          webhook_status: number | null
          /** The handler's last answer */
          response: {
            /** The handler's, or 502 where it could not be reached and 504 where it took over 20 s */
            status_code: number
            /** The JSON, or the text where it is none; null without an answer and where it has over 900 KB */
            body: unknown
          } | null
          /** UTC */
          created_at: string
          answered_at: string | null
          delivered_at: string | null
          /** When the next attempt is due; null if none is planned */
          next_at: string | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'collection_not_found' | 'document_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * List documents after an id, or the newest ones
     * Needs read access.
     */
    '/documents': {
      params: {
        /** Name of the collection */
        collection: string
        /** Only documents after this id; with `desc` before it, or the last there are; `0` unless given */
        id?: number | undefined
        /** By id; in the collection `system` always `asc`; `"asc"` unless given */
        order?: 'asc' | 'desc' | undefined
        /** At most BOX_FETCH_LIMIT, which is also the default */
        limit?: number | undefined
      }
      reply: {
        documents: {
          id: number
          event: string
          uuid: string
          data: unknown
          /** `delivered`: the handler answered 2xx, and the webhook of an async document took the answer. `rejected`: the same with a 4xx other than 408, 425 and 429. `failed`: the retries have ended; a sync document is sent again by a repeat of its uuid. null in a storage collection */
          state?: 'waiting' | 'processing' | 'delivered' | 'rejected' | 'failed' | null
          /** Number of calls to the handler since the last replay */
          attempts?: number
          webhook_attempts?: number
          /** UTC */
          created_at?: string
        }[]
        /** The page ended early, at 8 MB; there are more */
        has_more?: true
        /** Instance that wrote this log; only for the collection `system` */
        instance?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'collection_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Count documents after an id
     * Needs read access.
     */
    '/documents/count': {
      params: {
        /** Name of the collection */
        collection: string
        /** Only documents after this id; `0` unless given */
        id?: number | undefined
      }
      reply: {
        documents: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'collection_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Get the state of the synchronisation
     * How far the log of each instance is read, and the newest 100 conflicts: changes that were made here and that a later change of another instance has replaced, which was made without knowing them. Administrators only. Empty unless BOX_IS_SYSTEM is set.
     */
    '/synchronisation': {
      params: None
      reply: {
        instances: {
          url: string
          /** Name of its database; if it changes, or the log is shorter than before, the log is read again */
          instance: string | null
          /** What was read up to here */
          position: number
          succeeded_at: string | null
          failed_at: string | null
          /** Why the last attempt failed; none after a success */
          error: string | null
          /** Number of changes that could not be applied at once, since the instance is read */
          skipped: number
          /** The last ten of them */
          last_skipped: {
            position: number
            reason: string
          }[]
          /** Number of skipped changes that are still not applied; each is tried again once a minute */
          pending: number
        }[]
        conflicts: {
          kind: 'client' | 'collection' | 'access'
          /** Name of the user or the collection */
          name?: string
          /** Of access: name of the user */
          client?: string
          /** Of access: name of the collection */
          collection?: string
          /** When the value was set here */
          replaced_at: string
          /** The value that was set here; for a user `is_secret_replaced` says whether its secret changed */
          replaced: unknown
          /** When the other instance set its value */
          kept_at: string
          /** Name of the instance that set the value that is kept */
          kept_origin: string
          /** The value that is kept: the later one, or `is_deleted` for a deletion */
          kept: unknown
          /** UTC */
          found_at: string
        }[]
      }
      errors: 'unauthorized' | 'cross_site_request' | 'forbidden' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Whether the component answers, and to who has access what it depends on */
    '/_health': { params: None; reply: Health }
  }
  delete: {
    /** Delete a user, and what it was granted */
    '/client': {
      params: {
        id: number
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'client_not_found' | 'builtin_administrator' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Delete a collection, and what was granted on it */
    '/collection': {
      params: {
        id: number
        /** With its documents; without it 409 where there are any; `false` unless given */
        force?: boolean | undefined
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'collection_not_found' | 'collection_not_empty' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Take back what a user was granted */
    '/access': {
      params: {
        /** Id of the user */
        client?: number | undefined
        /** Id of the collection */
        collection?: number | undefined
        /** Name of the user, in place of its id */
        client_name?: string | undefined
        /** Name of the collection, in place of its id */
        collection_name?: string | undefined
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'forbidden' | 'access_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
}
