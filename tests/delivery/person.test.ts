import { describe, expect, it } from 'vitest'
import { erasePerson, findPerson } from '#delivery/ledger/person'
import { personalData } from '#delivery/person'
import { stageRecipient } from '#delivery/recipients'
import { personsIn } from '../support/person.ts'
import { begin, books, fill, headOf, messagesIn, onTables } from './books.ts'
import { deliveries, show, start } from './support.ts'

const ann = {
  name: 'Ann',
  email: 'Ann@example.com',
  phone: '+7 701 123-45-67',
  feed_collection: 'news',
  feed_recipient: 'ann',
}
const bob = {
  name: 'Bob',
  email: 'bob@example.com',
  phone: '77011234568',
  feed_collection: 'news',
  feed_recipient: 'bob',
}

const staged = (sql: SqlStorage, ...recipients: Record<string, string>[]) =>
  recipients.map((recipient, place) => stageRecipient(recipient, place, ['email', 'sms', 'feed'], headOf(sql).ledger))

const everything = (sql: SqlStorage) =>
  JSON.stringify(['recipients', 'targets', 'messages'].map((table) => sql.exec(`SELECT * FROM ${table}`).toArray()))

describe('a ledger', () => {
  it.each([
    ['phone', { phone: '77011234567' }],
    ['email address', { email: 'ann@example.com' }],
    ['recipient', { recipient: 'ann' }],
    ['user', { user: 'ann' }],
  ])('skips the queued messages of a person, found by %s, and deletes the recipient', (_, person) =>
    onTables((sql) => {
      books(sql)
      fill(sql, 1, staged(sql, ann, bob))

      expect(findPerson(sql, person, 0).recipients).toHaveLength(1)
      expect(erasePerson(sql, person, 0, 5).erased).toBeGreaterThanOrEqual(1)

      expect(everything(sql)).not.toMatch(/Ann|701 123/)
      expect(everything(sql)).toContain('bob@example.com')
      expect(messagesIn(sql).map(({ state, reason }) => [state, reason])).toEqual([
        ...Array.from({ length: 3 }, () => ['skipped', 'erased']),
        ...Array.from({ length: 3 }, () => ['queued', null]),
      ])
      expect(headOf(sql).open).toBe(3)
      expect(sql.exec('SELECT * FROM targets').toArray()).toHaveLength(3)
      expect(erasePerson(sql, person, 0, 6).erased).toBe(0)
    }),
  )

  it('deletes staged messages of a page that is not complete', () =>
    onTables(async (sql) => {
      const { stagePage, commitPage } = await import('#delivery/ledger/pages')
      books(sql)
      const attempt = begin(sql, 1)!
      stagePage(sql, attempt, staged(sql, ann, bob))
      erasePerson(sql, { user: 'ann' }, 0, 5)
      commitPage(sql, attempt, 2, 6)
      expect(messagesIn(sql).map(({ state }) => state)).toEqual(['queued', 'queued', 'queued'])
      expect(headOf(sql).open).toBe(3)
    }))

  it('closes a piece whose last messages were erased', () =>
    onTables((sql) => {
      books(sql)
      fill(sql, 1, staged(sql, ann))
      erasePerson(sql, { user: 'ann' }, 0, 5)
      expect(headOf(sql)).toMatchObject({ open: 0, processed: 1 })
    }))
})

describe.each(deliveries())('a person in the deliveries on $dialect', (tested) => {
  const { erase, read } = personsIn(personalData, tested.env)

  it('is erased from the ledgers of all deliveries', async () => {
    const ids: number[] = []
    for (let n = 0; n < 3; n++) {
      const { id } = await start(tested, { min: 1, max: 5, gap: 5 })
      ids.push(id)
      const ledger = await tested.ledgerOf(id)
      await tested.inLedger(ledger, (sql) => fill(sql, 1, staged(sql, ann, bob)))
    }

    expect(await read({ phone: '77011234567' })).toMatchObject(
      ids.map((delivery) => ({ place: 'recipients', row: { delivery, recipient: { name: 'Ann' } } })),
    )
    expect((await erase({ phone: '77011234567' })).recipients).toBeGreaterThanOrEqual(3)

    expect(await read({ phone: '77011234567' })).toEqual([])
    expect(await read({ phone: '77011234568' })).toHaveLength(3)
    expect((await show(tested, ids[0]!)).report.sms!.skipped).toBe(1)
  })
})
