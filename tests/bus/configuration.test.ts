// Tests of the bus's variables: invalid values are refused with 503, and each has its documented effect.
import { describe, expect, it } from 'vitest'
import { backUrlOf, instancesOf, isSystem } from '#bus/env'
import { databases } from '../support/databases.ts'
import { adminSecret, busOn, createCollectionAndUser, errorReply, target } from './support.ts'

const [database] = databases

describe('the configuration', () => {
  it.each([
    [{ LOCAL: '' }, 'BOX_ADMIN_USER'],
    [{ BOX_ADMIN_SECRET: '' }, 'BOX_ADMIN_SECRET'],
    [{ BOX_FETCH_LIMIT: 'many' }, 'BOX_FETCH_LIMIT'],
    [{ BOX_FETCH_LIMIT: '0' }, 'BOX_FETCH_LIMIT'],
    [{ BOX_FETCH_LIMIT: '1001' }, 'BOX_FETCH_LIMIT'],
    [{ BOX_ADMIN_SECRET: 'the secret of the tests\n' }, 'BOX_ADMIN_SECRET'],
    [{ BOX_ADMIN_SECRET: ' a secret of the tests' }, 'BOX_ADMIN_SECRET'],
    [{ BOX_ADMIN_SECRET: 'the sécret of the tests' }, 'BOX_ADMIN_SECRET'],
    [{ BOX_IS_SYSTEM: 'TRUE' }, 'BOX_IS_SYSTEM'],
    [{ BOX_IS_SYSTEM: 'yes' }, 'BOX_IS_SYSTEM'],
    [{ BOX_SIGNING_SECRET: 'short' }, 'BOX_SIGNING_SECRET'],
    [{ BOX_IS_SYSTEM: 'true' }, 'BOX_INSTANCES'],
    [{ BOX_IS_SYSTEM: 'true', BOX_INSTANCES: 'bus.example.com' }, 'BOX_INSTANCES'],
    [{ BOX_IS_SYSTEM: 'true', BOX_INSTANCES: 'https://eu.bus.com,http://us.bus.com' }, 'BOX_INSTANCES'],
    [{ BOX_IS_SYSTEM: 'true', BOX_INSTANCES: 'http://203.0.114.1:8787/bus' }, 'BOX_INSTANCES'],
  ])('is rejected with %j, and the error names the variable', async (variables, name) => {
    const reply = await busOn(database!, variables).send('GET', '/collections')
    expect(reply).toMatchObject(errorReply(503, 'not_configured'))
    expect(JSON.stringify(reply.json)).toContain(name)
  })

  it.each([
    'https://eu.bus.com/bus',
    'http://localhost:1/bus',
    'http://10.0.0.7/bus',
    'http://bus.internal',
    'http://bus:80',
  ])('accepts an instance at %s', (BOX_INSTANCES) => {
    expect(instancesOf({ BOX_IS_SYSTEM: 'true', BOX_INSTANCES } as never)).toEqual([BOX_INSTANCES])
  })

  it.each(['', '0', 'false'])('has no replication with BOX_IS_SYSTEM=%j', (BOX_IS_SYSTEM) => {
    expect(isSystem({ BOX_IS_SYSTEM } as never)).toBe(false)
  })

  it.each(['', 'bus.example.com'])('rejects async documents if QUEUE_BACK_URL is %j', async (QUEUE_BACK_URL) => {
    const tested = busOn(database!, { QUEUE_BACK_URL, SELF_URL: '', BASE_URL: '' })
    const { collection } = await createCollectionAndUser(tested, 'async')
    const document = { collection: collection.name, event: 'e', uuid: crypto.randomUUID(), data: 1 }
    const reply = await tested.send('POST', '/document', { ...document, webhook: target('/echo') })
    expect(reply).toMatchObject(errorReply(503, 'not_configured'))
    expect(JSON.stringify(reply.json)).toContain('QUEUE_BACK_URL')
    expect(await tested.content('GET', '/documents/count', { collection: collection.name })).toEqual({ documents: 0 })
  })

  it('does not protect the health endpoint', async () => {
    const { fetch } = busOn(database!, { BOX_ADMIN_SECRET: '' })
    expect((await fetch('http://bus/_health')).status).toBe(200)
  })

  it('shows the health checks to the administrator only', async () => {
    const { as, queue } = busOn(database!, { LOCAL: '', BOX_ADMIN_USER: 'admin' })
    const health = async (secret: string | undefined) => {
      const response = await as(secret)('http://bus/_health')
      return [response.status, ((await response.json()) as { content: object }).content]
    }
    for (const secret of [undefined, '']) expect(await health(secret)).toEqual([200, { state: 'up' }])
    expect(await health('another secret of no user')).toEqual([401, undefined])
    queue.isDown = true
    expect(await health(adminSecret)).toMatchObject([
      503,
      { dependencies: { database: { state: 'up' }, queue: { state: 'down' } } },
    ])
    const whole = busOn(database!, { LOCAL: '', BOX_ADMIN_USER: 'admin' })
    const response = await whole.as(adminSecret)('http://bus/_health')
    expect(await response.json()).toMatchObject({
      content: { dependencies: { database: { state: 'up' }, queue: { state: 'up' } } },
    })
  })

  it('does not accept AUTH_TOKENS as the secret of a user', async () => {
    const { as } = busOn(database!, { AUTH_TOKENS: 'token' })
    const response = await as(undefined, { authorization: 'Bearer token' })('http://bus/collections')
    expect(response.status).toBe(401)
  })

  it('limits the documents of a page', async () => {
    const tested = busOn(database!, { BOX_FETCH_LIMIT: '2' })
    const { collection } = await createCollectionAndUser(tested, 'storage')
    const document = { collection: collection.name, event: 'e', data: 1 }
    for (let n = 0; n < 3; n++) await tested.send('POST', '/document', { ...document, uuid: crypto.randomUUID() })
    for (const limit of [undefined, 2, 1_000]) {
      const { documents } = await tested.content('GET', '/documents', {
        collection: collection.name,
        ...(limit && { limit }),
      })
      expect(documents).toHaveLength(2)
    }
  })

  it('sets the worker of the queue', async () => {
    const tested = busOn(database!, { QUEUE_WORKER: 'mine', QUEUE_BACK_URL: 'http://here.test/bus/' })
    const { collection } = await createCollectionAndUser(tested, 'async')
    const document = { collection: collection.name, event: 'e', uuid: crypto.randomUUID(), data: 1 }
    await tested.send('POST', '/document', { ...document, webhook: target('/echo') })
    expect(tested.queue.takeTasks()).toMatchObject([{ worker: 'mine', url: 'http://here.test/bus/callback' }])
  })

  it('sets the URL for calls of the queue', () => {
    expect(backUrlOf({ SELF_URL: 'http://self', BASE_URL: 'http://base' } as never)).toBe('http://self')
    expect(backUrlOf({ BASE_URL: 'http://base' } as never)).toBe('http://base/bus')
    expect(backUrlOf({ BASE_URL: 'http://{component}.base' } as never)).toBe('http://bus.base')
    expect(() => backUrlOf({} as never)).toThrow('QUEUE_BACK_URL')
  })

  it('serves requests even if the replication object is down', async () => {
    const SYNCHRONISER = { getByName: () => ({ follow: () => Promise.reject(new Error('It is not there')) }) } as never
    const instances = { BOX_IS_SYSTEM: 'true', BOX_INSTANCES: 'http://127.0.0.1:1' }
    expect((await busOn(database!, { ...instances, SYNCHRONISER }).send('GET', '/clients')).status).toBe(200)
  })

  it('has no log of changes without BOX_IS_SYSTEM', async () => {
    const reply = await busOn(database!).send('GET', '/documents', { collection: 'system' })
    expect(reply).toMatchObject(errorReply(404, 'collection_not_found'))
    expect(await busOn(database!).content('GET', '/synchronisation')).toEqual({ instances: [], conflicts: [] })
  })
})
