import type { CoreEnv } from '#core/http/declaration'
import type { Catalog } from './catalog.ts'
import type { Coordinator } from './coordinator.ts'
import type { Shard } from './shard.ts'

/** Bindings of fulltext and of typeahead: the durable objects that store the indexes. Search has no database. */
export interface Env extends CoreEnv {
  /** Coordinators, by index name. */
  HEAD: DurableObjectNamespace<Coordinator>
  /** All shards but the first, which is the coordinator. */
  SHARD: DurableObjectNamespace<Shard>
  /** One object, named `all`. */
  CATALOG: DurableObjectNamespace<Catalog>
}
