interface DatabaseError {
  code?: string
  message?: string
  /** What Drizzle has wrapped. */
  cause?: DatabaseError
}

/** Whether a write failed because another row has a value that must be unique. */
export function isTaken(error: unknown): boolean {
  const { code, message, cause } = error as DatabaseError
  return (
    code === '23505' ||
    Boolean(message?.includes('UNIQUE constraint failed')) ||
    (cause !== undefined && isTaken(cause))
  )
}
