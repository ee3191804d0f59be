// The exceptions of the client: `QuartermasterError` for an error of the API, `NoReplyError` if there was no complete reply.

declare const unknownCode: unique symbol

/** An error code that this version of the client does not know. */
export type UnknownCode = string & { readonly [unknownCode]: true }

/**
 * An error of the API, or of this client before a request was sent, whose `status` is 0. It has no data of the request, so that it
 * can be logged.
 */
export class QuartermasterError<Code extends string = string> extends Error {
  override readonly name = 'QuartermasterError'
  /** HTTP status; 0 if no request was sent. */
  declare readonly status: number
  /** The error code, `status_code` of the reply. */
  declare readonly code: Code
  /** Message for each invalid parameter, by name. */
  declare readonly errors: Record<string, string> | undefined
  /** Data to handle the error, such as the current version. */
  declare readonly content: Record<string, unknown> | undefined
  /** Id of the request in the API's log. */
  declare readonly requestId: string | undefined
  /** Seconds after which a retry makes sense. */
  declare readonly retryAfter: number | undefined
  /** How often the request was sent. If more than once, an earlier attempt may have had an effect. */
  declare readonly attempts: number

  constructor(message: string, details: ErrorDetails) {
    super(message)
    Object.assign(this, details)
  }
}

/** The fields of an error except its message. */
type ErrorDetails = Pick<QuartermasterError, 'status' | 'code' | 'attempts'> &
  Partial<Pick<QuartermasterError, 'errors' | 'content' | 'requestId' | 'retryAfter'>>

/** There was no complete reply. The request may have had an effect. */
export class NoReplyError extends Error {
  override readonly name = 'NoReplyError'
  readonly reason: 'network' | 'timeout'
  /** How often the request was sent. */
  readonly attempts: number

  constructor(reason: 'network' | 'timeout', attempts: number, cause?: unknown) {
    super(reason === 'timeout' ? 'There was no reply before the timeout.' : 'The connection failed.', { cause })
    this.reason = reason
    this.attempts = attempts
  }
}

/** An error of this client before a request is sent. */
export const unsent = (code: string, message: string, errors?: Record<string, string>) =>
  new QuartermasterError(message, { status: 0, code, errors, attempts: 0 })
