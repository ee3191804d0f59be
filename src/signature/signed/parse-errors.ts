import { Failure, invalid } from '#core/failure'

/** 400 for signed data that cannot be read. */
export const malformed = (message: string) => invalid('cms', message)

/** What a reading gives; undefined for what is malformed. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (Failure.is(error)) return undefined
    throw error
  }
}
