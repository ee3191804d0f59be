// Types of the operations of badge, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Badge {
  post: {
    /**
     * Add a badge
     * Adds a badge to a user, and increases the counters of its name and of all names above by 1. Each call adds a badge: after two equal calls, the counters are 2. A repeat with the same `Idempotency-Key` adds no second badge. The collection and the user need not exist. The reply has no content; `GET /badges` returns the `id` of the badge.
     */
    '/badge': {
      params: {
        /** Name of the collection, at most 255 characters. A collection exists from its first badge on, without being created */
        collection: string
        /** User of the badges, at most 255 characters */
        user: string
        /** Path of 1 to 16 segments with slashes between them, at most 255 characters. A badge at `a/b/c` is also counted, listed and deleted under `a/b` and `a` */
        name: string
        /** JSON object of at most 1 000 000 bytes, or a string that contains one. Default: `{}` */
        payload?: { [name: string]: unknown } | string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * List badges
     * Returns the badges of a user in a collection, or only those at or below `name`, newest first. Expired badges are left out. A page ends early at 8 MB; the reply then has `has_more`. An unknown collection or user has no badges: the list is empty. The same as `GET /badges`, with the parameters in the body, so that no URL has them.
     */
    '/badges': {
      params: {
        /** Name of the collection, at most 255 characters. A collection exists from its first badge on, without being created */
        collection: string
        /** User of the badges, at most 255 characters */
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
          /** Id of the badge, which `GET /badges` returns */
          id: number
          /** Name of the badge */
          name: string
          /** User of the badge */
          user: string
          /** Payload that was passed with the badge */
          payload: { [name: string]: unknown }
          /** Time of creation in UTC */
          created_at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
        /** Present if the page ended at 8 MB before it had `limit` items: more items follow. A page with `limit` items never has it, even if more items follow */
        has_more?: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the counters of a user
     * Returns the number of badges of the user at or below each name; 0 for a name without badges, also if the collection or the user is unknown. Expired badges are subtracted within a minute. The same as `GET /counters`, with the parameters in the body, so that no URL has them.
     */
    '/counters': {
      params: {
        /** Name of the collection, at most 255 characters. A collection exists from its first badge on, without being created */
        collection: string
        /** User of the badges, at most 255 characters */
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
     * List users of a collection
     * Returns the users that have badges in the collection, sorted by name, with their number of badges. An unknown collection has no users. Pass the last name of a page as `after` for the next page. The same as `GET /users`, with the parameters in the body, so that no URL has them.
     */
    '/users': {
      params: {
        /** Name of the collection, at most 255 characters. A collection exists from its first badge on, without being created */
        collection: string
        /** Exclusive cursor: returns names after this one. Default: the first name */
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
  }
  delete: {
    /**
     * Delete one badge
     * Deletes the badge with the `id` that `GET /badges` returns, and decreases the counters of its name and of all names above by 1. Other badges of the same name stay. 404 `badge_not_found` if the user has no such badge in the collection.
     */
    '/badge': {
      params: {
        /** Name of the collection, at most 255 characters. A collection exists from its first badge on, without being created */
        collection: string
        /** User of the badges, at most 255 characters */
        user: string
        /** Id of the badge, which `GET /badges` returns */
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
     * Deletes the badges at or below `name`, or without `name` all badges of the user in the collection. The counters of all names are correct when this call returns. If there are no such badges, `deleted` is 0.
     */
    '/badges': {
      params: {
        /** Name of the collection, at most 255 characters. A collection exists from its first badge on, without being created */
        collection: string
        /** User of the badges, at most 255 characters */
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
     * Returns the badges of a user in a collection, or only those at or below `name`, newest first. Expired badges are left out. A page ends early at 8 MB; the reply then has `has_more`. An unknown collection or user has no badges: the list is empty. A URL may be stored in logs and histories: `POST /badges` takes the same parameters in the body.
     */
    '/badges': {
      params: {
        /** Name of the collection, at most 255 characters. A collection exists from its first badge on, without being created */
        collection: string
        /** User of the badges, at most 255 characters */
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
          /** Id of the badge, which `GET /badges` returns */
          id: number
          /** Name of the badge */
          name: string
          /** User of the badge */
          user: string
          /** Payload that was passed with the badge */
          payload: { [name: string]: unknown }
          /** Time of creation in UTC */
          created_at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
        /** Present if the page ended at 8 MB before it had `limit` items: more items follow. A page with `limit` items never has it, even if more items follow */
        has_more?: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the counters of a user
     * Returns the number of badges of the user at or below each name; 0 for a name without badges, also if the collection or the user is unknown. Expired badges are subtracted within a minute. A URL may be stored in logs and histories: `POST /counters` takes the same parameters in the body.
     */
    '/counters': {
      params: {
        /** Name of the collection, at most 255 characters. A collection exists from its first badge on, without being created */
        collection: string
        /** User of the badges, at most 255 characters */
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
     * Returns the collections that have badges, sorted by name. Pass the last name of a page as `after` for the next page.
     */
    '/collections': {
      params: {
        /** Exclusive cursor: returns names after this one. Default: the first name */
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
     * Returns the users that have badges in the collection, sorted by name, with their number of badges. An unknown collection has no users. Pass the last name of a page as `after` for the next page. A URL may be stored in logs and histories: `POST /users` takes the same parameters in the body.
     */
    '/users': {
      params: {
        /** Name of the collection, at most 255 characters. A collection exists from its first badge on, without being created */
        collection: string
        /** Exclusive cursor: returns names after this one. Default: the first name */
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
