import { beforeAll, describe, expect, it } from 'vitest'
import { prepareInstance } from '#bus/administrator'
import type { Env } from '#bus/bindings'
import { createCollection, deleteCollection } from '#bus/collections'
import { personalData } from '#bus/person'
import { documentsOf, schema } from '#bus/schema'
import { open } from '#core/db/open'
import { databases } from '../support/databases.ts'
import { personsIn } from '../support/person.ts'
import { boundOn } from '../support/requests.ts'

describe.each(databases)('a person in the bus on $dialect', (database) => {
  const env = boundOn(database) as Env
  const bus = open(env, schema)
  const { erase, read } = personsIn(personalData, env)

  beforeAll(() => prepareInstance(env))

  let last = 0
  async function collectionWith(...data: object[]) {
    const { id } = await createCollection(bus, env, { name: `c${++last}`, type: 'storage' } as never, new Date())
    const documents = documentsOf(bus, id)
    for (const [n, each] of data.entries())
      await bus.db.insert(documents).values({
        ...{ event: 'e', uuid: crypto.randomUUID(), data: JSON.stringify(each), state: n === 0 ? 'waiting' : null },
        ...{ next_at: new Date(), created_at: new Date(), attempts: 0, webhook_attempts: 0 },
      })
    const rows = () => bus.db.select().from(documents).orderBy(documents.id)
    return { id, rows }
  }

  it('loses the content of documents that mention it, and others keep theirs', async () => {
    const [user, other] = [crypto.randomUUID(), crypto.randomUUID()]
    const first = await collectionWith({ user }, { user: other }, { title: user })
    const second = await collectionWith(...Array.from({ length: 25 }, () => ({ nested: { recipient: user } })))

    expect(await read({ user })).toHaveLength(26)
    expect(await erase({ user })).toEqual({ documents: 26 })

    const [erased, kept, titled] = await first.rows()
    expect(erased).toMatchObject({ data: '{}', state: 'failed', next_at: null })
    expect([kept!.data, titled!.data]).toEqual([JSON.stringify({ user: other }), JSON.stringify({ title: user })])
    expect(new Set((await second.rows()).map(({ data }) => data))).toEqual(new Set(['{}']))
    expect(await erase({ user })).toEqual({})
  })

  it('is found by a phone with separators and an address in any case', async () => {
    const [phone, email] = ['77030000001', `x${last}@example.com`]
    await collectionWith({ to: '+7 (703) 000-00-01' }, { mail: email.toUpperCase() })
    expect(await erase({ phone, email })).toEqual({ documents: 2 })
  })

  it('skips deleted collections', async () => {
    const user = crypto.randomUUID()
    const { id } = await collectionWith({ user })
    await deleteCollection(bus, { id, force: true }, new Date())
    expect(await erase({ user })).toEqual({})
  })
})
