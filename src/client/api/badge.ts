// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Badge {
  post: {
    /**
     * Add a badge
     * Each call adds a badge: two equal calls make the counters 2. A repeat with the same `Idempotency-Key` adds no second badge.
     */
    '/badge': {
      params: {
        /** Name of the collection, at most 255 characters. A collection exists from its first badge on, without being created */
        collection: string
        /** User who has the badges, at most 255 characters */
        user: string
        /** Path of 1 to 16 segments with slashes between them, at most 255 characters. A badge at `a/b/c` is also counted, listed and deleted under `a/b` and `a` */
        name: string
        /** JSON object, or a string that contains one. Default: `{}` */
        payload?: { [name: string]: unknown } | string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
  }
  delete: {
    /**
     * Delete one badge
     * Deletes the badge with this `id` from `GET /badges`. Other badges of the same name stay.
     */
    '/badge': {
      params: {
        /** Name of the collection, at most 255 characters. A collection exists from its first badge on, without being created */
        collection: string
        /** User who has the badges, at most 255 characters */
        user: string
        /** Id of the badge */
        id: number
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'badge_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Delete badges
     * Deletes the badges at or below the name, or without a name all badges of the user in the collection. The counters above are correct at once.
     */
    '/badges': {
      params: {
        /** Name of the collection, at most 255 characters. A collection exists from its first badge on, without being created */
        collection: string
        /** User who has the badges, at most 255 characters */
        user: string
        /** Only badges at or below this name. Default: all badges of the user in the collection */
        name?: string | undefined
      }
      reply: {
        /** Number of deleted badges */
        deleted: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  get: {
    /**
     * List badges
     * Badges of a user in a collection, newest first. A page ends early at 8 MB and has `has_more` then. An unknown collection or user has no badges.
     */
    '/badges': {
      params: {
        /** Name of the collection, at most 255 characters. A collection exists from its first badge on, without being created */
        collection: string
        /** User who has the badges, at most 255 characters */
        user: string
        /** Only badges at or below this name. Default: all badges of the user in the collection */
        name?: string | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** Badges of the page, newest first */
        badges: {
          /** Id of the badge */
          id: number
          /** Name of the badge */
          name: string
          /** User who has the badge */
          user: string
          /** Payload that was passed with the badge */
          payload: { [name: string]: unknown }
          /** Time of creation in UTC */
          created_at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
        /** Present if the page was cut at 8 MB before it reached `limit`: more items follow */
        has_more?: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the counters of a user
     * The number of badges at or below each name, 0 for unknown names.
     */
    '/counters': {
      params: {
        /** Name of the collection, at most 255 characters. A collection exists from its first badge on, without being created */
        collection: string
        /** User who has the badges, at most 255 characters */
        user: string
        /** 1 to 1000 names, as an array or separated by commas. `_all` counts all badges of the user */
        names: string | string[]
      }
      reply: {
        /** Number of badges at or below each name, by name */
        counters: { [name: string]: number }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List collections
     * Collections that have badges, sorted by name. Pass the last name of a page as `after` for the next page.
     */
    '/collections': {
      params: {
        /** Exclusive cursor: returns names after this one */
        after?: string | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
      }
      reply: {
        /** Collections, sorted by name */
        collections: {
          /** Name of the collection */
          name: string
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List users of a collection
     * Users that have badges in the collection, sorted by name, with their number of badges. Pass the last name of a page as `after` for the next page.
     */
    '/users': {
      params: {
        /** Name of the collection, at most 255 characters. A collection exists from its first badge on, without being created */
        collection: string
        /** Exclusive cursor: returns names after this one */
        after?: string | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
      }
      reply: {
        /** Users, sorted by name */
        users: {
          /** Name of the user */
          user: string
          /** Number of badges of the user in the collection */
          count: number
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
}
