import type { DatabaseEnv } from '#core/db/open'
import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/api'
import type { FirstReply } from '#core/objects/first-reply'
import type { Audience } from './audience.ts'
import { Collection } from './contract.ts'

/** What the feed needs bound, and the variables it reads. */
export interface Env extends CoreEnv, DatabaseEnv {
  AUDIENCE: DurableObjectNamespace<Audience>
  FIRST_REPLY: DurableObjectNamespace<FirstReply>
  /** Comma-separated names of collections that exist from the first request on. */
  FEED_COLLECTIONS?: string
}

/** The names in `FEED_COLLECTIONS`; 503 where one of them can be none. */
export function presetCollections({ FEED_COLLECTIONS = '' }: Env): string[] {
  const names = FEED_COLLECTIONS.split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (names.every((name) => Collection.safeParse(name).success)) return names
  throw notConfigured('FEED_COLLECTIONS has a name that no collection can have')
}
