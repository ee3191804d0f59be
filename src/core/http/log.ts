import { currentRequestId } from './request-id.ts'

interface QueryError extends Error {
  query: string
  params: unknown[]
}

const isQueryError = (error: Error): error is QueryError => 'query' in error && 'params' in error

/** One structured line, with the id of the request that it is for. Nothing that a caller sent belongs in `fields`, save ids. */
export function log(level: 'info' | 'error', fields: Record<string, unknown>) {
  const request_id = currentRequestId()
  const line = { level, ...fields, ...(request_id && !fields.request_id && { request_id }) }
  console[level === 'error' ? 'error' : 'log'](JSON.stringify(line))
}

/** What a log may say of a bug: names, stack and statement, without the values that were bound. */
export function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error }
  if (!isQueryError(error))
    return { error: error.stack ?? error.message, ...(error.cause ? { cause: describe(error.cause) } : {}) }
  const cause = error.cause instanceof Error ? error.cause.message : ''
  return { error: 'a query failed', query: error.query, cause: without(cause, error.params) }
}

const without = (message: string, values: unknown[]) =>
  values.reduce<string>(
    (text, value) => (typeof value === 'string' && value ? text.replaceAll(value, '?') : text),
    message,
  )
