import { expect } from 'vitest'

/** A reply that refuses, with something to say of each of these fields. */
export const refusal = (status: number, status_code: string, ...fields: string[]) => ({
  status,
  json: {
    status: false,
    status_code,
    ...(fields.length > 0 && { errors: Object.fromEntries(fields.map((field) => [field, expect.any(String)])) }),
  },
})

/** What is wrong with parameters. */
export const wrong = (...fields: string[]) => refusal(400, 'validation_failed', ...fields)
