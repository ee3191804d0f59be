// Tests of single entries of the replication log, which administrators read like documents of the collection `system`.
import { describe, expect, it } from 'vitest'
import { buses, busOn, createCollectionAndUser, errorReply, fresh } from './support.ts'

const system = { BOX_IS_SYSTEM: 'true', BOX_INSTANCES: 'http://127.0.0.1:1' }

describe.each(buses(system))('a change in the log on $dialect', (tested) => {
  const { send, content } = tested

  it('is read like a document', async () => {
    const name = fresh()
    await content('POST', '/collection', { name, type: 'storage' })
    const { documents } = await content('GET', '/documents', { collection: 'system', limit: 1000 })
    const listed = documents as unknown as { id: number; data: { name: string } }[]
    const change = listed.findLast(({ data }) => data.name === name)!
    expect(await content('GET', '/document', { collection: 'system', id: change.id })).toEqual({
      document: expect.objectContaining({
        ...change,
        collection: 'system',
        state: null,
        response: null,
        created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2} /),
      }),
    })
  })

  it('is on a page with the change before it, also with a page limit of 1', async () => {
    for (const name of [fresh(), fresh()]) await content('POST', '/collection', { name, type: 'storage' })
    const other = busOn({ ...tested.env, dialect: tested.dialect } as never, { BOX_FETCH_LIMIT: '1' })
    const { documents } = await other.content('GET', '/documents', { collection: 'system', limit: 100 })
    expect(documents).toHaveLength(2)
  })

  it('gets 404 for an unknown id, and 403 for users who are not administrators', async () => {
    const of = { collection: 'system', id: 999_999 }
    expect(await send('GET', '/document', of)).toMatchObject(errorReply(404, 'document_not_found'))
    const { client } = await createCollectionAndUser(tested, 'storage')
    expect(await send('GET', '/document', of, client.secret)).toMatchObject(errorReply(403, 'forbidden'))
  })
})
