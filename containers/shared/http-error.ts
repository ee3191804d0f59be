/**
 * An error for the caller of a container's server, with its HTTP status and code. Any other error is a bug, and becomes
 * a 500.
 */
export class HttpError extends Error {
  readonly status: number
  readonly code: string
  /** Additional keys of the error reply. */
  readonly content: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(status: number, code: string, message: string, { content = {}, headers = {} }: HttpErrorDetails = {}) {
    super(message)
    this.status = status
    this.code = code
    this.content = content
    this.headers = headers
  }
}

interface HttpErrorDetails {
  content?: Record<string, unknown>
  headers?: Record<string, string>
}

/** Makes the error 400 `validation_failed` for one parameter. */
export const invalid = (name: string) => new HttpError(400, 'validation_failed', `The parameter "${name}" is not valid`)

/** Makes the error 503 for a full queue. The caller should retry soon. */
export const busy = () =>
  new HttpError(503, 'unavailable', 'Too much is waiting already', { headers: { 'retry-after': '5' } })
