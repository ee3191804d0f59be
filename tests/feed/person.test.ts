import { beforeEach, describe, expect, it, vi } from 'vitest'
import { open } from '#core/db/open'
import type { Env } from '#feed/bindings'
import { createCollection } from '#feed/collections'
import { personalData } from '#feed/person'
import { markAllRead } from '#feed/read-flags'
import { addRecords, tableOf } from '#feed/records'
import { schema } from '#feed/schema'
import Worker from '../../workers/feed/index.ts'
import { databases } from '../support/databases.ts'
import { personsIn } from '../support/person.ts'
import { boundOn, startWith } from '../support/requests.ts'

describe.each(databases)('a person in the feed on $dialect', (database) => {
  const env = boundOn(database) as Env
  const feed = open(env, schema)
  const { erase, read } = personsIn(personalData, env)

  const add = async (collection: string, ...records: Parameters<typeof addRecords>[2]) => {
    await createCollection(feed, collection)
    return addRecords(feed, await tableOf(feed, collection), records)
  }
  const recordsIn = async (collection: string) => {
    const { records } = await tableOf(feed, collection)
    return feed.db.select({ recipient: records.recipient, sender: records.sender }).from(records).orderBy(records.id)
  }

  beforeEach(async () => {
    for (const collection of ['first', 'second']) {
      await createCollection(feed, collection)
      await feed.db.delete((await tableOf(feed, collection)).records)
    }
    for (const table of [feed.changes, feed.epochs, feed.listeners]) await feed.db.delete(table)
  })

  it('loses all records for or from the user, in any number and collection, and no others', async () => {
    await add('first', ...Array.from({ length: 200 }, () => ({ recipient: 'ann', title: 'Hi' })))
    await add('first', { recipient: 'bob', sender: 'ann' }, { recipient: 'bob', sender: 'joe' })
    await add('second', { recipient: 'ann', sender: 'bob' }, { recipient: 'anna' })

    expect(await erase({ user: 'ann' })).toMatchObject({ records: 202 })

    expect(await recordsIn('first')).toEqual([{ recipient: 'bob', sender: 'joe' }])
    expect(await recordsIn('second')).toEqual([{ recipient: 'anna', sender: null }])
    expect(await read({ user: 'ann' })).toEqual([])
  })

  it('keeps records from the user where only the recipient is erased', async () => {
    await add('first', { recipient: 'ann' }, { recipient: 'bob', sender: 'ann' })
    expect(await erase({ recipient: 'ann' })).toMatchObject({ records: 1 })
    expect(await recordsIn('first')).toEqual([{ recipient: 'bob', sender: 'ann' }])
  })

  it('loses read marks, logged changes and the list of listeners', async () => {
    await add('first', { recipient: 'ann' }, { recipient: 'bob' })
    const table = await tableOf(feed, 'first')
    for (const recipient of ['ann', 'bob']) await markAllRead(feed, table, recipient)
    await feed.db.insert(feed.listeners).values({ collection_id: table.id, recipient: 'ann' })

    await erase({ user: 'ann' })

    const recipients = async (of: typeof feed.changes | typeof feed.epochs | typeof feed.listeners) =>
      (await feed.db.select({ recipient: of.recipient }).from(of)).map(({ recipient }) => recipient)
    expect(new Set(await recipients(feed.changes))).toEqual(new Set(['bob']))
    expect(await recipients(feed.epochs)).toEqual(['bob'])
    expect(await recipients(feed.listeners)).toEqual([])
  })

  it('logs the deletion of a record for another recipient, whose streams show it', async () => {
    await add('first', { recipient: 'bob', sender: 'ann' })
    await erase({ user: 'ann' })
    const { recipient, event } = feed.changes
    expect(await feed.db.select({ recipient, event }).from(feed.changes)).toEqual([
      { recipient: 'bob', event: 'deleted' },
    ])
  })

  it('is exported with all records', async () => {
    await add('first', ...Array.from({ length: 25 }, (_, n) => ({ recipient: 'ann', title: String(n) })))
    await add('second', { recipient: 'bob', sender: 'ann', title: 'last', payload: '{"a":1}' }, { recipient: 'bob' })

    const rows = await read({ user: 'ann' })

    expect(rows.map(({ row }) => row.title)).toEqual([...Array.from({ length: 25 }, (_, n) => String(n)), 'last'])
    expect(rows.at(-1)).toMatchObject({
      place: 'records',
      row: { collection: 'second', recipient: 'bob', payload: '{"a":1}' },
    })
    expect(rows[0]!.row.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  })

  it('has nothing under a phone or an email address', async () => {
    await add('first', { recipient: 'ann' })
    expect(await erase({ phone: '77011234567', email: 'ann@example.com' })).toEqual({})
  })
})

it('is not in the error that the gateway gets if a step fails', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const prepare = () => {
    throw new Error('Failed query for ann')
  }
  const { worker } = startWith(Worker, boundOn({ DB: { prepare } }))
  for (const step of [worker.erasePerson({ user: 'ann' }), worker.exportPerson({ user: 'ann' })])
    await expect(step).rejects.toThrow(/^The step failed \(\w+\)\. The log of the component has the error$/)
  expect(logged).toHaveBeenCalledTimes(2)
})
