// Recognises database errors of a missing table: its collection was deleted meanwhile.

interface DatabaseError {
  code?: string
  message?: string
  /** The driver's error: Drizzle wraps errors of single statements, not of batches. */
  cause?: DatabaseError
}

/** Whether a query failed because its table does not exist: its collection was deleted meanwhile. */
export function isTableGone(error: unknown): boolean {
  const { code, message, cause } = error as DatabaseError
  return code === '42P01' || Boolean(message?.includes('no such table')) || (cause !== undefined && isTableGone(cause))
}
