import { Failure, type Refusal } from '#core/failure'

interface Told {
  /** What the peer may say to our own caller as well, besides that it is not configured. */
  passed?: Refusal[]
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
  if (!Failure.is(error) || ['not_configured', ...passed].includes(error.refusal)) return error
  return new Failure({ code: `${name}_failed`, status: 502 }, message, { cause: error, ...(undone && { undone }) })
}
