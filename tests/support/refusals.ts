// Matchers for error replies of the API.
import { expect } from 'vitest'

/** Matches an error reply with this status and code, and a message for each of these fields. */
export const errorReply = (status: number, status_code: string, ...fields: string[]) => ({
  status,
  json: {
    status: false,
    status_code,
    ...(fields.length > 0 && { errors: Object.fromEntries(fields.map((field) => [field, expect.any(String)])) }),
  },
})

/** Matches a 400 reply with a validation error for each of these parameters. */
export const validationError = (...fields: string[]) => errorReply(400, 'validation_failed', ...fields)
