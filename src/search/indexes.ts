import { describe, log } from '#core/http/log'
import type { Env } from './bindings.ts'
import type { NewIndex } from './contract.ts'
import type { Variant } from './engine/documents.ts'
import type { Head } from './head.ts'
import { chosenSettings } from './settings.ts'

/** What answers for an index, whether or not that is there. */
export const headOf = (env: Env, name: string): DurableObjectStub<Head> => env.HEAD.getByName(name)

/** What knows the names of all indexes. */
export const catalogOf = (env: Env) => env.CATALOG.getByName('all')

/** Creates an index: 409 where there is one, 400 for a language that is not known. */
export const createIndex = (env: Env, variant: Variant, { name, ...chosen }: NewIndex): Promise<void> =>
  headOf(env, name).createIndex(name, chosenSettings(variant, chosen))

/** Deletes an index and all that is in it. */
export const deleteIndex = (env: Env, name: string): Promise<void> => headOf(env, name).deleteIndex()

/** An index with its settings, as large as it is now. */
export async function describeIndex(env: Env, name: string) {
  const { variant: _, created_at, ...described } = await headOf(env, name).describeIndex()
  return { ...described, created_at: new Date(created_at) }
}

/** A page of the names of all indexes, by name. */
export async function listIndexes(
  env: Env,
  { limit, offset, count }: { limit: number; offset: number; count: boolean },
) {
  const catalog = catalogOf(env)
  const [names, nb_results] = await Promise.all([catalog.list(limit, offset), count ? catalog.count() : undefined])
  return { indexes: names.map((name) => ({ name })), ...(nb_results !== undefined && { nb_results }) }
}

/** Creating and deleting takes less; what takes longer was cut off. */
const patience = 60_000

/** Ends the creations and deletions that a crash has cut off. */
export async function settleIndexes(env: Env): Promise<void> {
  for (const name of await catalogOf(env).pending(patience)) {
    await headOf(env, name)
      .settleIndex(name)
      .catch((error: unknown) => log('error', { route: 'sweep', index: name, ...describe(error) }))
  }
}
