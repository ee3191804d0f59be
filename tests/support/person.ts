import { eraseSteps, exportStep, type Person, type PersonalPlace } from '#core/person/places'

/** Erases and exports as the gateway does: call by call, until there is no cursor. */
export const personsIn = <Env>(places: readonly PersonalPlace<Env>[], env: Env) => ({
  /** Returns the number of erased rows by place. */
  async erase(person: Person): Promise<Record<string, number>> {
    const total: Record<string, number> = {}
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const { erased, next } = await eraseSteps(places, env, person, cursor)
      for (const [place, count] of Object.entries(erased)) total[place] = (total[place] ?? 0) + count
      cursor = next
    }
    return total
  },

  /** Returns all exported rows with the names of their places. */
  async read(person: Person): Promise<{ place: string; row: Record<string, unknown> }[]> {
    const all: { place: string; row: Record<string, unknown> }[] = []
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const { rows, next } = await exportStep(places, env, person, cursor)
      all.push(...rows)
      cursor = next
    }
    return all
  },
})
