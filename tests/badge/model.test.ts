// Compares badges and counters with a simple model after each of many random steps.
import { type Arbitrary, array, assert, asyncProperty, constant, constantFrom, oneof, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addBadge, deleteBadges, listBadges } from '#badge/badges'
import { readCounters } from '#badge/counters'
import { expireBadges } from '#badge/expiry'
import { schema } from '#badge/schema'
import { open } from '#core/db/open'
import { databases } from '../support/databases.ts'
import { runs } from '../support/tier.ts'

const names = ['a', 'a/b', 'a/bb', 'a/b/c', 'b', 'b/a', 'a!']
const users = ['ann', 'bob']

type Step = { do: 'add' | 'delete' | 'delete all' | 'expire'; user: string; name: string }

const step: Arbitrary<Step> = record({
  do: oneof(
    { weight: 12, arbitrary: constant('add' as const) },
    { weight: 3, arbitrary: constant('delete' as const) },
    constantFrom('delete all' as const, 'expire' as const),
  ),
  user: constantFrom(...users),
  name: constantFrom(...names),
})

/** A simple model of badges: a list of names, the newest first, each with the number of the step that added it. */
class Model {
  badges: { user: string; name: string; age: number }[] = []

  take({ do: what, user, name }: Step, age: number): number {
    if (what === 'add') return this.badges.unshift({ user, name, age })
    const before = this.badges.length
    this.badges = this.badges.filter((badge) => {
      if (what === 'expire') return badge.age >= age - 5
      return badge.user !== user || (what === 'delete' && !this.#isUnder(badge.name, name))
    })
    return before - this.badges.length
  }

  namesOf(user: string, name?: string) {
    const own = this.badges.filter((badge) => badge.user === user).map(({ name }) => name)
    return name === undefined ? own : own.filter((lower) => this.#isUnder(lower, name))
  }

  #isUnder = (lower: string, name: string) => lower === name || lower.startsWith(`${name}/`)
}

describe.each(databases)('on $dialect', (database) => {
  const store = open(database, schema)
  let run = 0

  it('lists and counters agree with a model after each step', { timeout: 600_000 }, async () => {
    await assert(
      asyncProperty(array(step, { maxLength: 20, size: 'max' }), async (steps) => {
        const collection = `run ${run++}`
        const model = new Model()
        for (const [age, step] of steps.entries()) {
          const result = await take(collection, step, age)
          const expected = model.take(step, age)
          if (step.do.startsWith('delete')) expect(result).toBe(expected)
          await agree(collection, model, step)
        }
        await expireBadges(store, new Date(1_000_000))
      }),
      { numRuns: runs(20) },
    )
  })

  async function take(collection: string, { do: what, user, name }: Step, age: number): Promise<unknown> {
    switch (what) {
      case 'add':
        return addBadge(store, { collection, user, name, payload: '{}' }, new Date(age))
      case 'delete':
        return deleteBadges(store, { collection, user, name })
      case 'delete all':
        return deleteBadges(store, { collection, user })
      case 'expire':
        return expireBadges(store, new Date(age - 5))
    }
  }

  async function agree(collection: string, model: Model, { name }: Step) {
    for (const user of users) {
      const owner = { collection, user }
      const counters = Object.fromEntries(names.map((name) => [name, model.namesOf(user, name).length]))
      const all = model.namesOf(user).length
      expect(await readCounters(store, { ...owner, names: [...names, '_all'] })).toEqual({ ...counters, _all: all })
      for (const chosen of [undefined, name]) {
        const page = { limit: 100, offset: 0, count: true }
        const found = await listBadges(store, { ...owner, name: chosen, ...page }, undefined)
        const expected = model.namesOf(user, chosen)
        expect(found.badges.map(({ name }) => name)).toEqual(expected)
        expect(found.nb_results).toBe(expected.length)
      }
    }
  }
})
