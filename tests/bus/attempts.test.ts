// Tests of the record of attempts: the calls to handlers and webhooks, with the beginning of each answer.
import { beforeEach, describe, expect, it } from 'vitest'
import { personalData } from '#bus/person'
import { sweepExpiredDocuments } from '#bus/retention'
import { personsIn } from '../support/person.ts'
import { delivering } from './delivering.ts'
import { nowhere, place } from './place.ts'
import { buses, createCollectionAndUser, errorReply, target } from './support.ts'

describe.each(buses())('the attempts of a document on $dialect', (tested) => {
  const { queue, callBack, content, bus } = tested

  beforeEach(() => queue.takeTasks())

  const attemptsOf = async (collection: string, more: object = {}) => {
    const { attempts } = await content('GET', '/document/attempts', { collection, id: 1, ...more })
    return attempts as unknown as Record<string, unknown>[]
  }

  it('have the status, the headers and the beginning of each answer, without credentials', async () => {
    const moved = target(`/redirect?${new URLSearchParams({ status: '302', to: 'http://a.test/b?token=sesame' })}`)
    const { posted, set, collection } = await delivering(tested, moved, target('/echo'))
    await callBack(await posted())
    await tested.send('PATCH', '/collection', { id: collection.id, handler: target('/echo') })
    await set({ next_at: new Date(), data: '{"order":1,"password":"sesame"}' })
    await callBack(queue.takeTasks()[0]!)
    const attempts = await attemptsOf(collection.name)
    expect(attempts).toMatchObject([
      { target: 'handler', attempt: 1, status: 302, error: null, headers: { location: 'http://a.test/b' }, body: '' },
      { target: 'handler', attempt: 2, status: 200, headers: { 'content-type': 'application/json' } },
      { target: 'webhook', attempt: 1, status: 200 },
    ])
    expect(attempts[1]!.body).toContain('order')
    expect(JSON.stringify(attempts)).not.toContain('sesame')
    expect(Object.keys(attempts[0]!).toSorted()).toEqual(
      ['attempt', 'body', 'duration_ms', 'error', 'headers', 'id', 'started_at', 'status', 'target'],
    ) // biome-ignore format: one line
    expect(await attemptsOf(collection.name, { limit: 1, after: attempts[0]!.id })).toEqual([attempts[1]])
    expect(await attemptsOf(collection.name, { target: 'webhook' })).toEqual([attempts[2]])
  })

  it('name the reason if there is no answer', async () => {
    const { posted, collection } = await delivering(tested, nowhere, target('/echo'))
    await callBack(await posted())
    expect(await attemptsOf(collection.name)).toMatchObject([
      { target: 'handler', attempt: 1, status: null, error: 'unreachable', headers: null, body: null },
    ])
  })

  it('have at most a kilobyte of the answer, and are the last 20', async () => {
    const { posted, set, collection, read } = await delivering(tested, target('/large'), target('/empty?status=500'))
    await callBack(await posted())
    for (let n = 0; n < 22; n++) {
      await set({ next_at: new Date() })
      await callBack(queue.takeTasks()[0]!)
    }
    expect(await read()).toMatchObject({ attempts: 1, webhook_attempts: 23 })
    const attempts = await attemptsOf(collection.name)
    expect(attempts.map(({ target, attempt }) => `${target} ${attempt}`)).toEqual([
      'handler 1',
      ...Array.from({ length: 20 }, (_, n) => `webhook ${n + 4}`),
    ])
    expect(attempts[0]!.body).toBe('x'.repeat(1_024))
  })

  it('of a sync collection are recorded too', async () => {
    const handler = place({ statuses: '503,200' })
    const { collection, client } = await createCollectionAndUser(tested, 'sync', { handler: handler.url })
    const sent = { collection: collection.name, event: 'e', uuid: crypto.randomUUID(), data: 1 }
    await tested.send('POST', '/document', sent, client.secret)
    await tested.send('POST', '/document', sent, client.secret)
    expect(await attemptsOf(collection.name)).toMatchObject([
      { attempt: 1, status: 503 },
      { attempt: 2, status: 200 },
    ])
  })

  it('need read access', async () => {
    const { collection } = await createCollectionAndUser(tested, 'async')
    const { client } = await createCollectionAndUser(tested, 'async')
    const of = { collection: collection.name, id: 1 }
    expect(await tested.send('GET', '/document/attempts', of, client.secret)).toMatchObject(
      errorReply(403, 'forbidden'),
    )
    expect(await tested.send('GET', '/document/attempts', of)).toMatchObject(errorReply(404, 'document_not_found'))
  })

  it('are deleted with their document', async () => {
    const { posted, set, collection, post, sent } = await delivering(tested, target('/echo'), target('/echo'))
    await callBack(await posted())
    sent.uuid = crypto.randomUUID()
    await post()
    queue.takeTasks()
    await set({ created_at: new Date(0) })
    await sweepExpiredDocuments({ ...tested.env, BOX_RETENTION: '60' })
    const left = await bus.db.select().from(bus.attempts)
    expect(left.filter((attempt) => attempt.collection === collection.id)).toEqual([])
  })

  it('lose the answer that mentions an erased person, and are deleted with an erased document', async () => {
    const user = crypto.randomUUID()
    const { erase, read } = personsIn(personalData, tested.env)
    const answering = target(`/large?begins=${encodeURIComponent(`{"user":"${user}","rest":"`)}`)
    const first = await delivering(tested, answering, place().url)
    await callBack(await first.posted())
    const second = await delivering(tested, target('/echo'), place().url)
    const task = await second.posted()
    await second.set({ data: JSON.stringify({ user }) })
    await callBack(task)
    expect(await read({ user })).toHaveLength(3)
    expect(await erase({ user })).toMatchObject({ documents: 1, attempts: 1 })
    expect(await attemptsOf(first.collection.name)).toMatchObject([{ status: 200, body: null, headers: null }, {}])
    expect(await attemptsOf(second.collection.name)).toEqual([])
    expect(await erase({ user })).toEqual({})
  })
})
