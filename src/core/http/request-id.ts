// Keeps the id of the current request (`X-Request-Id`) in the async context, for log lines and calls to other components.
import { AsyncLocalStorage } from 'node:async_hooks'

/** The header with the id of a request. */
export const requestIdHeader = 'x-request-id'

const current = new AsyncLocalStorage<string>()

/** Runs a function with a request id: its log lines and its calls to other components have the id. Without one: no id. */
export const withRequestId = <T>(id: string | null | undefined, act: () => T): T =>
  id ? current.run(id, act) : current.exit(act)

/** Request id of the current async context, if any. */
export const currentRequestId = (): string | undefined => current.getStore()

/** Headers for an outgoing call: the request id, if any. */
export const requestIdHeaders = (id = currentRequestId()): Record<string, string> =>
  id ? { [requestIdHeader]: id } : {}

/** Safe in logs and headers. */
const pattern = /^[\w.:-]{1,128}$/

/** The id if it is safe in logs and headers, else `undefined`. */
export const validRequestId = (id: string | null | undefined): string | undefined =>
  id && pattern.test(id) ? id : undefined

/** The id of a request: that of its `X-Request-Id` header if it is valid, else a new one. */
export const requestIdOf = (request: Request) =>
  validRequestId(request.headers.get(requestIdHeader)) ?? crypto.randomUUID()
