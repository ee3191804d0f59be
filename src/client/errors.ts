declare const unknownCode: unique symbol

/** A code that this version of the client does not know. */
export type UnknownCode = string & { readonly [unknownCode]: true }

/** A refusal: the API's own, or this client's before anything was sent, whose `status` is 0. It holds nothing of the request. */
export class QuartermasterError<Code extends string = string> extends Error {
  override readonly name = 'QuartermasterError'
  /** The HTTP status; 0 where nothing was sent. */
  declare readonly status: number
  /** The reply's `status_code`: what programs compare. */
  declare readonly code: Code
  /** What is wrong with each parameter, by name. */
  declare readonly errors: Record<string, string> | undefined
  /** What the API adds so that the caller can go on, such as the current version. */
  declare readonly content: Record<string, unknown> | undefined
  /** Under which the API's log has the request. */
  declare readonly requestId: string | undefined
  /** Seconds after which a repeat makes sense. */
  declare readonly retryAfter: number | undefined
  /** How often the request was sent; after more than one, an earlier one may have taken effect. */
  declare readonly attempts: number

  constructor(message: string, refused: Refused) {
    super(message)
    Object.assign(this, refused)
  }
}

/** What a refusal says besides its message. */
type Refused = Pick<QuartermasterError, 'status' | 'code' | 'attempts'> &
  Partial<Pick<QuartermasterError, 'errors' | 'content' | 'requestId' | 'retryAfter'>>

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
  new QuartermasterError(message, { status: 0, code, errors, attempts: 0 })
