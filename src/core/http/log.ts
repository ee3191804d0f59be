// Writes the log lines of all components as JSON, and formats errors without the values of SQL queries, which may be
// personal data.
import { currentRequestId } from './request-id.ts'

interface QueryError extends Error {
  query: string
  params: unknown[]
}

const isQueryError = (error: Error): error is QueryError => 'query' in error && 'params' in error

/** Writes one line of JSON with the current request id. Put no data of callers into `fields`, except ids. */
export function log(level: 'info' | 'error', fields: Record<string, unknown>) {
  const request_id = currentRequestId()
  const line = { level, ...fields, ...(request_id && !fields.request_id && { request_id }) }
  console[level === 'error' ? 'error' : 'log'](JSON.stringify(line))
}

/** Fields for logging an error: its stack, and the SQL of a failed query without the bound values. */
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
