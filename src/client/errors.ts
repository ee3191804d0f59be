// The exceptions of the client: `QuartermasterError` for an error of the API, `NoReplyError` if there was no complete reply.

declare const unknownCode: unique symbol

/**
 * Stands for the error codes that this version of the client does not know, such as those of a newer API, so that a
 * `switch` on known codes needs a default.
 */
export type UnknownCode = string & { readonly [unknownCode]: true }

/**
 * An error of the API, or of this client before a request was sent, whose `status` is 0. It contains no data of the
 * request, so that it can be logged.
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
  /**
   * How often the request was sent. If more than once, an earlier attempt may have had an effect although the last one
   * failed.
   */
  declare readonly attempts: number

  constructor(message: string, details: ErrorDetails) {
    super(message)
    Object.assign(this, details)
  }
}

/** The fields of an error except its message. */
type ErrorDetails = Pick<QuartermasterError, 'status' | 'code' | 'attempts'> &
  Partial<Pick<QuartermasterError, 'errors' | 'content' | 'requestId' | 'retryAfter'>>

/** Thrown if there was no complete reply, such as after a lost connection. The request may have had an effect. */
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

/** Makes an error of this client for a call that is not sent, such as one with a missing path parameter. */
export const unsent = (code: string, message: string, errors?: Record<string, string>) =>
  new QuartermasterError(message, { status: 0, code, errors, attempts: 0 })
