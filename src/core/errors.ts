// The error codes that any component can answer with, each with its HTTP status, cause and remedy.

/** The HTTP statuses of errors. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504

/**
 * The documentation of an error code, shown in the OpenAPI document and on the docs page. Text in backticks is code.
 */
export interface ErrorDefinition {
  status: ErrorStatus
  /** Why a call gets this error, as a sentence. Also the default `message` of the error. */
  cause: string
  /** The caller's next step, as a sentence. */
  remedy: string
}

/** The shared error codes. Each component adds its own in its `errors.ts`. */
export const coreErrors = {
  validation_failed: {
    status: 400,
    cause: 'A parameter is missing, unknown or not valid.',
    remedy: 'Correct the parameters that `errors` names.',
  },
  invalid_json: {
    status: 400,
    cause: 'The body is not a JSON object in UTF-8, or is nested more than 100 levels deep.',
    remedy: 'Send one JSON object, or no body.',
  },
  unauthorized: {
    status: 401,
    cause: 'The credentials are missing or wrong.',
    remedy:
      'Send `Authorization: Bearer` with a key, a token that has not expired or one of `AUTH_TOKENS`, or HTTP Basic with the user name and password.',
  },
  forbidden: {
    status: 403,
    cause: 'The caller has no right to do this.',
    remedy: 'Use other credentials, or ask an administrator for the right.',
  },
  insufficient_scope: {
    status: 403,
    cause:
      'No scope of the key or token allows the operation. The message and `content.scope` name the scope that it needs.',
    remedy: 'Use a key that has the scope, or create one with `POST /access/key`.',
  },
  out_of_bounds: {
    status: 403,
    cause:
      'The bounds of the key or token do not allow these parameters, or the operation cannot be restricted by them.',
    remedy: 'Pass only the bound values, or use a credential without bounds.',
  },
  cross_site_request: {
    status: 403,
    cause: 'A browser sent the request for a page of another origin.',
    remedy: 'Send a bearer token, or add the origin of the page to `CORS_ORIGINS`.',
  },
  route_not_found: {
    status: 404,
    cause: 'The component has no such path.',
    remedy: 'Compare the path with the documentation of the component at `/_docs`.',
  },
  metrics_off: {
    status: 404,
    cause: 'The metrics of the component are off.',
    remedy: 'Remove `METRICS=false` from the configuration.',
  },
  method_not_allowed: {
    status: 405,
    cause: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods that the `Allow` header lists.',
  },
  idempotency_key_in_use: {
    status: 409,
    cause: 'The first request with this `Idempotency-Key` is still running.',
    remedy: 'Retry the same request after the seconds in `Retry-After`.',
  },
  idempotency_key_reused: {
    status: 409,
    cause: 'The `Idempotency-Key` was used with a different request.',
    remedy: 'Use a new key for a new request, and the same key only for exact retries.',
  },
  payload_too_large: {
    status: 413,
    cause: 'The body is larger than the operation allows.',
    remedy: 'Send less in one request.',
  },
  unsupported_media_type: {
    status: 415,
    cause: 'The operation does not accept this media type.',
    remedy: 'Send one of the media types that the operation documents.',
  },
  limit_reached: {
    status: 429,
    cause: 'A rate limit or a quota was reached.',
    remedy: 'Retry after the seconds in `Retry-After`.',
  },
  rate_limit: {
    status: 429,
    cause:
      'The requests of this key in the current minute are used up (`requests_per_minute`), or those of this address.',
    remedy: 'Retry after the seconds in `Retry-After`.',
  },
  upstream_failed: {
    status: 502,
    cause: 'A server that the component calls could not be reached, or sent an invalid response.',
    remedy: 'Check the address that the request names, then retry.',
  },
  address_refused: {
    status: 502,
    cause: 'The address, or an address that it redirects to, is private or not allowed.',
    remedy: 'Use a public address. Locally, set `ALLOW_PRIVATE_TARGETS=true`.',
  },
  redirected: {
    status: 502,
    cause: 'The server answered with a redirect that would drop the body, or with more than five redirects.',
    remedy: 'Call the final address directly.',
  },
  answer_too_large: {
    status: 502,
    cause: 'The response of the server is larger than the component reads.',
    remedy: 'Make the server send a smaller response.',
  },
  query_too_long: {
    status: 502,
    cause: 'The parameters do not fit into the query of a GET request.',
    remedy: 'Send fewer or shorter parameters, or use another method.',
  },
  unavailable: {
    status: 503,
    cause: 'The component, or a service that it needs, is starting, busy or down.',
    remedy: 'Retry after the seconds in `Retry-After`.',
  },
  not_configured: {
    status: 503,
    cause: 'An environment variable of the component is missing or invalid.',
    remedy: 'Set the variable that `message` names, and restart or deploy the component.',
  },
  database_full: {
    status: 503,
    cause: 'The database has no room for more rows. Reading, changing and deleting still work.',
    remedy: 'Delete records, or move the component to Postgres.',
  },
  outcome_unknown: {
    status: 504,
    cause: 'The first request with this `Idempotency-Key` was cut off. It may have taken effect.',
    remedy: 'Check whether it took effect, then send a new request with a new key if it did not.',
  },
  upstream_timeout: {
    status: 504,
    cause: 'A server that the component calls did not answer in time.',
    remedy: 'Retry later. The request may have taken effect.',
  },
  internal_error: {
    status: 500,
    cause: 'The component failed unexpectedly. The log has the details under the id of the request.',
    remedy: 'Retry once, then report the id in `request_id` to the operator.',
  },
} as const satisfies Record<string, ErrorDefinition>

export type CoreErrorCode = keyof typeof coreErrors
