import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'
import { Collection } from './contract.ts'

/** The variables that the feed reads. */
export interface FeedVariables extends CoreEnv {
  /** Comma-separated names of collections that exist from the first request on. */
  FEED_COLLECTIONS?: string
}

/** The names in `FEED_COLLECTIONS`; 503 where one of them can be none. */
export function presetCollections({ FEED_COLLECTIONS = '' }: FeedVariables): string[] {
  const names = FEED_COLLECTIONS.split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (names.every((name) => Collection.safeParse(name).success)) return names
  throw notConfigured('FEED_COLLECTIONS has a name that no collection can have')
}
