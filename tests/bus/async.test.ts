// Tests of async collections: the queue's callback delivers a document to its handler, and the answer to its webhook.
import { describe, expect, it } from 'vitest'
import { isFull } from '../support/tier.ts'
import { delivering } from './delivering.ts'
import { nowhere, place } from './place.ts'
import { buses, createCollectionAndUser, errorReply, type Task, target, validationError } from './support.ts'

const minute = 60_000

describe.each(buses())('an async collection on $dialect', (tested) => {
  const { queue, callBack } = tested

  it('stores a document, and creates a task in the queue', async () => {
    const { sent, post, read, collection } = await delivering(tested, target('/echo'), target('/echo'))
    expect(await post()).toEqual({ status: 201, json: { status: true, content: { document: { ...sent, id: 1 } } } })
    const [task] = queue.takeTasks()
    expect(task).toMatchObject({
      worker: 'bus',
      key: `collection/${collection.id}/1`,
      url: 'http://bus.test/callback',
      json: { collection: collection.id, document: 1 },
      delay: 0,
      timeout: 60,
      retries: 5,
      retry_delay: 1,
    })
    expect(await read()).toMatchObject({ state: 'waiting', attempts: 0, response: null })
  })

  it('posts the response of the handler to the webhook', async () => {
    const webhook = place()
    const { posted, read, collection } = await delivering(tested, target('/echo'), webhook.url)
    const listed = () => tested.content('GET', '/documents', { collection: collection.name })
    const task = await posted()
    expect(await listed()).toMatchObject({ documents: [{ id: 1, state: 'waiting', attempts: 0, webhook_attempts: 0 }] })
    expect(await callBack(task)).toEqual({ status: 200, json: { status: true } })
    const [visit] = await webhook.visits()
    const { status, content } = JSON.parse(visit!.body)
    expect(status).toBe(true)
    expect(content).toEqual({
      document: { id: 1 },
      response: { status_code: 200, body: expect.objectContaining({ method: 'POST' }) },
    })
    expect(visit!.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^res_/),
    })
    expect(await listed()).toMatchObject({ documents: [{ state: 'delivered', attempts: 1, webhook_attempts: 1 }] })
    expect(await read()).toMatchObject({
      state: 'delivered',
      attempts: 1,
      webhook_attempts: 1,
      webhook_status: 200,
      response: content.response,
      next_at: null,
    })
  })

  it('does nothing for a repeated task of a delivered document', async () => {
    const [handler, webhook] = [place(), place()]
    const { posted } = await delivering(tested, handler.url, webhook.url)
    const task = await posted()
    for (const id of [task.id, task.id, 'another']) expect((await callBack({ ...task, id })).status).toBe(200)
    expect([(await handler.visits()).length, (await webhook.visits()).length]).toEqual([1, 1])
  })

  it('retries a failed handler by the schedule', async () => {
    const [handler, webhook] = [place({ statuses: '500,503,200' }), place()]
    const { posted, read, set } = await delivering(tested, handler.url, webhook.url)
    let task = await posted()
    for (const delay of [10, 60]) {
      await callBack(task)
      ;[task] = queue.takeTasks() as [Task]
      expect(task.delay).toBeGreaterThanOrEqual(delay)
      expect(task.delay).toBeLessThanOrEqual(delay * 1.2)
      // The document is not due yet. A callback before that, from another task or a queue whose clock is ahead, must do nothing.
      await set({ next_at: new Date(Date.now() + minute) })
      await callBack(task)
      expect(await read()).toMatchObject({ state: 'waiting', response: { status_code: expect.any(Number) } })
      await set({ next_at: new Date() })
    }
    await callBack(task)
    const visits = await handler.visits()
    expect(new Set(visits.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(visits).toHaveLength(3)
    expect(await webhook.visits()).toHaveLength(1)
    expect(await read()).toMatchObject({ state: 'delivered', attempts: 3 })
  })

  it('gives up without a webhook when the schedule has ended', async () => {
    const webhook = place()
    const { posted, read, set } = await delivering(tested, nowhere, webhook.url)
    const task = await posted()
    await set({ attempts: 78 })
    await callBack(task)
    expect(await read()).toMatchObject({ state: 'failed', response: { status_code: 502, body: null }, next_at: null })
    expect([queue.takeTasks(), await webhook.visits()]).toEqual([[], []])
  })

  it('posts a webhook again until it answers 2xx, without calling the handler again', async () => {
    const [handler, webhook] = [place({ statuses: '404' }), place({ statuses: '500,301,204' })]
    const { posted, read, set } = await delivering(tested, handler.url, webhook.url)
    await callBack(await posted())
    for (const delay of [10, 60]) {
      const [task] = queue.takeTasks()
      expect(task!.delay).toBeGreaterThanOrEqual(delay)
      expect(task!.delay).toBeLessThanOrEqual(delay * 1.2)
      await set({ next_at: new Date() })
      await callBack(task!)
    }
    const visits = await webhook.visits()
    expect(new Set(visits.map(({ headers, body }) => headers['webhook-id'] + body)).size).toBe(1)
    expect([visits.length, (await handler.visits()).length]).toEqual([3, 1])
    expect(await read()).toMatchObject({ state: 'rejected', attempts: 1, webhook_attempts: 3, webhook_status: 204 })
  })

  it('continues with the webhook after a crash before it, when the lease has expired', async () => {
    const [handler, webhook] = [place(), place()]
    const { posted, set } = await delivering(tested, handler.url, webhook.url)
    const task = await posted()
    const kept = { status_code: 200, body: '"kept"', holder: 'gone', attempts: 1 }
    await set({ ...kept, lease_until: new Date(Date.now() + 10 * minute) })
    await callBack(task)
    expect(await webhook.visits()).toHaveLength(0)
    const [next] = queue.takeTasks()
    expect(next!.delay).toBeGreaterThan(500)
    expect(next!.delay).toBeLessThanOrEqual(600)
    await set({ lease_until: new Date() })
    await callBack(next!)
    expect(JSON.parse((await webhook.visits())[0]!.body).content.response.body).toBe('kept')
    expect(await handler.visits()).toHaveLength(0)
  })

  it('lets another task take over when a lease has expired', async () => {
    const [handler, webhook] = [place(), place()]
    const { posted, set } = await delivering(tested, handler.url, webhook.url)
    const task = await posted()
    await set({ holder: 'gone', lease_until: new Date(Date.now() - 1) })
    await callBack(task)
    expect(await webhook.visits()).toHaveLength(1)
  })

  it.each(['the same', 'another'])('calls the handler once if %s task runs again', async (which) => {
    const [handler, webhook] = [place({ hold: '1' }), place()]
    const { posted } = await delivering(tested, handler.url, webhook.url)
    const task = await posted()
    const first = callBack(task)
    await handler.arrived(1)
    await callBack({ ...task, ...(which === 'another' && { id: which }) })
    const [next] = queue.takeTasks()
    await handler.release()
    await first
    await callBack(next!)
    expect([(await handler.visits()).length, (await webhook.visits()).length]).toEqual([1, 1])
  })

  it('returns 502 if the queue refuses a task, and creates it on a retry', async () => {
    const { post, read } = await delivering(tested, target('/echo'), target('/echo'))
    queue.isDown = true
    expect(await post()).toMatchObject(errorReply(502, 'queue_failed'))
    queue.isDown = false
    expect(await read()).toMatchObject({ state: 'waiting' })
    expect(await post()).toMatchObject({ status: 201, json: { content: { document: { id: 1 } } } })
    expect(queue.takeTasks()).toHaveLength(1)
  })

  it('creates one task for repeated calls while the worker is busy', async () => {
    const { post, set } = await delivering(tested, target('/echo'), target('/echo'))
    await post()
    await set({ next_at: new Date(Date.now() - 10 * minute) })
    await Promise.all(Array.from({ length: 30 }, post))
    expect(queue.takeTasks()).toHaveLength(1)
  })

  it('creates one task for repeated calls after the queue refused the first', async () => {
    const { post, read, sent, collection } = await delivering(tested, target('/echo'), target('/echo'))
    queue.isDown = true
    await post()
    queue.isDown = false
    const { next_at, created_at } = await read()
    expect([next_at, sent.collection]).toEqual([created_at, collection.name])
    await Promise.all(Array.from({ length: 30 }, post))
    expect(queue.takeTasks()).toHaveLength(1)
  })

  it('creates no second task on a retry of a document that is done or not due', async () => {
    const { post, posted, set } = await delivering(tested, target('/echo'), target('/echo'))
    const task = await posted()
    await set({ next_at: new Date(Date.now() + minute) })
    expect((await post()).status).toBe(201)
    await set({ next_at: new Date() })
    await callBack(task)
    expect((await post()).status).toBe(201)
    expect(queue.takeTasks()).toHaveLength(0)
  })

  it('fails if the next task cannot be created, and the sweep creates it later', async () => {
    const { posted, set, collection } = await delivering(tested, nowhere, target('/echo'))
    const task = await posted()
    queue.isDown = true
    expect(await callBack(task)).toMatchObject(errorReply(502, 'queue_failed'))
    queue.isDown = false
    await tested.sweep()
    expect(ofCollection(collection.id)).toHaveLength(0)
    await set({ next_at: new Date(Date.now() - 2 * minute) })
    await tested.sweep()
    expect(ofCollection(collection.id)).toMatchObject([{ json: { document: 1 }, delay: 0 }])
  })

  it('queues a document once, however many sweeps run before its task', async () => {
    const { posted, set, collection } = await delivering(tested, nowhere, target('/echo'))
    await posted()
    await set({ next_at: new Date(Date.now() - 2 * minute) })
    await Promise.all([tested.sweep(), tested.sweep()])
    await tested.sweep()
    expect(ofCollection(collection.id)).toHaveLength(1)
  })

  const ofCollection = (id: number) => queue.takeTasks().filter(({ json }) => json.collection === id)

  it('does not queue documents with a lease in a sweep', async () => {
    const { posted, set, collection } = await delivering(tested, nowhere, target('/echo'))
    const task = await posted()
    const overdue = { next_at: new Date(Date.now() - 2 * minute), holder: task.id }
    await set({ ...overdue, lease_until: new Date(Date.now() + minute) })
    await tested.sweep()
    expect(ofCollection(collection.id)).toHaveLength(0)
    await set({ ...overdue, lease_until: new Date(0) })
    await tested.sweep()
    expect(ofCollection(collection.id)).toHaveLength(1)
  })

  it('calls the handler again on a replay of a failed document', async () => {
    const [handler, webhook] = [place({ statuses: '500,200' }), place()]
    const { posted, read, replay, set } = await delivering(tested, handler.url, webhook.url)
    await set({ attempts: 78 })
    const task = await posted()
    await set({ attempts: 78 })
    await callBack(task)
    expect(await read()).toMatchObject({ state: 'failed', attempts: 79 })
    await replay()
    await callBack(queue.takeTasks()[0]!)
    expect(await read()).toMatchObject({ state: 'delivered', attempts: 1 })
  })

  it('refuses to replay a document that is being delivered', async () => {
    const { posted, replay, set } = await delivering(tested, nowhere, nowhere)
    await posted()
    await set({ holder: 'somebody', lease_until: new Date(Date.now() + minute) })
    expect(await replay()).toMatchObject(errorReply(409, 'document_processing'))
  })

  it('accepts callbacks from the queue only', async () => {
    const { posted } = await delivering(tested, nowhere, nowhere)
    const task = await posted()
    const denied = errorReply(401, 'unauthorized')
    for (const secret_headers of [{}, { 'bus-proof': '' }, { 'bus-proof': 'x' }, { 'bus-proof': '0'.repeat(64) }])
      expect(await callBack({ ...task, secret_headers })).toMatchObject(denied)
    expect(await callBack({ ...task, json: { ...task.json, document: 2 } })).toMatchObject(denied)
    expect(await callBack({ ...task, json: {} as never })).toMatchObject(denied)
    expect(await tested.send('POST', '/callback', task.json)).toMatchObject(denied)
  })

  it('does nothing when its collection is deleted', async () => {
    const { posted, collection } = await delivering(tested, nowhere, nowhere)
    const task = await posted()
    await tested.send('DELETE', '/collection', { id: collection.id, force: true })
    expect((await callBack(task)).status).toBe(200)
  })

  it('requires a webhook, and says so only to users with write access', async () => {
    const { sent, client } = await delivering(tested, nowhere, nowhere)
    const { webhook: _, ...without } = sent
    expect(await tested.send('POST', '/document', without, client.secret)).toMatchObject(validationError('webhook'))
    for (const webhook of ['no url', 'ftp://x', 'http://a:b@x.example'])
      expect(await tested.send('POST', '/document', { ...sent, webhook }, client.secret)).toMatchObject(
        validationError('webhook'),
      )
    const stranger = await createCollectionAndUser(tested, 'storage')
    expect(await tested.send('POST', '/document', without, stranger.client.secret)).toMatchObject(
      errorReply(403, 'forbidden'),
    )
  })

  it('refuses a uuid that came with another webhook', async () => {
    const { sent, client, post } = await delivering(tested, nowhere, nowhere)
    await post()
    const other = { ...sent, webhook: target('/other') }
    expect(await tested.send('POST', '/document', other, client.secret)).toMatchObject(errorReply(409, 'uuid_taken'))
  })
})

it.runIf(isFull)('returns 504 if the queue does not answer in time', async () => {
  const [tested] = buses()
  const { post, read } = await delivering(tested!, target('/echo'), target('/echo'))
  tested!.queue.isSlow = true
  expect(await post()).toMatchObject(errorReply(504, 'queue_timeout'))
  expect(await read()).toMatchObject({ state: 'waiting' })
})
