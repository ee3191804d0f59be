import { Failure } from '#core/failure'
import { describe, log } from '#core/http/log'
import type { Schema } from './kit.ts'
import { connectPostgres, type DatabaseEnv, open, type Store } from './open.ts'
import { replicasOf } from './postgres.ts'

const opened = new WeakMap<DatabaseEnv, WeakMap<object, object[]>>()

/**
 * Reads from a random replica of `PG_SLAVES`. Without replicas, and if the replica fails or `read` throws because it lags
 * behind, reads from the primary. Use it for lists and counts, which may miss the latest writes.
 */
export async function readReplica<Tables, T>(
  env: DatabaseEnv,
  schema: Schema<Tables>,
  read: (store: Store<Tables>) => Promise<T>,
): Promise<T> {
  const replicas = replicaStores(env, schema)
  const replica = replicas[Math.floor(Math.random() * replicas.length)]
  if (!replica) return read(open(env, schema))
  try {
    return await read(replica)
  } catch (error) {
    if (!Failure.is(error)) log('error', { component: 'database', route: 'replica', ...describe(error) })
    return read(open(env, schema))
  }
}

function replicaStores<Tables>(env: DatabaseEnv, schema: Schema<Tables>): Store<Tables>[] {
  const bySchema = opened.get(env) ?? new WeakMap<object, object[]>()
  opened.set(env, bySchema)
  const stores =
    (bySchema.get(schema) as Store<Tables>[] | undefined) ??
    replicasOf(env).map((postgres) => connectPostgres(postgres, schema))
  bySchema.set(schema, stores)
  return stores
}
