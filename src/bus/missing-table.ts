interface DatabaseError {
  code?: string
  message?: string
  /** What Drizzle has wrapped; it wraps no batch. */
  cause?: DatabaseError
}

/** Whether a query failed because its table is not there: of a collection that was deleted meanwhile. */
export function isTableGone(error: unknown): boolean {
  const { code, message, cause } = error as DatabaseError
  return code === '42P01' || Boolean(message?.includes('no such table')) || (cause !== undefined && isTableGone(cause))
}
