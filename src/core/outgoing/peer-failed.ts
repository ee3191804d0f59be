// Converts an error of another component to an error for the caller, such as 502 `queue_failed`.
import type { ErrorStatus } from '#core/errors'
import { Failure } from '#core/failure'

interface PeerFailureOptions {
  /** Statuses of errors that are passed on unchanged. The code `not_configured` is always passed on. */
  passed?: ErrorStatus[]
  /** Set if the failed call certainly had no effect. A retry with the same idempotency key then runs again. */
  undone?: boolean
}

/**
 * Replaces an error of a peer by 502 `<name>_failed`, since its message is about a request that the caller did not send. An
 * exception that is not a `Failure` is returned unchanged.
 */
export function peerFailed(
  error: unknown,
  name: string,
  message: string,
  { passed = [], undone = false }: PeerFailureOptions = {},
): unknown {
  if (!Failure.is(error) || error.code === 'not_configured' || passed.includes(error.status)) return error
  return new Failure({ code: `${name}_failed`, status: 502 }, message, { cause: error, ...(undone && { undone }) })
}
