import type { DatabaseEnv } from '#core/db/open'
import type { CoreEnv } from '#core/http/api'
import type { Audience } from './audience.ts'

/** What the feed needs bound, and the variables it reads. */
export interface Env extends CoreEnv, DatabaseEnv {
  AUDIENCE: DurableObjectNamespace<Audience>
  /** Comma-separated names of collections that exist from the first request on. */
  FEED_COLLECTIONS?: string
}

export const presetCollections = ({ FEED_COLLECTIONS = '' }: Env) =>
  FEED_COLLECTIONS.split(',')
    .map((name) => name.trim())
    .filter(Boolean)
