// Data of persons in the search: documents whose code is an identifier of the person, such as the profile of a user.
import { Failure } from '#core/failure'
import type { Person, PersonalPlace } from '#core/person/places'
import type { Env } from './bindings.ts'
import { catalogOf, coordinatorOf } from './indexes.ts'
import { matchesPerStep } from './person-codes.ts'

/** The cursor: the last index that is done, and the shard and the last code in the next one. */
type Position = [index: string, shard: number, code: string]

const positionOf = (cursor = '["",0,""]') => JSON.parse(cursor) as Position

/** Calls `use` for each document of the step: those of one part of one shard. */
async function forEachDocument<Result>(
  env: Env,
  person: Person,
  [after, shard, afterCode]: Position,
  use: (index: string, code: string) => Promise<Result>,
): Promise<{ results: Result[]; next?: string | undefined }> {
  const index = await catalogOf(env).next(after)
  if (index === undefined) return { results: [] }
  const following: Position = [index, 0, '']
  const found = await coordinatorOf(env, index).findPerson(person, shard, afterCode).catch(ifMissing)
  const results: Result[] = []
  for (const code of found?.codes ?? []) {
    const result = await use(index, code).catch(ifMissing)
    if (result !== undefined) results.push(result)
  }
  const next: Position = found?.next ? [after, found.next.shard, found.next.after] : following
  return { results, next: JSON.stringify(next) }
}

/** An index or a document that was deleted meanwhile. */
function ifMissing(error: unknown): undefined {
  if (Failure.is(error) && error.status === 404) return undefined
  throw error
}

const documents: PersonalPlace<Env> = {
  name: 'documents',
  columns: { documents: ['code'] },
  // The catalog, the coordinator, and each document.
  subrequests: 2 + matchesPerStep,

  async erase(env, person, cursor) {
    const erase = async (index: string, code: string) => {
      await coordinatorOf(env, index).deleteDocument(code)
      return code
    }
    const { results, next } = await forEachDocument(env, person, positionOf(cursor), erase)
    return { erased: results.length, next }
  },

  async read(env, person, cursor) {
    const read = async (index: string, code: string) => ({
      index,
      ...(await coordinatorOf(env, index).findDocument(code)),
    })
    const { results, next } = await forEachDocument(env, person, positionOf(cursor), read)
    return { rows: results, next }
  },
}

export const personalData: readonly PersonalPlace<Env>[] = [documents]
