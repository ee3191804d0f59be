// Data of persons in the catcher: requests whose headers, body, query or recorded response mention the person, in all spaces.
import type { PersonalPlace } from '#core/person/places'
import type { Env } from './bindings.ts'
import { nextSpace } from './reservation.ts'
import { defaultSpace, spaceNamed } from './spaces.ts'

/** The cursor: the space, and the last request that is done. */
type Position = [space: string, request: number]

const positionOf = (cursor: string | undefined): Position =>
  cursor === undefined ? [defaultSpace, 0] : (JSON.parse(cursor) as Position)

/** The same space if it has more requests, else the next one. The default space is the first. */
async function nextOf(env: Env, [space]: Position, next: number | undefined): Promise<string | undefined> {
  if (next !== undefined) return JSON.stringify([space, next])
  const after = space === defaultSpace ? '' : space
  const name = await nextSpace(env, after, defaultSpace)
  return name === undefined ? undefined : JSON.stringify([name, 0])
}

const requests: PersonalPlace<Env> = {
  name: 'requests',
  columns: { requests: ['body', 'query', 'headers', 'response', 'response_body'] },

  async erase(env, person, cursor) {
    const position = positionOf(cursor)
    const { erased, next } = await spaceNamed(env, position[0]).erasePerson(person, position[1])
    return { erased, next: await nextOf(env, position, next) }
  },

  async read(env, person, cursor) {
    const position = positionOf(cursor)
    const { rows, next } = await spaceNamed(env, position[0]).exportPerson(person, position[1])
    return { rows: rows.map((row) => ({ space: position[0], ...row })), next: await nextOf(env, position, next) }
  },
}

export const personalData: readonly PersonalPlace<Env>[] = [requests]
