import { AsyncLocalStorage } from 'node:async_hooks'

/** The header that a request's id travels in. */
export const requestIdHeader = 'x-request-id'

const current = new AsyncLocalStorage<string>()

/** Does something on behalf of a request: what it logs and asks of others carries the id. None: on nobody's behalf. */
export const withRequestId = <T>(id: string | null | undefined, act: () => T): T =>
  id ? current.run(id, act) : current.exit(act)

/** The id of the request that what runs now is for, where there is one. */
export const currentRequestId = (): string | undefined => current.getStore()

/** The same as a header. */
export const requestIdHeaders = (id = currentRequestId()): Record<string, string> =>
  id ? { [requestIdHeader]: id } : {}

/** Whether an id may go into logs and headers. */
const isSane = (id: string) => /^[\w.:-]{1,128}$/.test(id)

/** An id that somebody gave, where it is one. */
export const validRequestId = (given: string | null | undefined): string | undefined =>
  given && isSane(given) ? given : undefined

/** The request's own id where it has a sane one. */
export const requestIdOf = (request: Request) =>
  validRequestId(request.headers.get(requestIdHeader)) ?? crypto.randomUUID()
