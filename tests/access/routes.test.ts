import { describe, expect, it } from 'vitest'
import Access from '../../workers/access/index.ts'
import { databases } from '../support/databases.ts'
import { boundOn, startWith } from '../support/requests.ts'

describe.each(databases)('access on $dialect', (database) => {
  const { send } = startWith(Access, boundOn(database))

  it('adds, lists and deletes a note', async () => {
    const added = await send('POST', '/note', { text: 'Buy milk' })
    const { id } = added.json.content as unknown as { id: number }
    expect(added).toEqual({ status: 201, json: { status: true, content: { id } } })

    const listed = await send('GET', '/notes', { limit: 1 })
    expect(listed.json).toMatchObject({ content: { notes: [{ id, text: 'Buy milk' }] } })

    expect(await send('DELETE', '/note', { id })).toEqual({ status: 200, json: { status: true } })
    expect(await send('DELETE', '/note', { id })).toMatchObject({
      status: 404,
      json: { status_code: 'note_not_found' },
    })
  })

  it('adds one note for all retries with an Idempotency-Key', async () => {
    const add = () => send('POST', '/note', { text: 'Once' }, { 'idempotency-key': `once on ${database.dialect}` })
    const [first, second] = [await add(), await add()]
    expect(second).toEqual(first)
  })

  it('rejects a note without a text', async () => {
    expect(await send('POST', '/note')).toMatchObject({
      status: 400,
      json: { status_code: 'validation_failed', errors: { text: expect.any(String) } },
    })
  })
})
