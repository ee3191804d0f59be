/** What a refusal says. */
interface Refused {
  status: number
  code: string
  message: string
  errors?: Record<string, string> | undefined
  content?: Record<string, unknown> | undefined
  requestId?: string | undefined
  retryAfter?: number | undefined
  attempts: number
}

/** A refusal: the API's own, or this client's before anything was sent, whose `status` is 0. It holds nothing of the request. */
export class QuartermasterError extends Error {
  override readonly name = 'QuartermasterError'
  /** The HTTP status; 0 where nothing was sent. */
  readonly status: number
  /** The reply's `status_code`: what programs compare. */
  readonly code: string
  /** What is wrong with each parameter, by name. */
  readonly errors: Record<string, string> | undefined
  /** What the API adds so that the caller can go on, such as the current version. */
  readonly content: Record<string, unknown> | undefined
  /** Under which the API's log has the request. */
  readonly requestId: string | undefined
  /** Seconds after which a repeat makes sense. */
  readonly retryAfter: number | undefined
  /** How often the request was sent; after more than one, an earlier one may have taken effect. */
  readonly attempts: number

  constructor({ status, code, message, errors, content, requestId, retryAfter, attempts }: Refused) {
    super(message)
    this.status = status
    this.code = code
    this.errors = errors
    this.content = content
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.attempts = attempts
  }
}

/** No reply, or not all of it: the request may have taken effect or not. */
export class NoReplyError extends Error {
  override readonly name = 'NoReplyError'
  readonly reason: 'network' | 'timeout'
  /** How often the request was sent. */
  readonly attempts: number

  constructor(reason: 'network' | 'timeout', attempts: number, cause?: unknown) {
    super(reason === 'timeout' ? 'No reply within the time-out' : 'The connection failed', { cause })
    this.reason = reason
    this.attempts = attempts
  }
}

/** A refusal of this client's own, before anything is sent. */
export const unsent = (code: string, message: string, errors?: Record<string, string>) =>
  new QuartermasterError({ status: 0, code, message, errors, attempts: 0 })
