// Creates, deletes, describes and lists indexes for the API, through their coordinators and the catalog.
import { describe, log } from '#core/http/log'
import type { Env } from './bindings.ts'
import type { NewIndex } from './contract.ts'
import type { Coordinator } from './coordinator.ts'
import type { Variant } from './engine/indexed-document.ts'
import { resolveSettings } from './settings.ts'

/** Returns the coordinator object of an index name, whether or not the index exists. */
export const coordinatorOf = (env: Env, name: string): DurableObjectStub<Coordinator> => env.HEAD.getByName(name)

/** Returns the catalog object, which has the names of all indexes. */
export const catalogOf = (env: Env) => env.CATALOG.getByName('all')

/** Creates an index. Throws `index_exists` if the name is taken, `validation_failed` for an unknown stemmer or list. */
export const createIndex = (env: Env, variant: Variant, { name, ...options }: NewIndex): Promise<void> =>
  coordinatorOf(env, name).createIndex(name, resolveSettings(variant, options))

/** Deletes an index and its documents. Throws `index_not_found` if the index does not exist. */
export const deleteIndex = (env: Env, name: string): Promise<void> => coordinatorOf(env, name).deleteIndex()

/** Returns the settings and the current size of an index. Throws `index_not_found` if it does not exist. */
export async function describeIndex(env: Env, name: string) {
  const { variant: _, created_at, ...described } = await coordinatorOf(env, name).describeIndex()
  return { ...described, created_at: new Date(created_at) }
}

/** Returns a page of the index names, sorted by name. */
export async function listIndexes(
  env: Env,
  { limit, offset, count }: { limit: number; offset: number; count: boolean },
) {
  const catalog = catalogOf(env)
  const [names, nb_results] = await Promise.all([catalog.list(limit, offset), count ? catalog.count() : undefined])
  return { indexes: names.map((name) => ({ name })), ...(nb_results !== undefined && { nb_results }) }
}

/** A creation or deletion that is pending for longer than this time was interrupted by a crash, and is completed. */
const stalePendingMs = 60_000

/** Cron job: completes the creations and deletions of indexes that a crash interrupted. */
export async function finishPendingIndexes(env: Env): Promise<void> {
  for (const name of await catalogOf(env).pending(stalePendingMs)) {
    await coordinatorOf(env, name)
      .finishPending(name)
      .catch((error: unknown) => log('error', { route: 'sweep', index: name, ...describe(error) }))
  }
}
