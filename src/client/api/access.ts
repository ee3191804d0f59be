// Types of the operations of access, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Access {
  post: {
    /**
     * Create a key
     * The reply has the secret; no later reply shows it. The key may not do more than the caller. Components accept it at once.
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
        }
        /** The key to send as `Authorization: Bearer`. It is stored as a hash only, and not shown again */
        secret: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'wider_than_caller' | 'name_taken' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'database_full' | 'not_configured'
    }
    /**
     * Replace the secret of a key
     * The new secret is valid at once. The previous one is valid for `overlap` more seconds, and up to 30 s longer while components have it cached. Tokens of the key stay valid. The caller needs all scopes of the key.
     */
    '/key/rotate': {
      params: {
        /** Id of the key */
        id: string
        /** Seconds for which the previous secret stays valid, at most a week. Default: 0; default `0` */
        overlap?: number | undefined
      }
      reply: {
        /** The key to send as `Authorization: Bearer`. It is stored as a hash only, and not shown again */
        secret: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'wider_than_caller' | 'key_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Issue a token for a browser or an app
     * A JSON Web Token that the holder sends as `Authorization: Bearer`. Each key can issue tokens that allow no more than the key: its bounds are added, and its rate limit counts their requests. A token issues no tokens.
     */
    '/token': {
      params: {
        /** What the holder may do, 1 to 50 scopes: `<component>:<level>`, `<component>:*`, `*:<level>` or `*`. `write` includes `read`, `manage` includes both, `metrics` stands alone */
        scopes: string[]
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
     * The key and all tokens that it issued are refused within 30 s.
     */
    '/key': {
      params: {
        /** Id of the key */
        id: string
      }
      reply: {
        /** Always true in a success */
        status: true
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
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
}
