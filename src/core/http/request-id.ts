// Keeps the id of the current request (`X-Request-Id`) in the async context, for log lines and calls to other components.
import { AsyncLocalStorage } from 'node:async_hooks'

/** The header with the id of a request. */
export const requestIdHeader = 'x-request-id'

const current = new AsyncLocalStorage<string>()

/**
 * Runs a function with a request id: log lines and calls to other components within it have the id. Without an id they
 * have none.
 */
export const withRequestId = <T>(id: string | null | undefined, act: () => T): T =>
  id ? current.run(id, act) : current.exit(act)

/** Request id of the current async context, if any. */
export const currentRequestId = (): string | undefined => current.getStore()

/** Headers for an outgoing call: the request id, if any. */
export const requestIdHeaders = (id = currentRequestId()): Record<string, string> =>
  id ? { [requestIdHeader]: id } : {}

/**
 * An id of these characters cannot break a log line or inject a header. Ids from callers that do not match are
 * replaced.
 */
const pattern = /^[\w.:-]{1,128}$/

/** Returns the id if it is safe in logs and headers, else `undefined`. */
export const validRequestId = (id: string | null | undefined): string | undefined =>
  id && pattern.test(id) ? id : undefined

/** The id of a request: its `X-Request-Id` header if that is valid, else a new random id. */
export const requestIdOf = (request: Request) =>
  validRequestId(request.headers.get(requestIdHeader)) ?? crypto.randomUUID()
