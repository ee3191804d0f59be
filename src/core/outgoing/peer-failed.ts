import type { ErrorStatus } from '#core/errors'
import { Failure } from '#core/failure'

interface Told {
  /** What the peer may say to our own caller as well, besides that it is not configured. */
  passed?: ErrorStatus[]
  /** Nothing has taken effect. */
  undone?: boolean
}

/**
 * What a component tells its caller where a peer has not done what it was needed for: 502 `<name>_failed`. What the peer says
 * is about a request that the caller knows nothing of. What is no refusal stays as it is.
 */
export function peerFailed(
  error: unknown,
  name: string,
  message: string,
  { passed = [], undone = false }: Told = {},
): unknown {
  if (!Failure.is(error) || error.code === 'not_configured' || passed.includes(error.status)) return error
  return new Failure({ code: `${name}_failed`, status: 502 }, message, { cause: error, ...(undone && { undone }) })
}
