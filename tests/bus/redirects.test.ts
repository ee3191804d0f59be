// Tests of redirects by handlers and webhooks: followed only if the body and the origin stay the same.
import { describe, expect, it } from 'vitest'
import { delivering } from './delivering.ts'
import { place } from './place.ts'
import { buses, createCollectionAndUser, target } from './support.ts'

describe.each(buses())('a redirect on $dialect', (tested) => {
  const { queue, callBack } = tested

  it.each([301, 302, 303])('of a webhook fails if %i would drop the body', async (status) => {
    const elsewhere = place()
    const moved = target(`/redirect?${new URLSearchParams({ status: `${status}`, to: elsewhere.url })}`)
    const { posted, read } = await delivering(tested, target('/echo'), moved)
    await callBack(await posted())
    expect(await read()).toMatchObject({ state: 'waiting', webhook_status: status })
    expect([queue.takeTasks(), await elsewhere.visits()]).toMatchObject([[{ delay: expect.any(Number) }], []])
  })

  it('is followed within an origin, with method, headers and body', async () => {
    const elsewhere = place()
    const moved = target(`/redirect?${new URLSearchParams({ status: '308', to: elsewhere.url })}`)
    const { posted, read } = await delivering(tested, target('/echo'), moved)
    await callBack(await posted())
    const [visit] = await elsewhere.visits()
    expect(visit).toMatchObject({ method: 'POST', headers: { 'webhook-id': expect.stringMatching(/^res_/) } })
    expect(JSON.parse(visit!.body)).toMatchObject({ content: { document: { id: 1 } } })
    expect(await read()).toMatchObject({ state: 'delivered', webhook_status: 200 })
  })

  it('of a handler is its final response if it would drop the document', async () => {
    const elsewhere = place()
    const moved = target(`/redirect?${new URLSearchParams({ status: '302', to: elsewhere.url })}`)
    const { collection, client } = await createCollectionAndUser(tested, 'sync', { handler: moved })
    const sent = { collection: collection.name, event: 'ask', uuid: crypto.randomUUID(), data: 1 }
    expect(await tested.send('POST', '/document', sent, client.secret)).toMatchObject({
      json: { content: { response: { status_code: 302, body: '' } } },
    })
    expect(await elsewhere.visits()).toHaveLength(0)
  })
})
