// The 400 error that the parsers of signed data throw, and a helper for callers that tolerate data that cannot be parsed.
import { Failure, invalid } from '#core/failure'

/** Creates the 400 error for the parameter `cms`: the signed data cannot be parsed. */
export const malformed = (message: string) => invalid('cms', message)

/** Calls a parser, and returns undefined if it throws a `Failure`, such as `malformed`. Other errors are bugs, and are thrown. */
export function tryRead<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (Failure.is(error)) return undefined
    throw error
  }
}
