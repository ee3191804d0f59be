// The bindings of the Workers fulltext and typeahead: their durable objects.
import type { CoreEnv } from '#core/http/declaration'
import type { Catalog } from './catalog.ts'
import type { Coordinator } from './coordinator.ts'
import type { Shard } from './shard.ts'

/** Bindings of fulltext and of typeahead. Their durable objects store the indexes; search has no database. */
export interface Env extends CoreEnv {
  /** Coordinators of indexes, by index name. */
  HEAD: DurableObjectNamespace<Coordinator>
  /** Shards of indexes except the first one, which the coordinator is. */
  SHARD: DurableObjectNamespace<Shard>
  /** The catalog. There is one object, named `all`. */
  CATALOG: DurableObjectNamespace<Catalog>
}
