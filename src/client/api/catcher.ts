// Types of the operations of catcher, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Catcher {
  get: {
    /**
     * Get the last caught request
     * Returns the newest request that matches method and path, with its fields at the top level of the reply (no envelope). 204 without content if none matches. With "wait" the reply comes as soon as a request matches.
     */
    '/_last_request_': {
      params: {
        /** Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default` */
        space?: string | undefined
        /** Only requests with this HTTP method, in any case. Default: all methods */
        method?: string | undefined
        /** Only requests with this path. A `*` at the end matches all paths that begin with the text before it. Default: all */
        path?: string | undefined
        /** Seconds to wait for a match if there is none yet, 0 to 60; default `0` */
        wait?: number | undefined
      }
      reply: {
        /** HTTP method in lowercase */
        method: string
        /** Host without the port */
        host: string
        /** Port of the Host header; 80 or 443 if it has none */
        port: number
        /** Path below the base URL of the catcher, exactly as sent */
        path: string
        /** Query parameters by name; an array if a name repeats */
        query: { [name: string]: string | string[] }
        /** Body as JSON; null if the body is not JSON */
        json: unknown
        /** Header values by lowercase name */
        headers: { [name: string]: string }
        /** Body as text, or in base64 if it is not UTF-8 */
        body: string
        /** Set if `body` is in base64 */
        body_encoding?: 'base64'
        /** Set if only the first megabyte of the body was kept */
        body_truncated?: true
        /** Size in bytes of a truncated body, if it is known */
        body_size?: number
        /** Id of the request in its space; later requests have greater ids */
        id: number
        /** When the request was caught; UTC */
        created_at: string
      } | undefined
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List caught requests
     * Lists the requests of a space that match method and path, the newest first. A page ends early at 4 MB; `has_more` says whether more follow.
     */
    '/_requests_': {
      params: {
        /** Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default` */
        space?: string | undefined
        /** Only requests with this HTTP method, in any case. Default: all methods */
        method?: string | undefined
        /** Only requests with this path. A `*` at the end matches all paths that begin with the text before it. Default: all */
        path?: string | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
      }
      reply: {
        /** Requests of the page, the newest first */
        requests: {
          /** HTTP method in lowercase */
          method: string
          /** Host without the port */
          host: string
          /** Port of the Host header; 80 or 443 if it has none */
          port: number
          /** Path below the base URL of the catcher, exactly as sent */
          path: string
          /** Query parameters by name; an array if a name repeats */
          query: { [name: string]: string | string[] }
          /** Body as JSON; null if the body is not JSON */
          json: unknown
          /** Header values by lowercase name */
          headers: { [name: string]: string }
          /** Body as text, or in base64 if it is not UTF-8 */
          body: string
          /** Set if `body` is in base64 */
          body_encoding?: 'base64'
          /** Set if only the first megabyte of the body was kept */
          body_truncated?: true
          /** Size in bytes of a truncated body, if it is known */
          body_size?: number
          /** Id of the request in its space; later requests have greater ids */
          id: number
          /** When the request was caught; UTC */
          created_at: string
        }[]
        /** Whether more requests follow */
        has_more: boolean
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the reply to caught requests
     * Returns the canned reply of a space, with the number of requests that it will still answer. A reply that is used up is still returned, with `remaining` 0; 404 `reply_not_found` only if none is set.
     */
    '/_requests_/reply': {
      params: {
        /** Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default` */
        space?: string | undefined
      }
      reply: {
        /** The canned reply of the space */
        reply: {
          /** HTTP status, 200 to 599; default `200` */
          status?: number
          /** Headers by name. Headers of the connection or with effect on the whole origin are refused, such as `Content-Length`, `Set-Cookie`, `Service-Worker-Allowed` or `Clear-Site-Data`; default `{}` */
          headers?: { [name: string]: string }
          /** Body as text. Not with `json` */
          body?: string
          /** Body as any JSON. Not with `body` */
          json?: unknown
          /** Milliseconds before the reply, 0 to 30000. The request is caught before the delay; default `0` */
          delay?: number
          /** Number of requests that get the reply; null: all */
          times: number | null
          /** Number of requests that will still get the reply; null: all */
          remaining: number | null
          /** Method of the requests that get the reply, in lowercase; null: all */
          method: string | null
          /** Path of the requests that get the reply; null: all */
          path: string | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'reply_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Show the live page of a space
     * An HTML page that shows requests as they arrive.
     */
    '/_requests_/ui': {
      params: {
        /** Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default` */
        space?: string | undefined
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get a caught request
     * Returns one request of a space by its id. 404 `request_not_found` if the space has none with this id, or deleted it to make room for newer ones.
     */
    '/_requests_/{id}': {
      params: {
        /** Id of the request in its space; later requests have greater ids */
        id: number
        /** Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default` */
        space?: string | undefined
      }
      reply: {
        /** The caught request */
        request: {
          /** HTTP method in lowercase */
          method: string
          /** Host without the port */
          host: string
          /** Port of the Host header; 80 or 443 if it has none */
          port: number
          /** Path below the base URL of the catcher, exactly as sent */
          path: string
          /** Query parameters by name; an array if a name repeats */
          query: { [name: string]: string | string[] }
          /** Body as JSON; null if the body is not JSON */
          json: unknown
          /** Header values by lowercase name */
          headers: { [name: string]: string }
          /** Body as text, or in base64 if it is not UTF-8 */
          body: string
          /** Set if `body` is in base64 */
          body_encoding?: 'base64'
          /** Set if only the first megabyte of the body was kept */
          body_truncated?: true
          /** Size in bytes of a truncated body, if it is known */
          body_size?: number
          /** Id of the request in its space; later requests have greater ids */
          id: number
          /** When the request was caught; UTC */
          created_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'request_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_requests_/_health': { params: None; reply: Health }
  }
  delete: {
    /**
     * Delete all requests of a space
     * The same as `DELETE /_requests_`: deletes all caught requests. The canned reply stays.
     */
    '/_last_request_': {
      params: {
        /** Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default` */
        space?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Delete all requests of a space
     * Deletes all caught requests of the space. Open streams get the event `cleared`. The canned reply stays.
     */
    '/_requests_': {
      params: {
        /** Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default` */
        space?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Delete the reply to caught requests
     * Requests get the default reply again. No effect if no reply is set.
     */
    '/_requests_/reply': {
      params: {
        /** Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default` */
        space?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  put: {
    /**
     * Set the reply to caught requests
     * Sets the canned reply of a space, which requests that are caught there get instead of `{"status": true}`, and replaces the previous one. Requests with another method or path than it names, and requests after `times` of them, get the default reply. Browsers show the canned reply sandboxed: it has `Content-Security-Policy: sandbox` and `X-Content-Type-Options: nosniff`.
     */
    '/_requests_/reply': {
      params: {
        /** Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default` */
        space?: string | undefined
        /** HTTP status, 200 to 599; default `200` */
        status?: number | undefined
        /** Headers by name. Headers of the connection or with effect on the whole origin are refused, such as `Content-Length`, `Set-Cookie`, `Service-Worker-Allowed` or `Clear-Site-Data`; default `{}` */
        headers?: { [name: string]: string } | undefined
        /** Body as text. Not with `json` */
        body?: string | undefined
        /** Body as any JSON. Not with `body` */
        json?: unknown | undefined
        /** Milliseconds before the reply, 0 to 30000. The request is caught before the delay; default `0` */
        delay?: number | undefined
        /** Number of requests that get this reply, 1 to 1000000. Default: all */
        times?: number | undefined
        /** Only requests with this method get the reply. Default: all methods */
        method?: string | undefined
        /** Only requests with this path get the reply. A `*` at the end matches a prefix. Default: all paths */
        path?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  events: {
    /**
     * Stream caught requests as server-sent events
     * The event `request` has the id, created_at, method, path, query and body_size of a new request as JSON; its full content is at `GET /_requests_/{id}`. The event `cleared` says that all requests were deleted. A client that reconnects with `Last-Event-ID` gets the requests that it missed.
     */
    '/_requests_/stream': {
      params: {
        /** Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default` */
        space?: string | undefined
        /** Id after which the stream starts; the header `Last-Event-ID` takes precedence. 0: all stored requests. Default: new requests only */
        last_event_id?: number | undefined
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
}
