/** An error for the caller. Any other error is a bug, and becomes a 500. */
export class HttpError extends Error {
  readonly status: number
  readonly code: string
  /** Additional keys of the reply. */
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

/** 400 for one parameter. */
export const invalid = (name: string) => new HttpError(400, 'validation_failed', `The parameter "${name}" is not valid`)

/** 503 for a full queue, which the caller should retry soon. */
export const busy = () =>
  new HttpError(503, 'unavailable', 'Too much is waiting already', { headers: { 'retry-after': '5' } })
