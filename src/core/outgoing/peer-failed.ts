// Converts an error of another component to one for the caller, 502 `<name>_failed`.
import type { ErrorStatus } from '#core/errors'
import { Failure } from '#core/failure'

interface PeerFailureOptions {
  /** Statuses of errors that are passed on unchanged. `not_configured` always is. */
  passed?: ErrorStatus[]
  /** The call had no effect. */
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
