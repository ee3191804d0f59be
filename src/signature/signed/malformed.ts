import { invalid } from '#core/failure'

/** 400 for signed data that cannot be read. */
export const malformed = (message: string) => invalid('cms', message)
