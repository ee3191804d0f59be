// Recognises the database error of a missing table, which a query gets if a collection with a separate table was deleted concurrently.

interface DatabaseError {
  code?: string
  message?: string
  /** The driver's error: Drizzle wraps errors of single statements, not of batches. */
  cause?: DatabaseError
}

/** Whether a query failed because its table does not exist, by the error code of Postgres or the message of D1. */
export function isTableGone(error: unknown): boolean {
  const { code, message, cause } = error as DatabaseError
  return code === '42P01' || Boolean(message?.includes('no such table')) || (cause !== undefined && isTableGone(cause))
}
