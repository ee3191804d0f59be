// The 400 error that the parsers of signed data throw, and a helper for callers that tolerate it.
import { Failure, invalid } from '#core/failure'

/** 400 for the parameter `cms`: the signed data cannot be parsed. */
export const malformed = (message: string) => invalid('cms', message)

/** Calls a parser; returns undefined if it throws a `Failure`, such as `malformed`. */
export function tryRead<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (Failure.is(error)) return undefined
    throw error
  }
}
