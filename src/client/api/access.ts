// Types of the operations of access, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Access {
  post: {
    /**
     * Create a key
     * The reply has the secret; no later reply shows it. The key may not do more than the caller, outlive it, or have more requests per minute, and it ends with the key of the caller. Components accept it at once.
     */
    '/key': {
      params: {
        /** Unique name, 1 to 64 characters. It says who uses the key */
        name: string
        /** What the holder may do, 1 to 50 scopes: `<component>:<level>`, `<component>:*`, `*:<level>` or `*`. `write` includes `read`, `manage` includes both, `metrics` stands alone */
        scopes: string[]
        /** Values that parameters must have, by the name of the parameter. Names: `collection`, `index`, `recipient`, `user`, `worker`. Operations that cannot be restricted by all bounds are refused; default `{}` */
        bounds?: { [name: string]: string } | undefined
        /** Time from which the key is refused. Default: never */
        expires_at?: string | undefined
        /** Maximum requests per minute of the key and its tokens together. Default: no limit */
        requests_per_minute?: number | undefined
      }
      reply: {
        /** The key */
        key: {
          /** Id of the key */
          id: string
          /** Name of the key */
          name: string
          /** What the key may do */
          scopes: string[]
          /** Values that parameters must have */
          bounds: { [name: string]: string }
          /** Time from which the key is refused. Absent: never */
          expires_at?: string
          /** Maximum requests per minute. Absent: no limit */
          requests_per_minute?: number
          /** Time of creation */
          created_at: string
          /** Minute of the last use. Absent: never used */
          last_used_at?: string
          /** Id of the key that created this one, itself or with a token. This key ends with it. Absent: `AUTH_TOKENS` did */
          parent_id?: string
        }
        /** The key to send as `Authorization: Bearer`. It is stored as a hash only, and not shown again */
        secret: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'too_many_keys' | 'wider_than_caller' | 'name_taken' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'database_full' | 'not_configured'
    }
    /**
     * Replace the secret of a key
     * The new secret is valid at once. The previous one is valid for `overlap` more seconds, and up to 30 s longer while components have it cached. Earlier secrets are valid until their overlaps end, at most five at a time. Tokens of the key stay valid. The caller needs all scopes of the key.
     */
    '/key/rotate': {
      params: {
        /** Id of the key */
        id: string
        /** Seconds for which the previous secret stays valid, at most a week. Default: 0; default `0` */
        overlap?: number | undefined
        /** Ends now the overlaps of earlier rotations, whose secrets are valid until then otherwise. Default: false; default `false` */
        end_overlaps?: boolean | undefined
      }
      reply: {
        /** The key to send as `Authorization: Bearer`. It is stored as a hash only, and not shown again */
        secret: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'wider_than_caller' | 'key_not_found' | 'too_many_secrets' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Issue a token for a browser or an app
     * A JSON Web Token that the holder sends as `Authorization: Bearer`. Each key can issue tokens that allow no more than the key: its bounds are added, and its rate limit counts their requests. A token issues no tokens.
     */
    '/token': {
      params: {
        /** What the token may do, 1 to 50 scopes. Default: all scopes of the caller */
        scopes?: string[] | undefined
        /** Values that parameters must have, by the name of the parameter. Names: `collection`, `index`, `recipient`, `user`, `worker`. Operations that cannot be restricted by all bounds are refused; default `{}` */
        bounds?: { [name: string]: string } | undefined
        /** Seconds until the token expires, 60 to 86400. Default: an hour. A token expires with its key at the latest; default `3600` */
        lifetime?: number | undefined
        /** Origins of the pages that may use the token. Default: all */
        origins?: string[] | undefined
      }
      reply: {
        /** The token to send as `Authorization: Bearer` */
        token: string
        /** Time from which the token is refused */
        expires_at: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'wider_than_caller' | 'forbidden' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  delete: {
    /**
     * Delete a key
     * Deletes the key and all keys that it created, itself, with its tokens, and through keys that it created. These keys and all tokens that they issued are refused within 30 s.
     */
    '/key': {
      params: {
        /** Id of the key */
        id: string
      }
      reply: {
        /** Number of deleted keys: the key, and those that it created, itself and through others */
        deleted: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'key_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  get: {
    /**
     * List keys
     * Keys without their secrets, sorted by name. Pass the last name of a page as `after` for the next page. Deleted keys are not listed; expired ones are.
     */
    '/keys': {
      params: {
        /** Exclusive cursor: returns keys with names after this one */
        after?: string | undefined
        /** Maximum number of keys to return; default `100` */
        limit?: number | undefined
      }
      reply: {
        /** Keys of the page, sorted by name */
        keys: {
          /** Id of the key */
          id: string
          /** Name of the key */
          name: string
          /** What the key may do */
          scopes: string[]
          /** Values that parameters must have */
          bounds: { [name: string]: string }
          /** Time from which the key is refused. Absent: never */
          expires_at?: string
          /** Maximum requests per minute. Absent: no limit */
          requests_per_minute?: number
          /** Time of creation */
          created_at: string
          /** Minute of the last use. Absent: never used */
          last_used_at?: string
          /** Id of the key that created this one, itself or with a token. This key ends with it. Absent: `AUTH_TOKENS` did */
          parent_id?: string
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List rows of the audit log
     * Rows by day, newest first; within a day by component, and within a component newest first. Pass `next` of a page as `after` until a page has no `next`: a call reads a limited part of the log, so that a page may be short or empty. New rows appear after about a second. `AUDIT` decides which calls have a row.
     */
    '/audit': {
      params: {
        /** Only calls of this component. Default: all */
        component?: string | undefined
        /** Only calls from this time on. Default: from the beginning of the log */
        from?: string | undefined
        /** Only calls before this time. Default: until now */
        to?: string | undefined
        /** Only calls with this `key`: the id of a key, `root`, `none`, `proof`, or `service:` and the name of a component */
        key?: string | undefined
        /** Only calls of this operation, exactly as in the rows: method and path */
        operation?: string | undefined
        /** Exclusive cursor: `next` of the previous page. Default: the first page */
        after?: string | undefined
        /** Maximum number of rows to return; default `100` */
        limit?: number | undefined
      }
      reply: {
        /** Rows of the page. A page may have fewer rows than `limit`, or none, before the last page */
        rows: {
          /** Time of the reply */
          at: string
          /** Component that was called */
          component: string
          /** The caller: the id of a key, also for its tokens; `root` for `AUTH_TOKENS`; `none` on an open deployment; `proof` for a secret or signature of the component, such as `Api-Secret` of the bus; `service:` and the name of a component */
          key: string
          /** Method and path of the operation */
          operation: string
          /** Id, digest or name that the call passed. Absent: none, or it could be personal. Of the erasure or export of a person: an HMAC of the person */
          object?: string
          /** `X-Request-Id` of the request */
          request_id: string
          /** Status of the reply. 403: the call was refused */
          status: number
          /** Address of the client. Absent for calls of other components */
          address?: string
        }[]
        /** Cursor for `after` of the next page; missing on the last page */
        next?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Verify the audit log of a day
     * Each batch of rows has a hash (SHA-256) of itself and of the batch before it. Computes all hashes of a component and day again, compares them with a batch that was noted in the database, and counts the batches that are missing.
     */
    '/audit/verify': {
      params: {
        /** Component whose log is verified */
        component: string
        /** Day in UTC */
        date: string
      }
      reply: {
        /** The log is complete if it is valid and has no gaps */
        audit: {
          /** Number of rows */
          rows: number
          /** Number of batches, of up to 100 rows each, that components have numbered and the log does not have */
          gaps: number
          /** Whether no stored row was changed or removed, and the log was not replaced by another one */
          valid: boolean
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
}
