// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Catcher {
  get: {
    /**
     * Read the last request caught
     * The reply is the request itself, with method, host, port, path, query, json, headers, body, id and created_at at its top level; 204 without content when there is none. With "wait" the reply comes as soon as there is a request that matches.
     */
    '/_last_request_': {
      params: {
        /** In place of the header `X-Catcher-Space` */
        space?: string | undefined
        method?: string | undefined
        /** As captured; with `*` at its end, all that begin with what is before it */
        path?: string | undefined
        /** Seconds to wait for a match, when there is none yet; default `0` */
        wait?: number | undefined
      }
      reply: {
        /** Lowercase */
        method: string
        /** Without the port */
        host: string
        port: number
        /** As sent, below the base URL */
        path: string
        /** An array where a key repeats */
        query: { [name: string]: string | string[] }
        /** The body where it is JSON, else null */
        json: unknown
        /** By lowercase name */
        headers: { [name: string]: string }
        /** As sent; base64 where it is not UTF-8 */
        body: string
        body_encoding?: 'base64'
        /** Only the first megabyte is kept */
        body_truncated?: true
        /** Of a truncated body, in bytes, where it is known */
        body_size?: number
        id: number
        /** Time in UTC */
        created_at: string
      } | undefined
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * List requests, the newest first
     * A page ends early where its requests are larger than 4 MB together; `has_more` tells.
     */
    '/_requests_': {
      params: {
        /** In place of the header `X-Catcher-Space` */
        space?: string | undefined
        method?: string | undefined
        /** As captured; with `*` at its end, all that begin with what is before it */
        path?: string | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
      }
      reply: {
        requests: {
          /** Lowercase */
          method: string
          /** Without the port */
          host: string
          port: number
          /** As sent, below the base URL */
          path: string
          /** An array where a key repeats */
          query: { [name: string]: string | string[] }
          /** The body where it is JSON, else null */
          json: unknown
          /** By lowercase name */
          headers: { [name: string]: string }
          /** As sent; base64 where it is not UTF-8 */
          body: string
          body_encoding?: 'base64'
          /** Only the first megabyte is kept */
          body_truncated?: true
          /** Of a truncated body, in bytes, where it is known */
          body_size?: number
          id: number
          /** Time in UTC */
          created_at: string
        }[]
        has_more: boolean
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Read what requests are answered with */
    '/_requests_/reply': {
      params: {
        /** In place of the header `X-Catcher-Space` */
        space?: string | undefined
      }
      reply: {
        reply: {
          /** default `200` */
          status?: number
          /** None that governs the connection or acts on the whole origin, such as `Content-Length`, `Set-Cookie`, `Service-Worker-Allowed` or `Clear-Site-Data`; default `{}` */
          headers?: { [name: string]: string }
          body?: string
          /** In place of `body`: any JSON */
          json?: unknown
          /** Milliseconds before the reply; the request is caught before; default `0` */
          delay?: number
          /** Null: no end */
          times: number | null
          /** Of `times` */
          remaining: number | null
          method: string | null
          path: string | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'reply_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** See requests as they come */
    '/_requests_/ui': {
      params: {
        /** In place of the header `X-Catcher-Space` */
        space?: string | undefined
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Read a request */
    '/_requests_/{id}': {
      params: {
        id: number
        /** In place of the header `X-Catcher-Space` */
        space?: string | undefined
      }
      reply: {
        request: {
          /** Lowercase */
          method: string
          /** Without the port */
          host: string
          port: number
          /** As sent, below the base URL */
          path: string
          /** An array where a key repeats */
          query: { [name: string]: string | string[] }
          /** The body where it is JSON, else null */
          json: unknown
          /** By lowercase name */
          headers: { [name: string]: string }
          /** As sent; base64 where it is not UTF-8 */
          body: string
          body_encoding?: 'base64'
          /** Only the first megabyte is kept */
          body_truncated?: true
          /** Of a truncated body, in bytes, where it is known */
          body_size?: number
          id: number
          /** Time in UTC */
          created_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'request_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_requests_/_health': { params: None; reply: Health }
  }
  delete: {
    /** Forget all requests of a space */
    '/_last_request_': {
      params: {
        /** In place of the header `X-Catcher-Space` */
        space?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Forget all requests of a space */
    '/_requests_': {
      params: {
        /** In place of the header `X-Catcher-Space` */
        space?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Go back to the usual reply */
    '/_requests_/reply': {
      params: {
        /** In place of the header `X-Catcher-Space` */
        space?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
  put: {
    /**
     * Set what requests are answered with
     * In place of what was set before. Requests that it is not for get the usual reply. Browsers show it sandboxed: it has `Content-Security-Policy: sandbox` and `X-Content-Type-Options: nosniff`.
     */
    '/_requests_/reply': {
      params: {
        /** In place of the header `X-Catcher-Space` */
        space?: string | undefined
        /** default `200` */
        status?: number | undefined
        /** None that governs the connection or acts on the whole origin, such as `Content-Length`, `Set-Cookie`, `Service-Worker-Allowed` or `Clear-Site-Data`; default `{}` */
        headers?: { [name: string]: string } | undefined
        body?: string | undefined
        /** In place of `body`: any JSON */
        json?: unknown | undefined
        /** Milliseconds before the reply; the request is caught before; default `0` */
        delay?: number | undefined
        /** How many requests it answers; no end unless given */
        times?: number | undefined
        /** Answers requests of this method only */
        method?: string | undefined
        /** Answers requests of this path only; `*` at its end as elsewhere */
        path?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
  events: {
    /**
     * Follow what is caught, as server-sent events
     * `request` has id, created_at, method, path, query and body_size; `cleared` says that all of it is forgotten.
     */
    '/_requests_/stream': {
      params: {
        /** In place of the header `X-Catcher-Space` */
        space?: string | undefined
        /** Where to go on, in place of the header `Last-Event-ID`; 0: all */
        last_event_id?: number | undefined
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
}
