// Types of the operations of feed, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Feed {
  post: {
    /**
     * Create a collection
     * Has no effect if the collection exists. A collection cannot be deleted or renamed.
     */
    '/collection': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        name: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'database_full' | 'not_configured'
    }
    /**
     * Add a record
     * The record is unread. Subscribers of the recipient get a `record` event. A repeat with the same `Idempotency-Key` adds no second record.
     */
    '/record': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        collection: string
        /** The user whom the record is for, at most 255 characters */
        recipient: string
        /** The user who caused the record, at most 255 characters */
        sender?: string | undefined
        /** Tag that groups records, at most 255 characters */
        thread?: string | undefined
        /** Title, at most 1 000 characters */
        title?: string | undefined
        /** Text, at most 100 000 characters */
        text?: string | undefined
        /** URL of an image, at most 2 000 characters */
        image?: string | undefined
        /** Any JSON value, at most 1 000 000 bytes */
        payload?: unknown | undefined
        /** Time of the record: `YYYY-MM-DD HH:MM:SS` in UTC, a date, or ISO 8601. Default: now. Lists are sorted by id, not by this time */
        created_at?: string | undefined
      }
      reply: {
        /** The added record */
        record: {
          /** Id of the record. Ids increase within a collection */
          id: number
          /** The user whom the record is for, at most 255 characters */
          recipient: string
          /** The user who caused the record, at most 255 characters */
          sender: string | null
          /** Tag that groups records, at most 255 characters */
          thread: string | null
          /** Title, at most 1 000 characters */
          title: string | null
          /** Text, at most 100 000 characters */
          text: string | null
          /** URL of an image, at most 2 000 characters */
          image: string | null
          /** Payload: any JSON value, null if there is none */
          payload: unknown
          /** Time of the record in UTC */
          created_at: string
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'collection_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * Add up to 1000 records
     * Adds all records or none. Their ids are in the order of the request. A repeat with the same `Idempotency-Key` adds nothing.
     */
    '/records': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        collection: string
        /** 1 to 1000 records */
        records: {
          /** The user whom the record is for, at most 255 characters */
          recipient: string
          /** The user who caused the record, at most 255 characters */
          sender?: string | undefined
          /** Tag that groups records, at most 255 characters */
          thread?: string | undefined
          /** Title, at most 1 000 characters */
          title?: string | undefined
          /** Text, at most 100 000 characters */
          text?: string | undefined
          /** URL of an image, at most 2 000 characters */
          image?: string | undefined
          /** Any JSON value, at most 1 000 000 bytes */
          payload?: unknown | undefined
          /** Time of the record: `YYYY-MM-DD HH:MM:SS` in UTC, a date, or ISO 8601. Default: now. Lists are sorted by id, not by this time */
          created_at?: string | undefined
        }[]
      }
      reply: {
        /** The added records, in the order of the request */
        records: {
          /** Id of the record. Ids increase within a collection */
          id: number
          /** The user whom the record is for, at most 255 characters */
          recipient: string
          /** The user who caused the record, at most 255 characters */
          sender: string | null
          /** Tag that groups records, at most 255 characters */
          thread: string | null
          /** Title, at most 1 000 characters */
          title: string | null
          /** Text, at most 100 000 characters */
          text: string | null
          /** URL of an image, at most 2 000 characters */
          image: string | null
          /** Payload: any JSON value, null if there is none */
          payload: unknown
          /** Time of the record in UTC */
          created_at: string
        }[]
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'collection_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * List records
     * The records of a user that match all filters, newest first. A page ends early at 8 MB and has `has_more` then. To page through many records, pass the last `id` of a page instead of `offset`. The same as `GET /records`, with the parameters in the body, so that no URL has them.
     */
    '/records/search': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        collection: string
        /** Only records for this user. Required without `user` */
        recipient?: string | undefined
        /** Only records from this user */
        sender?: string | undefined
        /** Only records that have this user as recipient or sender. `recipient` and `sender` are ignored then */
        user?: string | undefined
        /** Only records of this thread, or of one of up to 90 threads: in the query, `thread[]=a&thread[]=b`. Commas are part of a name */
        thread?: string | string[] | undefined
        /** Only records with this text in `title` or `text`. Case is ignored; at most 1 000 characters */
        search?: string | undefined
        /** Exclusive cursor: returns records after this id in the order of the list. `nb_results` counts only these */
        id?: number | undefined
        /** `true`: only read records. `false`: only unread records. `null` or missing: both */
        is_read?: boolean | undefined
        /** `desc`: newest records first. `asc`: oldest records first; default `"desc"` */
        order?: 'asc' | 'desc' | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `25` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** Records of the page */
        records: {
          /** Id of the record. Ids increase within a collection */
          id: number
          /** The user whom the record is for, at most 255 characters */
          recipient: string
          /** The user who caused the record, at most 255 characters */
          sender: string | null
          /** Tag that groups records, at most 255 characters */
          thread: string | null
          /** Title, at most 1 000 characters */
          title: string | null
          /** Text, at most 100 000 characters */
          text: string | null
          /** URL of an image, at most 2 000 characters */
          image: string | null
          /** Payload: any JSON value, null if there is none */
          payload: unknown
          /** Time of the record in UTC */
          created_at: string
          /** Whether the record is read */
          is_read: boolean
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
        /** Present if the page ended at 8 MB before it had `limit` items: more items follow. A page with `limit` items never has it, even if more items follow */
        has_more?: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'collection_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Count records
     * The number of records that `GET /records` finds with the same filters. The same as `GET /records/count`, with the parameters in the body, so that no URL has them.
     */
    '/records/count': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        collection: string
        /** Only records for this user. Required without `user` */
        recipient?: string | undefined
        /** Only records from this user */
        sender?: string | undefined
        /** Only records that have this user as recipient or sender. `recipient` and `sender` are ignored then */
        user?: string | undefined
        /** Only records of this thread, or of one of up to 90 threads: in the query, `thread[]=a&thread[]=b`. Commas are part of a name */
        thread?: string | string[] | undefined
        /** Only records with this text in `title` or `text`. Case is ignored; at most 1 000 characters */
        search?: string | undefined
        /** Only records with a lower id */
        id?: number | undefined
        /** `true`: only read records. `false`: only unread records. `null` or missing: both */
        is_read?: boolean | undefined
      }
      reply: {
        /** Number of matching records */
        records: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'collection_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Mark a record read
     * Has no effect on a record that is read. Subscribers of the recipient get a `read` event with `is_read` true.
     */
    '/record/read': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        collection: string
        /** Id of the record. Ids increase within a collection */
        id: number
        /** Only if the record is for this user; else 404 `record_not_found`. A credential that is bound to a recipient fills it in */
        recipient?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'collection_not_found' | 'record_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Mark a record unread
     * Has no effect on a record that is unread. Subscribers of the recipient get a `read` event with `is_read` false.
     */
    '/record/unread': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        collection: string
        /** Id of the record. Ids increase within a collection */
        id: number
        /** Only if the record is for this user; else 404 `record_not_found`. A credential that is bound to a recipient fills it in */
        recipient?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'collection_not_found' | 'record_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Mark all records of a recipient read
     * Takes the same time for any number of records. Subscribers get one `read` event with `id` null.
     */
    '/records/read': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        collection: string
        /** The user whom the records are for, at most 255 characters */
        recipient: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'collection_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Create a token for a stream
     * The token lets a browser open `GET /stream` within a minute: an `EventSource` cannot send credentials. To connect again later, request a new token and pass the id of the last event as `last_event_id`.
     */
    '/stream/token': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        collection: string
        /** The user whom the records are for, at most 255 characters */
        recipient: string
      }
      reply: {
        /** Token for `GET /stream`. Valid for this recipient of this collection alone */
        token: string
        /** Lifetime of the token in seconds. A stream that is open stays open until the credentials that requested the token end */
        expires_in: number
        /** Present position of the stream, for `last_event_id` of `GET /stream` */
        last_event_id: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'collection_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  get: {
    /**
     * List collections
     * All collections, sorted by name.
     */
    '/collections': {
      params: {
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
      }
      reply: {
        /** Collections, sorted by name */
        collections: {
          /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
          name: string
          /** Time of creation in UTC. Null for collections that older versions created without a time */
          created_at: string | null
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List the newest records of a collection
     * Records for all recipients, newest first. Pass the last `id` of a page to get the next page.
     */
    '/collection/records': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        collection: string
        /** Exclusive cursor: returns records after this id in the order of the list */
        id?: number | undefined
        /** Maximum number of items to return; default `25` */
        limit?: number | undefined
      }
      reply: {
        /** Records of the page */
        records: {
          /** Id of the record. Ids increase within a collection */
          id: number
          /** The user whom the record is for, at most 255 characters */
          recipient: string
          /** The user who caused the record, at most 255 characters */
          sender: string | null
          /** Tag that groups records, at most 255 characters */
          thread: string | null
          /** Title, at most 1 000 characters */
          title: string | null
          /** Text, at most 100 000 characters */
          text: string | null
          /** URL of an image, at most 2 000 characters */
          image: string | null
          /** Payload: any JSON value, null if there is none */
          payload: unknown
          /** Time of the record in UTC */
          created_at: string
          /** Whether the record is read */
          is_read: boolean
        }[]
        /** Present if the page ended at 8 MB before it had `limit` items: more items follow. A page with `limit` items never has it, even if more items follow */
        has_more?: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'collection_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get a record
     * Returns the record with its read flag. Does not mark the record read.
     */
    '/record': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        collection: string
        /** Id of the record. Ids increase within a collection */
        id: number
        /** Only if the record is for this user; else 404 `record_not_found`. A credential that is bound to a recipient fills it in */
        recipient?: string | undefined
      }
      reply: {
        /** The record */
        record: {
          /** Id of the record. Ids increase within a collection */
          id: number
          /** The user whom the record is for, at most 255 characters */
          recipient: string
          /** The user who caused the record, at most 255 characters */
          sender: string | null
          /** Tag that groups records, at most 255 characters */
          thread: string | null
          /** Title, at most 1 000 characters */
          title: string | null
          /** Text, at most 100 000 characters */
          text: string | null
          /** URL of an image, at most 2 000 characters */
          image: string | null
          /** Payload: any JSON value, null if there is none */
          payload: unknown
          /** Time of the record in UTC */
          created_at: string
          /** Whether the record is read */
          is_read: boolean
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'collection_not_found' | 'record_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List records
     * The records of a user that match all filters, newest first. A page ends early at 8 MB and has `has_more` then. To page through many records, pass the last `id` of a page instead of `offset`. A URL may be stored in logs and histories: `POST /records/search` takes the same parameters in the body.
     */
    '/records': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        collection: string
        /** Only records for this user. Required without `user` */
        recipient?: string | undefined
        /** Only records from this user */
        sender?: string | undefined
        /** Only records that have this user as recipient or sender. `recipient` and `sender` are ignored then */
        user?: string | undefined
        /** Only records of this thread, or of one of up to 90 threads: in the query, `thread[]=a&thread[]=b`. Commas are part of a name */
        thread?: string | string[] | undefined
        /** Only records with this text in `title` or `text`. Case is ignored; at most 1 000 characters */
        search?: string | undefined
        /** Exclusive cursor: returns records after this id in the order of the list. `nb_results` counts only these */
        id?: number | undefined
        /** `true`: only read records. `false`: only unread records. `null` or missing: both */
        is_read?: boolean | undefined
        /** `desc`: newest records first. `asc`: oldest records first; default `"desc"` */
        order?: 'asc' | 'desc' | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `25` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** Records of the page */
        records: {
          /** Id of the record. Ids increase within a collection */
          id: number
          /** The user whom the record is for, at most 255 characters */
          recipient: string
          /** The user who caused the record, at most 255 characters */
          sender: string | null
          /** Tag that groups records, at most 255 characters */
          thread: string | null
          /** Title, at most 1 000 characters */
          title: string | null
          /** Text, at most 100 000 characters */
          text: string | null
          /** URL of an image, at most 2 000 characters */
          image: string | null
          /** Payload: any JSON value, null if there is none */
          payload: unknown
          /** Time of the record in UTC */
          created_at: string
          /** Whether the record is read */
          is_read: boolean
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
        /** Present if the page ended at 8 MB before it had `limit` items: more items follow. A page with `limit` items never has it, even if more items follow */
        has_more?: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'collection_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Count records
     * The number of records that `GET /records` finds with the same filters. A URL may be stored in logs and histories: `POST /records/count` takes the same parameters in the body.
     */
    '/records/count': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        collection: string
        /** Only records for this user. Required without `user` */
        recipient?: string | undefined
        /** Only records from this user */
        sender?: string | undefined
        /** Only records that have this user as recipient or sender. `recipient` and `sender` are ignored then */
        user?: string | undefined
        /** Only records of this thread, or of one of up to 90 threads: in the query, `thread[]=a&thread[]=b`. Commas are part of a name */
        thread?: string | string[] | undefined
        /** Only records with this text in `title` or `text`. Case is ignored; at most 1 000 characters */
        search?: string | undefined
        /** Only records with a lower id */
        id?: number | undefined
        /** `true`: only read records. `false`: only unread records. `null` or missing: both */
        is_read?: boolean | undefined
      }
      reply: {
        /** Number of matching records */
        records: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'collection_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
  delete: {
    /**
     * Delete a record
     * Deletes the record for ever. Subscribers of the recipient get a `deleted` event.
     */
    '/record': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        collection: string
        /** Id of the record. Ids increase within a collection */
        id: number
        /** Only if the record is for this user; else 404 `record_not_found`. A credential that is bound to a recipient fills it in */
        recipient?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'collection_not_found' | 'record_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Delete all records of a recipient in a collection
     * Subscribers get a `deleted` event per record, or one `reset` event if more than 100 are deleted.
     */
    '/records': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        collection: string
        /** The user whom the records are for, at most 255 characters */
        recipient: string
      }
      reply: {
        /** Number of deleted records */
        deleted: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'collection_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  patch: {
    /**
     * Change records
     * Sets the values of `set` in all records that match `where`. With `set.user`, the name of `where.user` is replaced as recipient and as sender. Subscribers get `updated` events; if the recipient changes, the old recipient gets `deleted` and the new one `record`.
     */
    '/records': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        collection: string
        /** Records to change: those that match all keys. At least one key */
        where: {
          /** Records for this user */
          recipient?: string | undefined
          /** Records from this user */
          sender?: string | undefined
          /** Records of this thread */
          thread?: string | undefined
          /** Records that have this user as recipient or sender */
          user?: string | undefined
        }
        /** New values. At least one key; missing keys keep their values */
        set: {
          /** New recipient. The records keep their read flags */
          recipient?: string | undefined
          /** The user who caused the record, at most 255 characters */
          sender?: string | undefined
          /** Tag that groups records, at most 255 characters */
          thread?: string | undefined
          /** Title, at most 1 000 characters */
          title?: string | undefined
          /** Text, at most 100 000 characters */
          text?: string | undefined
          /** URL of an image, at most 2 000 characters */
          image?: string | undefined
          /** New name of `where.user`, as recipient and as sender */
          user?: string | undefined
          /** New payload: a JSON object, at most 1 000 000 bytes */
          payload?: { [name: string]: unknown } | undefined
        }
      }
      reply: {
        /** Number of changed records */
        updated: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'collection_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  events: {
    /**
     * Stream records and changes of a recipient
     * Server-sent events:
     *
     * - `record`: a new record, or one that changed its recipient to this one. The data is the record, as `GET /record` returns it.
     * - `updated`: the present state of a changed record, in the same format.
     * - `deleted`: the `id` of a record that was deleted or changed its recipient.
     * - `read`: `is_read` with the `id` of a record, or with `id` null and `until`, the last id of the records that are read now.
     * - `reset`: one call changed more than 100 records. List the records again.
     *
     * `Last-Event-ID` resumes: the stream sends all new records, and changes of the last 24 hours. On Postgres, a record that is committed after a record with a larger id, while no client is connected, is not sent on resume. A comment line every 15 seconds keeps the connection open. The stream ends when the credentials that opened it, or that requested its token, expire, and at most 45 seconds after their key is deleted or its secret ends.
     */
    '/stream': {
      params: {
        /** Name of the collection: 1 to 48 characters of `a-z`, `0-9` and `_`, starting with a letter */
        collection: string
        /** The user whom the records are for, at most 255 characters */
        recipient: string
        /** Event id to resume after, if the client cannot send the header `Last-Event-ID`. Default: the stream starts with new events */
        last_event_id?: string | undefined
        /** Token from `POST /stream/token` or `POST /access/token`, if the client cannot send credentials in a header */
        token?: string | undefined
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'collection_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
}
