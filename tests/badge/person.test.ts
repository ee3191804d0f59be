import { describe, expect, it } from 'vitest'
import { addBadge } from '#badge/badges'
import type { Env } from '#badge/bindings'
import { personalData } from '#badge/person'
import { schema } from '#badge/schema'
import { open } from '#core/db/open'
import { databases } from '../support/databases.ts'
import { personsIn } from '../support/person.ts'
import { boundOn } from '../support/requests.ts'

describe.each(databases)('a person in the badges on $dialect', (database) => {
  const env = boundOn(database) as Env
  const store = open(env, schema)
  const { erase, read } = personsIn(personalData, env)

  const add = (collection: string, user: string, name: string) =>
    addBadge(store, { collection, user, name, payload: '{}' }, new Date())

  it('loses badges and counters in every collection, and other users keep theirs', async () => {
    // More collections than one step reads.
    for (let n = 0; n < 95; n++) await add(`other-${String(n).padStart(3, '0')}`, 'bob', 'a')
    for (let n = 0; n < 130; n++) await add('shop', 'ann', `a/${n % 7}`)
    await add('zoo', 'ann', 'b/c')

    expect(await erase({ user: 'ann' })).toEqual({ badges: 131 })

    const users = async (table: typeof store.badges | typeof store.counters) =>
      new Set((await store.db.select({ user: table.user }).from(table)).map(({ user }) => user))
    expect(await users(store.badges)).toEqual(new Set(['bob']))
    expect(await users(store.counters)).toEqual(new Set(['bob']))
    expect(await erase({ user: 'ann' })).toEqual({})
  })

  it('is exported with all badges', async () => {
    for (let n = 0; n < 25; n++) await add('shop', 'joe', `a/${n}`)
    await add('zoo', 'joe', 'b')

    const rows = (await read({ user: 'joe' })).map(({ row }) => `${row.collection} ${row.name}`)

    expect(rows).toEqual([...Array.from({ length: 25 }, (_, n) => `shop a/${n}`), 'zoo b'])
    expect(await read({ recipient: 'joe' })).toEqual([])
  })
})
