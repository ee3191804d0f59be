// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Feed {
  post: {
    /** Create a collection */
    '/collection': {
      params: {
        /** Name of the collection */
        name: string
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'database_full' | 'not_configured'
    }
    /** Add a record */
    '/record': {
      params: {
        /** Name of the collection */
        collection: string
        recipient: string
        sender?: string | undefined
        /** Tag for grouping */
        thread?: string | undefined
        title?: string | undefined
        text?: string | undefined
        /** URL of an image */
        image?: string | undefined
        /** Any JSON */
        payload?: unknown | undefined
        /** UTC */
        created_at?: string | undefined
      }
      reply: {
        record: {
          /** Identity of the record */
          id: number
          recipient: string
          sender: string | null
          thread: string | null
          title: string | null
          text: string | null
          image: string | null
          payload: unknown
          /** UTC */
          created_at: string
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'collection_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'internal_error' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
    /** Add up to 1000 records, all or none */
    '/records': {
      params: {
        /** Name of the collection */
        collection: string
        records: {
          recipient: string
          sender?: string | undefined
          /** Tag for grouping */
          thread?: string | undefined
          title?: string | undefined
          text?: string | undefined
          /** URL of an image */
          image?: string | undefined
          /** Any JSON */
          payload?: unknown | undefined
          /** UTC */
          created_at?: string | undefined
        }[]
      }
      reply: {
        records: {
          /** Identity of the record */
          id: number
          recipient: string
          sender: string | null
          thread: string | null
          title: string | null
          text: string | null
          image: string | null
          payload: unknown
          /** UTC */
          created_at: string
        }[]
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'collection_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'internal_error' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
    /** Mark a record read */
    '/record/read': {
      params: {
        /** Name of the collection */
        collection: string
        /** Identity of the record */
        id: number
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'collection_not_found' | 'record_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Mark a record unread */
    '/record/unread': {
      params: {
        /** Name of the collection */
        collection: string
        /** Identity of the record */
        id: number
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'collection_not_found' | 'record_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Mark all records of a recipient read */
    '/records/read': {
      params: {
        /** Name of the collection */
        collection: string
        recipient: string
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'collection_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Let a browser listen to a recipient
     * The token is good for opening GET /stream within a minute; an EventSource cannot send credentials. One that is closed later needs a new token, and `last_event_id` of the last event that it had.
     */
    '/stream/token': {
      params: {
        /** Name of the collection */
        collection: string
        recipient: string
      }
      reply: {
        token: string
        /** Seconds */
        expires_in: number
        /** Where the stream is now, for GET /stream */
        last_event_id: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'collection_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
  get: {
    /** List the collections */
    '/collections': {
      params: {
        /** How many to return; `100` unless given */
        limit?: number | undefined
        /** How many to skip; `0` unless given */
        offset?: number | undefined
        /** Adds `nb_results`, the matches before limit and offset; `false` unless given */
        count?: boolean | undefined
      }
      reply: {
        collections: {
          /** Name of the collection */
          name: string
          /** Null for one that was made before this was kept */
          created_at: string | null
        }[]
        /** The matches before limit and offset, when `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** List the newest records of a collection, whoever they are for */
    '/collection/records': {
      params: {
        /** Name of the collection */
        collection: string
        /** Record to start from, itself left out */
        id?: number | undefined
        /** How many to return; `25` unless given */
        limit?: number | undefined
      }
      reply: {
        records: {
          /** Identity of the record */
          id: number
          recipient: string
          sender: string | null
          thread: string | null
          title: string | null
          text: string | null
          image: string | null
          payload: unknown
          /** UTC */
          created_at: string
          is_read: boolean
        }[]
        /** The page ended early, at 8 MB; there are more */
        has_more?: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'collection_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Read a record */
    '/record': {
      params: {
        /** Name of the collection */
        collection: string
        /** Identity of the record */
        id: number
      }
      reply: {
        record: {
          /** Identity of the record */
          id: number
          recipient: string
          sender: string | null
          thread: string | null
          title: string | null
          text: string | null
          image: string | null
          payload: unknown
          /** UTC */
          created_at: string
          is_read: boolean
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'collection_not_found' | 'record_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** List records, the newest first */
    '/records': {
      params: {
        /** Name of the collection */
        collection: string
        /** Required without `user` */
        recipient?: string | undefined
        sender?: string | undefined
        /** Recipient or sender; these are then ignored */
        user?: string | undefined
        thread?: string | string[] | undefined
        /** Substring of title or text, in any case */
        search?: string | undefined
        /** Record to start from, itself left out */
        id?: number | undefined
        /** `true`: only read records. `false`: only unread ones. `null`, or without it: both */
        is_read?: boolean | undefined
        /** `"desc"` unless given */
        order?: 'asc' | 'desc' | undefined
        /** Adds `nb_results`, the matches before limit and offset; `false` unless given */
        count?: boolean | undefined
        /** How many to return; `25` unless given */
        limit?: number | undefined
        /** How many to skip; `0` unless given */
        offset?: number | undefined
      }
      reply: {
        records: {
          /** Identity of the record */
          id: number
          recipient: string
          sender: string | null
          thread: string | null
          title: string | null
          text: string | null
          image: string | null
          payload: unknown
          /** UTC */
          created_at: string
          is_read: boolean
        }[]
        /** The matches before limit and offset, when `count` is true */
        nb_results?: number
        /** The page ended early, at 8 MB; there are more */
        has_more?: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'collection_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Count records */
    '/records/count': {
      params: {
        /** Name of the collection */
        collection: string
        /** Required without `user` */
        recipient?: string | undefined
        sender?: string | undefined
        /** Recipient or sender; these are then ignored */
        user?: string | undefined
        thread?: string | string[] | undefined
        /** Substring of title or text, in any case */
        search?: string | undefined
        /** Record to start from, itself left out */
        id?: number | undefined
        /** `true`: only read records. `false`: only unread ones. `null`, or without it: both */
        is_read?: boolean | undefined
      }
      reply: {
        records: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'collection_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Whether the component answers, and to who has access what it depends on */
    '/_health': { params: None; reply: Health }
  }
  delete: {
    /** Delete a record */
    '/record': {
      params: {
        /** Name of the collection */
        collection: string
        /** Identity of the record */
        id: number
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'collection_not_found' | 'record_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Delete all records of a recipient */
    '/records': {
      params: {
        /** Name of the collection */
        collection: string
        recipient: string
      }
      reply: {
        deleted: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'collection_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
  patch: {
    /** Change all records that a filter chooses */
    '/records': {
      params: {
        /** Name of the collection */
        collection: string
        where: {
          recipient?: string | undefined
          sender?: string | undefined
          thread?: string | undefined
          /** Recipient or sender */
          user?: string | undefined
        }
        set: {
          recipient?: string | undefined
          sender?: string | undefined
          /** Tag for grouping */
          thread?: string | undefined
          title?: string | undefined
          text?: string | undefined
          /** URL of an image */
          image?: string | undefined
          /** Replaces `where.user` */
          user?: string | undefined
          payload?: { [name: string]: unknown } | undefined
        }
      }
      reply: {
        updated: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'collection_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
  events: {
    /**
     * Stream the changes of a recipient as server-sent events
     * Events: `record`, a record that is new or has become the recipient’s; `updated`, the record as it is now; `deleted`, the `id` of a record that is deleted or has got another recipient; `read`, `id` and `is_read` of one record, or `until`, the last record of all that are read; `reset`: one call has changed more than 100 records, so list them again. `Last-Event-ID` resumes: new records without limit, all other events for up to a day. On Postgres a record that is committed after one with a larger id, in the moment when nobody listens, is not told on return.
     */
    '/stream': {
      params: {
        /** Name of the collection */
        collection: string
        recipient: string
        /** Where to go on, in place of the header `Last-Event-ID` */
        last_event_id?: string | undefined
        /** From POST /stream/token, where no header can be sent */
        token?: string | undefined
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'collection_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
}
