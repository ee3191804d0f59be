import { beforeEach, describe, expect, it } from 'vitest'
import { addNote, deleteNote, listNotes } from '#access/notes'
import { schema } from '#access/schema'
import { open } from '#core/db/open'
import { databases } from '../support/databases.ts'

describe.each(databases)('notes on $dialect', (database) => {
  const store = open(database, schema)
  const time = new Date('2026-11-01T09:30:00Z')
  const all = { limit: 100, offset: 0 }

  beforeEach(async () => {
    await store.db.delete(store.notes)
  })

  it('lists notes, newest first', async () => {
    const [first, second] = [await addNote(store, { text: 'a' }, time), await addNote(store, { text: 'b' }, time)]
    expect(await listNotes(store, all)).toEqual([
      { id: second, text: 'b', created_at: time },
      { id: first, text: 'a', created_at: time },
    ])
  })

  it('lists a page of notes', async () => {
    for (const text of ['a', 'b', 'c']) await addNote(store, { text }, time)
    expect((await listNotes(store, { limit: 1, offset: 1 })).map(({ text }) => text)).toEqual(['b'])
  })

  it('deletes a note by id', async () => {
    const id = await addNote(store, { text: 'a' }, time)
    await deleteNote(store, { id })
    expect(await listNotes(store, all)).toEqual([])
    await expect(deleteNote(store, { id })).rejects.toMatchObject({ code: 'note_not_found' })
  })
})
