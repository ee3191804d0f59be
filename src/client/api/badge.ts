// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Badge {
  post: {
    /**
     * Add a badge
     * Equal badges are separate: adding one twice counts two. With an `Idempotency-Key` a retry adds none.
     */
    '/badge': {
      params: {
        /** Any name; a collection is there with its first badge */
        collection: string
        user: string
        /** A path: a/b/c is also counted, found and deleted under a/b and a */
        name: string
        /** A JSON object, or the text of one */
        payload?: { [name: string]: unknown } | string | undefined
      }
      reply: {
        status: true
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'internal_error' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
  }
  delete: {
    /**
     * Delete one badge
     * Deletes the badge with this `id` of `GET /badges`, and no other one of the same name.
     */
    '/badge': {
      params: {
        /** Any name; a collection is there with its first badge */
        collection: string
        user: string
        /** Identity of the badge */
        id: number
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'badge_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Delete badges
     * Those at or below the name; without it all that the user has in the collection.
     */
    '/badges': {
      params: {
        /** Any name; a collection is there with its first badge */
        collection: string
        user: string
        /** A path: a/b/c is also counted, found and deleted under a/b and a */
        name?: string | undefined
      }
      reply: {
        deleted: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
  get: {
    /** List badges, the newest first */
    '/badges': {
      params: {
        /** Any name; a collection is there with its first badge */
        collection: string
        user: string
        /** A path: a/b/c is also counted, found and deleted under a/b and a */
        name?: string | undefined
        /** Adds `nb_results`, the matches before limit and offset; `false` unless given */
        count?: boolean | undefined
        /** How many to return; `100` unless given */
        limit?: number | undefined
        /** How many to skip; `0` unless given */
        offset?: number | undefined
      }
      reply: {
        badges: {
          /** Identity of the badge */
          id: number
          name: string
          user: string
          payload: { [name: string]: unknown }
          /** UTC */
          created_at: string
        }[]
        /** The matches before limit and offset, when `count` is true */
        nb_results?: number
        /** The page ended early, at 8 MB; there are more */
        has_more?: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Count badges by name */
    '/counters': {
      params: {
        /** Any name; a collection is there with its first badge */
        collection: string
        user: string
        /** Names, or a comma-separated list of names; _all counts all badges */
        names: string | string[]
      }
      reply: {
        counters: { [name: string]: number }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** List the collections that have badges, by their names */
    '/collections': {
      params: {
        /** Only names after this one */
        after?: string | undefined
        /** How many to return; `100` unless given */
        limit?: number | undefined
      }
      reply: {
        collections: {
          name: string
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * List the users who have badges in a collection, by their names
     * A collection that nobody has badges in has none.
     */
    '/users': {
      params: {
        /** Any name; a collection is there with its first badge */
        collection: string
        /** Only names after this one */
        after?: string | undefined
        /** How many to return; `100` unless given */
        limit?: number | undefined
      }
      reply: {
        users: {
          user: string
          /** Badges in the collection */
          count: number
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Whether the component answers, and to who has access what it depends on */
    '/_health': { params: None; reply: Health }
  }
}
