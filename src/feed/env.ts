import { cutoffOf } from '#core/db/retention'
import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'
import { Collection } from './contract.ts'

/** Environment variables of the feed. */
export interface FeedVariables extends CoreEnv {
  /** Comma-separated names of collections that are created before the first request of an isolate. */
  FEED_COLLECTIONS?: string
  /** Seconds for which records are stored. Unset: until they are deleted. */
  FEED_RETENTION?: string
}

/** Records created before this time have expired. Undefined if records are kept. Throws 503 if the variable is invalid. */
export const recordCutoff = ({ FEED_RETENTION }: Pick<FeedVariables, 'FEED_RETENTION'>, now: Date): Date | undefined =>
  cutoffOf('FEED_RETENTION', FEED_RETENTION, now)

/** The names in `FEED_COLLECTIONS`. Throws 503 if one of them is not a valid name. */
export function presetCollections({ FEED_COLLECTIONS = '' }: FeedVariables): string[] {
  const names = FEED_COLLECTIONS.split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (names.every((name) => Collection.safeParse(name).success)) return names
  throw notConfigured(
    'FEED_COLLECTIONS has an invalid name. A name is 1 to 48 characters of a-z, 0-9 and _, and starts with a letter.',
  )
}
