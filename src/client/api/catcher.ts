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
        /** Response of the server to which a stub forwarded the request, as soon as it has answered or failed */
        response?: {
          /** HTTP status; null if there was no response */
          status: number | null
          /** Header values by lowercase name */
          headers: { [name: string]: string }
          /** Body as text, or in base64 if it is not UTF-8 */
          body: string
          /** Set if `body` is in base64 */
          body_encoding?: 'base64'
          /** Set if only the first 500000 bytes of the body were kept */
          body_truncated?: true
          /** Size of the whole body in bytes */
          body_size: number
          /** Milliseconds until the end of the response */
          duration_ms: number
          /** Why there was no response; null if there was one */
          error: string | null
        }
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
          /** Response of the server to which a stub forwarded the request, as soon as it has answered or failed */
          response?: {
            /** HTTP status; null if there was no response */
            status: number | null
            /** Header values by lowercase name */
            headers: { [name: string]: string }
            /** Body as text, or in base64 if it is not UTF-8 */
            body: string
            /** Set if `body` is in base64 */
            body_encoding?: 'base64'
            /** Set if only the first 500000 bytes of the body were kept */
            body_truncated?: true
            /** Size of the whole body in bytes */
            body_size: number
            /** Milliseconds until the end of the response */
            duration_ms: number
            /** Why there was no response; null if there was one */
            error: string | null
          }
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
     * List stubs
     * Lists all stubs of a space, at most 100, in the order in which they are tried. The canned reply of `PUT /_requests_/reply` is one of them.
     */
    '/_requests_/stubs': {
      params: {
        /** Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default` */
        space?: string | undefined
      }
      reply: {
        /** The stubs, those that are tried first at the beginning */
        stubs: {
          /** Id of the stub in its space; later stubs have greater ids */
          id: number
          /** Priority, 0 to 9 */
          priority: number
          /** Conditions that a request must fulfil, all of them */
          match: {
            /** Only requests with this HTTP method, in any case. Default: all methods */
            method?: string
            /** Pattern of the path, as of `URLPattern`: `:name` matches a segment or a part of one, `*` any text. At most one of them in each segment, and one `*`. A backslash before a special character makes it literal. Default: all paths */
            path?: string
            /** Values by query parameter: a text, which one of its values must be, and whose `*` at the end matches a prefix; an array of all its values in order; true for any value; false for an absent parameter */
            query?: { [name: string]: string | boolean | string[] }
            /** Values by header name, in any case: a text, whose `*` at the end matches a prefix; true for any value; false for an absent header. Masked values do not match */
            headers?: { [name: string]: string | boolean }
            /** Part of the JSON body: objects may have more keys than here; arrays must have the same length, and other values must be equal */
            json?: unknown
          }
          /** Replies in sequence; empty if the stub forwards requests */
          replies: {
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
            /** Milliseconds over which the body is sent in small parts, after the delay: 0 to 60000; default `0` */
            slow_ms?: number
            /** Bytes of the body after which the connection breaks, 0 to 1000000. The sender gets status and headers. Default: the reply is complete */
            cut_after?: number
          }[]
          /** URL to which requests are forwarded; null: the stub has replies */
          forward: string | null
          /** Number of requests that the stub answers; null: all */
          times: number | null
          /** Number of requests that will still get a reply; null: all */
          remaining: number | null
          /** Number of requests that the stub has answered */
          used: number
          /** When the stub was created; UTC */
          created_at: string
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Verify caught requests
     * Counts the stored requests of a space that match, and says whether the number is between `at_least` and `at_most`. If too few match, `nearest` has the most similar other requests with the conditions that they do not fulfil. With `wait` the reply comes as soon as there are enough. In the query of a GET, `match` is a JSON object. A URL may be stored in logs and histories: `POST /_requests_/verify` takes the same parameters in the body.
     */
    '/_requests_/verify': {
      params: {
        /** Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default` */
        space?: string | undefined
        /** Conditions that a request must fulfil, all of them. Default: all requests */
        match?: {
          /** Only requests with this HTTP method, in any case. Default: all methods */
          method?: string | undefined
          /** Pattern of the path, as of `URLPattern`: `:name` matches a segment or a part of one, `*` any text. At most one of them in each segment, and one `*`. A backslash before a special character makes it literal. Default: all paths */
          path?: string | undefined
          /** Values by query parameter: a text, which one of its values must be, and whose `*` at the end matches a prefix; an array of all its values in order; true for any value; false for an absent parameter */
          query?: { [name: string]: string | boolean | string[] } | undefined
          /** Values by header name, in any case: a text, whose `*` at the end matches a prefix; true for any value; false for an absent header. Masked values do not match */
          headers?: { [name: string]: string | boolean } | undefined
          /** Part of the JSON body: objects may have more keys than here; arrays must have the same length, and other values must be equal */
          json?: unknown | undefined
        } | undefined
        /** Smallest number of matching requests, 0 to 1000. Default: 1, or 0 if `at_most` is given */
        at_least?: number | undefined
        /** Greatest number, 0 to 1000. Default: no limit */
        at_most?: number | undefined
        /** Seconds to wait until there are `at_least` matching requests, 0 to 60; default `0` */
        wait?: number | undefined
      }
      reply: {
        /** Number of stored requests that match */
        count: number
        /** Whether the number is between `at_least` and `at_most` */
        ok: boolean
        /** If too few requests match: up to three other requests that differ least, the most similar first */
        nearest: {
          request: {
            /** Id of the request in its space; later requests have greater ids */
            id: number
            /** When the request was caught; UTC */
            created_at: string
            /** HTTP method in lowercase */
            method: string
            /** Path below the base URL of the catcher, exactly as sent */
            path: string
          }
          /** Conditions that the request does not fulfil, at most 20 */
          differences: {
            /** Condition that the request does not fulfil, such as `method` or `json.order.id` */
            field: string
            /** Expected value, at most 200 characters. Values in JSON bodies as JSON */
            expected: string
            /** Value of the request, at most 200 characters; null: absent */
            actual: string | null
          }[]
        }[]
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
          /** Number of requests that will still get a reply; null: all */
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
     * Open the page of a space in the console
     * Where the console is on, the gateway redirects this path to the page of the space in the console, which shows requests as they arrive. Elsewhere it redirects to the list of requests.
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
          /** Response of the server to which a stub forwarded the request, as soon as it has answered or failed */
          response?: {
            /** HTTP status; null if there was no response */
            status: number | null
            /** Header values by lowercase name */
            headers: { [name: string]: string }
            /** Body as text, or in base64 if it is not UTF-8 */
            body: string
            /** Set if `body` is in base64 */
            body_encoding?: 'base64'
            /** Set if only the first 500000 bytes of the body were kept */
            body_truncated?: true
            /** Size of the whole body in bytes */
            body_size: number
            /** Milliseconds until the end of the response */
            duration_ms: number
            /** Why there was no response; null if there was one */
            error: string | null
          }
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
     * Delete stubs
     * Deletes one stub of a space by its id, or all stubs without an id. Caught requests stay. 404 `stub_not_found` if the space has no stub with the id.
     */
    '/_requests_/stubs': {
      params: {
        /** Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default` */
        space?: string | undefined
        /** Id of the stub to delete. Default: all stubs of the space */
        id?: number | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'stub_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Delete the reply to caught requests
     * Deletes the canned reply. Requests get the default reply again, unless another stub of the space matches. No effect if no reply is set.
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
  post: {
    /**
     * Create a stub
     * Adds a stub to a space: requests that are caught there and match it get its replies, or are forwarded to a URL. Of the stubs that match, the one with the greatest priority answers; of equal ones, the newest. Without a match, requests get the default reply. Browsers show the replies sandboxed, as canned replies. A space has at most 100 stubs, with 4 000 000 characters of JSON together.
     */
    '/_requests_/stubs': {
      params: {
        /** Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default` */
        space?: string | undefined
        /** Priority, 0 to 9: of the stubs that match a request, the one with the greatest priority answers; of equal ones, the newest; default `5` */
        priority?: number | undefined
        /** Conditions that a request must fulfil, all of them. Default: all requests */
        match?: {
          /** Only requests with this HTTP method, in any case. Default: all methods */
          method?: string | undefined
          /** Pattern of the path, as of `URLPattern`: `:name` matches a segment or a part of one, `*` any text. At most one of them in each segment, and one `*`. A backslash before a special character makes it literal. Default: all paths */
          path?: string | undefined
          /** Values by query parameter: a text, which one of its values must be, and whose `*` at the end matches a prefix; an array of all its values in order; true for any value; false for an absent parameter */
          query?: { [name: string]: string | boolean | string[] } | undefined
          /** Values by header name, in any case: a text, whose `*` at the end matches a prefix; true for any value; false for an absent header. Masked values do not match */
          headers?: { [name: string]: string | boolean } | undefined
          /** Part of the JSON body: objects may have more keys than here; arrays must have the same length, and other values must be equal */
          json?: unknown | undefined
        } | undefined
        /** Replies in sequence, 1 to 50, unless `forward` is given: the first matching request gets the first one, and so on. After the last one, each request gets the last one. Bodies, JSON strings and header values are Liquid templates with the value `request` */
        replies?: {
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
          /** Milliseconds over which the body is sent in small parts, after the delay: 0 to 60000; default `0` */
          slow_ms?: number | undefined
          /** Bytes of the body after which the connection breaks, 0 to 1000000. The sender gets status and headers. Default: the reply is complete */
          cut_after?: number | undefined
        }[] | undefined
        /** URL to which the catcher forwards the request; the sender gets the response, which is stored with the request. A path that ends in `/` is a base URL, to which the path of the request is appended. The query of the request is appended to both */
        forward?: string | undefined
        /** Number of requests that this stub answers, 1 to 1000000. After them it matches no request. Default: all */
        times?: number | undefined
      }
      reply: {
        /** The new stub */
        stub: {
          /** Id of the stub in its space; later stubs have greater ids */
          id: number
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'stub_limit' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Verify caught requests
     * Counts the stored requests of a space that match, and says whether the number is between `at_least` and `at_most`. If too few match, `nearest` has the most similar other requests with the conditions that they do not fulfil. With `wait` the reply comes as soon as there are enough. In the query of a GET, `match` is a JSON object. The same as `GET /_requests_/verify`, with the parameters in the body, so that no URL has them.
     */
    '/_requests_/verify': {
      params: {
        /** Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default` */
        space?: string | undefined
        /** Conditions that a request must fulfil, all of them. Default: all requests */
        match?: {
          /** Only requests with this HTTP method, in any case. Default: all methods */
          method?: string | undefined
          /** Pattern of the path, as of `URLPattern`: `:name` matches a segment or a part of one, `*` any text. At most one of them in each segment, and one `*`. A backslash before a special character makes it literal. Default: all paths */
          path?: string | undefined
          /** Values by query parameter: a text, which one of its values must be, and whose `*` at the end matches a prefix; an array of all its values in order; true for any value; false for an absent parameter */
          query?: { [name: string]: string | boolean | string[] } | undefined
          /** Values by header name, in any case: a text, whose `*` at the end matches a prefix; true for any value; false for an absent header. Masked values do not match */
          headers?: { [name: string]: string | boolean } | undefined
          /** Part of the JSON body: objects may have more keys than here; arrays must have the same length, and other values must be equal */
          json?: unknown | undefined
        } | undefined
        /** Smallest number of matching requests, 0 to 1000. Default: 1, or 0 if `at_most` is given */
        at_least?: number | undefined
        /** Greatest number, 0 to 1000. Default: no limit */
        at_most?: number | undefined
        /** Seconds to wait until there are `at_least` matching requests, 0 to 60; default `0` */
        wait?: number | undefined
      }
      reply: {
        /** Number of stored requests that match */
        count: number
        /** Whether the number is between `at_least` and `at_most` */
        ok: boolean
        /** If too few requests match: up to three other requests that differ least, the most similar first */
        nearest: {
          request: {
            /** Id of the request in its space; later requests have greater ids */
            id: number
            /** When the request was caught; UTC */
            created_at: string
            /** HTTP method in lowercase */
            method: string
            /** Path below the base URL of the catcher, exactly as sent */
            path: string
          }
          /** Conditions that the request does not fulfil, at most 20 */
          differences: {
            /** Condition that the request does not fulfil, such as `method` or `json.order.id` */
            field: string
            /** Expected value, at most 200 characters. Values in JSON bodies as JSON */
            expected: string
            /** Value of the request, at most 200 characters; null: absent */
            actual: string | null
          }[]
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  put: {
    /**
     * Set the reply to caught requests
     * Sets the canned reply of a space, which requests that are caught there get instead of `{"status": true}`, and replaces all stubs of the space, the previous canned reply included. Requests with another method or path than it names, and requests after `times` of them, get the default reply. Browsers show the canned reply sandboxed: it has `Content-Security-Policy: sandbox` and `X-Content-Type-Options: nosniff`.
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
     * The event `request` has the id, created_at, method, path, query and body_size of a new request as JSON; its full content is at `GET /_requests_/{id}`. The event `response` has the id of a forwarded request whose response was recorded, with `status` and `error`. The event `cleared` says that all requests were deleted. A client that reconnects with `Last-Event-ID` gets the requests that it missed. The stream ends when the credentials that opened it expire, and at most 45 seconds after their key is deleted or its secret ends.
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
