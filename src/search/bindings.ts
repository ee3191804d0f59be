import type { CoreEnv } from '#core/http/declaration'
import type { Catalog } from './catalog.ts'
import type { Head } from './head.ts'
import type { Shard } from './shard.ts'

/** What search needs bound. */
export interface Env extends CoreEnv {
  /** By the names of indexes. */
  HEAD: DurableObjectNamespace<Head>
  SHARD: DurableObjectNamespace<Shard>
  CATALOG: DurableObjectNamespace<Catalog>
}
