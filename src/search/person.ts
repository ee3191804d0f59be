// Data of persons in the search: documents whose code is an identifier of the person, such as the profile of a user.
import { Failure } from '#core/failure'
import type { Person, PersonalPlace } from '#core/person/places'
import type { Env } from './bindings.ts'
import { coordinatorOf, listIndexes } from './indexes.ts'

/** Indexes of one step. */
const indexesPerStep = 10

const codesOf = ({ user, phone, email }: Person): string[] =>
  [...new Set([user, phone, email])].filter((code) => code !== undefined)

/** Calls `use` for each document of the step that may exist. The cursor is the number of indexes that are done. */
async function forEachCode<Result>(
  env: Env,
  person: Person,
  cursor: string | undefined,
  use: (index: string, code: string) => Promise<Result>,
): Promise<{ results: Result[]; next?: string | undefined }> {
  const offset = Number(cursor ?? 0)
  const { indexes } = await listIndexes(env, { limit: indexesPerStep, offset, count: false })
  const results: Result[] = []
  for (const { name } of indexes)
    for (const code of codesOf(person)) {
      const result = await use(name, code).catch(ifMissing)
      if (result !== undefined) results.push(result)
    }
  return { results, next: indexes.length === indexesPerStep ? String(offset + indexesPerStep) : undefined }
}

function ifMissing(error: unknown): undefined {
  if (Failure.is(error) && error.status === 404) return undefined
  throw error
}

const documents: PersonalPlace<Env> = {
  name: 'documents',
  columns: { documents: ['code'] },

  async erase(env, person, cursor) {
    const erase = async (index: string, code: string) => {
      await coordinatorOf(env, index).deleteDocument(code)
      return code
    }
    const { results, next } = await forEachCode(env, person, cursor, erase)
    return { erased: results.length, next }
  },

  async read(env, person, cursor) {
    const read = async (index: string, code: string) => ({
      index,
      ...(await coordinatorOf(env, index).findDocument(code)),
    })
    const { results, next } = await forEachCode(env, person, cursor, read)
    return { rows: results, next }
  },
}

export const personalData: readonly PersonalPlace<Env>[] = [documents]
