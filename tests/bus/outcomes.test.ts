// Tests of each kind of response of a handler or webhook: final, retried or rejected.
import { describe, expect, it } from 'vitest'
import { delivering } from './delivering.ts'
import { place } from './place.ts'
import { buses, createCollectionAndUser, target } from './support.ts'

const retried = [300, 301, 302, 303, 304, 408, 425, 429, 500, 501, 503]
const rejected = [400, 401, 403, 404, 410, 422]

describe.each(buses())('the response of an async handler on $dialect', (tested) => {
  const { queue, callBack } = tested

  it.each(retried)('%i is retried, without a webhook', async (status) => {
    const [handler, webhook] = [place({ statuses: `${status},200` }), place()]
    const { posted, read, set } = await delivering(tested, handler.url, webhook.url)
    await callBack(await posted())
    expect(await read()).toMatchObject({ state: 'waiting', response: { status_code: status }, attempts: 1 })
    expect(await webhook.visits()).toHaveLength(0)
    await set({ next_at: new Date() })
    await callBack(queue.takeTasks()[0]!)
    expect(await read()).toMatchObject({ state: 'delivered', response: { status_code: 200 }, attempts: 2 })
  })

  it.each([301, 302, 303])('%i is retried if it would change the method', async (status) => {
    const elsewhere = place()
    const moved = target(`/redirect?${new URLSearchParams({ status: `${status}`, to: elsewhere.url })}`)
    const { posted, read } = await delivering(tested, moved, target('/echo'))
    await callBack(await posted())
    expect(await read()).toMatchObject({ state: 'waiting', response: { status_code: status } })
    expect([queue.takeTasks().length, await elsewhere.visits()]).toEqual([1, []])
  })

  it.each(rejected)('%i is final: it is sent to the webhook, and the document is rejected', async (status) => {
    const [handler, webhook] = [place({ statuses: `${status}` }), place()]
    const { posted, read } = await delivering(tested, handler.url, webhook.url)
    await callBack(await posted())
    const [visit] = await webhook.visits()
    expect(JSON.parse(visit!.body)).toEqual({
      status: true,
      content: { document: { id: 1 }, response: { status_code: status, body: '' } },
    })
    expect(await read()).toMatchObject({ state: 'rejected', attempts: 1, next_at: null, webhook_status: 200 })
    expect(queue.takeTasks()).toEqual([])
  })

  it.each([429, 503])('%i is retried after its Retry-After', async (status) => {
    const handler = place({ statuses: `${status}`, retry_after: '120' })
    const { posted } = await delivering(tested, handler.url, target('/echo'))
    await callBack(await posted())
    expect(queue.takeTasks()).toMatchObject([{ delay: 120 }])
  })

  it.each([
    ['429', '1', [10, 12]],
    ['503', '86400', [3_600, 3_600]],
    ['500', '120', [10, 12]],
    ['429', 'soon', [10, 12]],
  ])('%s with Retry-After %s is retried after %j seconds', async (statuses, retry_after, [least, most]) => {
    const { posted } = await delivering(tested, place({ statuses, retry_after }).url, target('/echo'))
    await callBack(await posted())
    const { delay } = queue.takeTasks()[0]!
    expect(delay).toBeGreaterThanOrEqual(least!)
    expect(delay).toBeLessThanOrEqual(most!)
  })

  it('of a webhook is retried after its Retry-After', async () => {
    const webhook = place({ statuses: '429', retry_after: '120' })
    const { posted } = await delivering(tested, target('/echo'), webhook.url)
    await callBack(await posted())
    expect(queue.takeTasks()).toMatchObject([{ delay: 120 }])
  })
})

describe.each(buses())('a replay on $dialect', (tested) => {
  const { queue, callBack } = tested

  it.each([200, 404, 429])('calls the handler again after status %i', async (status) => {
    const [handler, webhook] = [place({ statuses: `${status},201` }), place()]
    const { posted, read, replay } = await delivering(tested, handler.url, webhook.url)
    await callBack(await posted())
    queue.takeTasks()
    const visitsBefore = (await webhook.visits()).length
    expect(await replay()).toMatchObject({
      status: 200,
      json: { content: { document: { state: 'waiting', attempts: 0, webhook_attempts: 0, response: null } } },
    })
    await callBack(queue.takeTasks()[0]!)
    expect(await handler.visits()).toHaveLength(2)
    expect(await read()).toMatchObject({ state: 'delivered', response: { status_code: 201 }, webhook_attempts: 1 })
    const visits = await webhook.visits()
    expect(JSON.parse(visits[visitsBefore]!.body).content.response.status_code).toBe(201)
    // The new answer has a new `webhook-id`, so that a receiver that ignores copies of a message does not ignore it.
    expect(new Set(visits.map(({ headers }) => headers['webhook-id'])).size).toBe(visitsBefore + 1)
    const calls = await handler.visits()
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })
})

describe.each(buses())('the response of a sync handler on $dialect', (tested) => {
  const handlerWith = async (statuses: string) => {
    const handler = place({ statuses })
    const { collection, client } = await createCollectionAndUser(tested, 'sync', { handler: handler.url })
    const sent = { collection: collection.name, event: 'ask', uuid: crypto.randomUUID(), data: 1 }
    const post = async () => {
      const { json } = await tested.send('POST', '/document', sent, client.secret)
      return (json.content as unknown as { response: { status_code: number } }).response.status_code
    }
    const state = async () => {
      const { document } = await tested.content('GET', '/document', { collection: collection.name, id: 1 })
      return (document as unknown as { state: string }).state
    }
    return { handler, post, state }
  }

  it.each([302, 408, 425, 429, 500])('%i is not final: a retry calls the handler again', async (status) => {
    const { handler, post, state } = await handlerWith(`${status},200`)
    expect([await post(), await state()]).toEqual([status, 'failed'])
    expect([await post(), await state()]).toEqual([200, 'delivered'])
    expect(await handler.visits()).toHaveLength(2)
  })

  it('404 is final: a retry gets the stored response, and the document is rejected', async () => {
    const { handler, post, state } = await handlerWith('404,200')
    expect([await post(), await post(), await state()]).toEqual([404, 404, 'rejected'])
    expect(await handler.visits()).toHaveLength(1)
  })
})
