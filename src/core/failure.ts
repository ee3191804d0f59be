/** Every way a request can be refused: the HTTP status that says so, and the slug when none is more precise. */
export const refusals = {
  invalid: [400, 'validation_failed'],
  malformed: [400, 'invalid_json'],
  unauthorized: [401, 'unauthorized'],
  forbidden: [403, 'forbidden'],
  missing: [404, 'not_found'],
  conflict: [409, 'conflict'],
  method_not_allowed: [405, 'method_not_allowed'],
  too_large: [413, 'payload_too_large'],
  unsupported: [415, 'unsupported_media_type'],
  unprocessable: [422, 'media_failed'],
  limited: [429, 'limit_reached'],
  upstream_failed: [502, 'upstream_failed'],
  unavailable: [503, 'unavailable'],
  not_configured: [503, 'not_configured'],
  database_full: [503, 'database_full'],
  upstream_timeout: [504, 'upstream_timeout'],
} as const

export type Refusal = keyof typeof refusals

interface Details {
  /** The slug for `status_code`, where the refusal's own is not precise enough. */
  code?: string
  /** What is wrong with each parameter, by name. */
  errors?: Record<string, string>
  /** What the caller may need to go on, such as the current version. */
  content?: Record<string, unknown>
  /** Seconds after which a repeat makes sense, for `Retry-After`. */
  retryAfter?: number
  headers?: Record<string, string>
  /** Nothing has taken effect, though it is an upstream that failed: a repeat with the same idempotency key tries again. */
  undone?: true
  cause?: unknown
}

/** A refusal that the caller is meant to see. Anything else that is thrown is a bug, and becomes a 500. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly refusal: Refusal
  readonly code: string
  readonly errors: Record<string, string> | undefined
  readonly content: Record<string, unknown> | undefined
  readonly headers: Record<string, string>
  readonly undone: true | undefined

  constructor(refusal: Refusal, message: string, details: Details = {}) {
    const { code, errors, content, retryAfter, headers, undone, cause } = details
    super(message, { cause })
    this.refusal = refusal
    this.code = code ?? refusals[refusal][1]
    this.errors = errors
    this.content = content
    this.undone = undone
    this.headers =
      retryAfter === undefined
        ? { ...headers }
        : { ...headers, 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) }
  }

  /** Not `instanceof`: a failure that crossed an RPC boundary keeps its fields and loses its class. */
  static is(error: unknown): error is Failure {
    return error instanceof Error && error.name === 'Failure' && 'refusal' in error && String(error.refusal) in refusals
  }
}

/** 404 `<object>_not_found`. */
export const missing = (object: string) =>
  new Failure('missing', `There is no such ${object.replaceAll('_', ' ')}`, { code: `${object}_not_found` })

/** 400 for one parameter. */
export const invalid = (field: string, message: string) =>
  new Failure('invalid', `The parameter "${field}" is not valid`, { errors: { [field]: message } })

/** 503 for a variable that is missing, or cannot be read; the message names it. */
export const notConfigured = (message: string, cause?: unknown) =>
  new Failure('not_configured', message, { retryAfter: 60, cause })
