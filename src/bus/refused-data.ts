interface DatabaseError {
  code?: string
  /** What Drizzle has wrapped; it wraps no batch. */
  cause?: DatabaseError
}

/** Whether a database refused a value for what it is, and will again: SQLSTATE's class 22, data exception. */
export function isDataRefused(error: unknown): boolean {
  const { code, cause } = error as DatabaseError
  return Boolean(code?.startsWith('22')) || (cause !== undefined && isDataRefused(cause))
}
