// Tests how several instances of the bus copy each other's users, collections and access rights.
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../scripts/stack/port.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { ask } from '../http.ts'
import { only, start, temporary } from '../stack.ts'

const secret = 'the secret that all instances share'
const bus = only('bus')
const syncTimeoutMs = { timeout: 120_000, interval: 100 }

/** An instance of the bus at its own address, which can be stopped, restarted and emptied. */
class Site {
  readonly url: string
  readonly #port: number
  readonly #peers: () => Site[]
  #stateDir = temporary()
  #stack: Stack | undefined

  constructor(port: number, peers: () => Site[]) {
    this.#port = port
    this.#peers = peers
    this.url = `http://localhost:${port}/bus`
  }

  /** Starts the instance with a sweep before the first request, as after an idle time. */
  async startUnasked() {
    await this.#run()
    await this.#stack!.sweep()
  }

  async start() {
    await this.#run()
    // The first request to the instance starts its readers of the other instances.
    await this.ask('GET', '/synchronisation')
  }

  async #run() {
    const BOX_INSTANCES = this.#peers()
      .filter((peer) => peer !== this)
      .map(({ url }) => url)
      .join(',')
    const variables = { BOX_ADMIN_USER: 'root', BOX_ADMIN_SECRET: secret, BOX_IS_SYSTEM: 'true', BOX_INSTANCES }
    this.#stack = await start({ port: this.#port, stateDir: this.#stateDir, variables, components: bus })
  }

  async stop() {
    await this.#stack?.dispose()
    this.#stack = undefined
  }

  async forget() {
    await this.stop()
    await rm(this.#stateDir, { recursive: true })
    this.#stateDir = temporary()
  }

  /** Path of the database alone, without the durable objects that read from other instances. */
  get #database() {
    return join(this.#stateDir, 'v3', 'd1')
  }

  async forgetDatabase() {
    await this.stop()
    await rm(this.#database, { recursive: true })
  }

  async saveDatabase(copy: string) {
    await this.stop()
    await cp(this.#database, copy, { recursive: true })
  }

  async restoreDatabase(copy: string) {
    await this.forgetDatabase()
    await cp(copy, this.#database, { recursive: true })
  }

  async ask(method: string, path: string, params: object = {}, as = secret) {
    const { status, text } = await ask(this.url + path, {
      method,
      headers: { 'api-secret': as },
      body: JSON.stringify(params),
    })
    return { status, content: (JSON.parse(text).content ?? {}) as Record<string, never> }
  }

  /** The fields of a user that are the same on all instances. */
  async client(name: string) {
    const { client } = (await this.ask('GET', '/client', { name })).content
    return client as unknown as { id: number; is_disabled: boolean; is_admin: boolean; description: string } | undefined
  }

  async collection(name: string) {
    const { collection } = (await this.ask('GET', '/collection', { name })).content
    return collection as unknown as { id: number; is_disabled: boolean; description: string | null } | undefined
  }

  async createClient(params: object) {
    const { client } = (await this.ask('POST', '/client', params)).content
    return client as unknown as { id: number; name: string; secret: string }
  }

  async createCollection(name: string, params: object = {}) {
    const { collection } = (await this.ask('POST', '/collection', { name, type: 'storage', ...params })).content
    return collection as unknown as { id: number; name: string }
  }

  async log() {
    const { documents } = (await this.ask('GET', '/documents', { collection: 'system' })).content
    return (documents as unknown as { id: number; data: Record<string, unknown> }[]).map(({ data }) => data)
  }

  async instances() {
    const { instances } = (await this.ask('GET', '/synchronisation')).content
    return instances as unknown as {
      url: string
      error: string | null
      succeeded_at: string
      skipped: number
      position: number
    }[]
  }
}

let sites: Site[] = []

/** Starts this number of instances, each of which reads all others. */
async function system(size: number): Promise<Site[]> {
  sites = []
  for (let n = 0; n < size; n++) sites.push(new Site(await freePort(0), () => sites))
  await Promise.all(sites.map((site) => site.start()))
  return sites
}

afterEach(async () => {
  await Promise.all(sites.map((site) => site.stop()))
})

/** Checks that all instances return the same data, and returns how many objects they have. */
const agree = async (sites: Site[]) => {
  const logs = await Promise.all(sites.map((site) => site.log()))
  const sorted = logs.map((log) => log.map((data) => JSON.stringify(data)).sort())
  return sorted.every((log) => log.join() === sorted[0]!.join()) ? sorted[0]!.length : -1
}

const read = (site: Site, collection: string, as: string) => site.ask('GET', '/documents', { collection }, as)

describe('two instances', () => {
  it('share users, collections and access, but not documents', async () => {
    const [here, there] = (await system(2)) as [Site, Site]
    const ann = await here.createClient({ name: 'ann', description: 'a' })
    const bob = await there.createClient({ name: 'bob' })
    const orders = await here.createCollection('orders')
    await expect.poll(() => here.client('bob'), syncTimeoutMs).toBeDefined()
    await here.ask('POST', '/access', { client: ann.id, collection: orders.id, level: 'write' })
    await here.ask('POST', '/access', { client: (await here.client('bob'))!.id, collection: orders.id, level: 'read' })
    const document = { collection: 'orders', event: 'e', uuid: crypto.randomUUID(), data: 1 }
    await expect
      .poll(async () => (await there.ask('POST', '/document', document, ann.secret)).status, syncTimeoutMs)
      .toBe(201)
    await expect.poll(async () => (await read(here, 'orders', bob.secret)).status, syncTimeoutMs).toBe(200)
    expect((await there.ask('GET', '/documents/count', { collection: 'orders' })).content).toEqual({ documents: 1 })
    expect((await here.ask('GET', '/documents/count', { collection: 'orders' })).content).toEqual({ documents: 0 })
    await expect.poll(() => agree([here, there]), syncTimeoutMs).toBe(5)
    expect(JSON.stringify(await here.log())).not.toContain('root')
  })

  it('agree on changes made while one was down', async () => {
    const [here, there] = (await system(2)) as [Site, Site]
    const ann = await here.createClient({ name: 'ann' })
    const orders = await here.createCollection('orders')
    await here.ask('POST', '/access', { client: ann.id, collection: orders.id, level: 'write' })
    await expect.poll(async () => (await read(there, 'orders', ann.secret)).status, syncTimeoutMs).toBe(200)
    await there.stop()
    await here.ask('PATCH', '/client', { id: ann.id, description: 'changed' })
    await here.ask('DELETE', '/access', { client: ann.id, collection: orders.id })
    await here.ask('DELETE', '/collection', { id: orders.id })
    const renewed = (await here.ask('PATCH', '/client', { id: ann.id, renew_secret: true })).content
      .client as unknown as {
      secret: string
    }
    await expect.poll(async () => (await here.instances())[0]!.error, syncTimeoutMs).not.toBeNull()
    await there.start()
    await expect.poll(async () => (await read(there, 'orders', renewed.secret)).status, syncTimeoutMs).toBe(403)
    await expect.poll(() => there.collection('orders'), syncTimeoutMs).toMatchObject({ is_disabled: true })
    expect((await read(there, 'orders', ann.secret)).status).toBe(401)
    await expect.poll(async () => (await here.instances())[0]!.error, syncTimeoutMs).toBeNull()
    expect(await there.client('ann')).toMatchObject({ description: 'changed' })
  })

  it('resolve conflicts by the last change, and by the later name for simultaneous ones', async () => {
    const [here, there] = (await system(2)) as [Site, Site]
    await here.createCollection('orders')
    await expect.poll(() => there.collection('orders'), syncTimeoutMs).toBeDefined()
    const both = await Promise.all([here.collection('orders'), there.collection('orders')])
    await there.stop()
    await here.ask('PATCH', '/collection', { id: both[0]!.id, description: 'first' })
    await here.stop()
    await there.start()
    await there.ask('PATCH', '/collection', { id: both[1]!.id, description: 'last' })
    await here.start()
    await expect.poll(async () => (await here.collection('orders'))!.description, syncTimeoutMs).toBe('last')
    await Promise.all([
      here.ask('PATCH', '/collection', { id: both[0]!.id, description: 'here' }),
      there.ask('PATCH', '/collection', { id: both[1]!.id, description: 'there' }),
    ])
    await expect.poll(() => agree([here, there]), syncTimeoutMs).toBe(1)
    expect((await here.collection('orders'))!.description).toBe((await there.collection('orders'))!.description)
  })

  it('copy all data to an instance that lost its data', async () => {
    const [here, there] = (await system(2)) as [Site, Site]
    for (let n = 0; n < 5; n++) await here.createClient({ name: `user${n}` })
    const kept = await there.createClient({ name: 'kept' })
    await expect.poll(() => agree([here, there]), syncTimeoutMs).toBe(6)
    await there.forget()
    await there.start()
    const added = await there.createClient({ name: 'added' })
    await expect.poll(() => here.client('added'), syncTimeoutMs).toBeDefined()
    await expect.poll(() => agree([here, there]), syncTimeoutMs).toBe(7)
    expect((await there.ask('GET', '/clients', {}, kept.secret)).status).toBe(403)
    expect((await here.ask('GET', '/clients', {}, added.secret)).status).toBe(403)
  })

  it('copy all data to an instance that sweeps before its first call', async () => {
    const [here, there] = (await system(2)) as [Site, Site]
    await there.stop()
    const ann = await here.createClient({ name: 'ann' })
    await here.createCollection('orders')
    await there.forget()
    await there.startUnasked()
    await expect.poll(async () => (await there.ask('GET', '/clients', {}, ann.secret)).status, syncTimeoutMs).toBe(403)
    await expect.poll(() => there.collection('orders'), syncTimeoutMs).toBeDefined()
  })

  it('copy all data if only the database was lost', async () => {
    const [here, there] = (await system(2)) as [Site, Site]
    await here.createClient({ name: 'ann' })
    await expect.poll(() => there.client('ann'), syncTimeoutMs).toBeDefined()
    await there.forgetDatabase()
    await there.start()
    await expect.poll(() => there.client('ann'), syncTimeoutMs).toBeDefined()
  })

  it('copy all data to an instance that was restored to an older state', async () => {
    const [here, there] = (await system(2)) as [Site, Site]
    const copy = temporary()
    await here.saveDatabase(copy)
    await here.start()
    for (let n = 0; n < 5; n++) await here.createClient({ name: `user${n}` })
    await expect.poll(() => there.client('user4'), syncTimeoutMs).toBeDefined()
    await there.stop()
    await here.restoreDatabase(copy)
    await here.start()
    await here.createClient({ name: 'after' })
    await there.start()
    await expect.poll(() => there.client('after'), syncTimeoutMs).toBeDefined()
    await rm(copy, { recursive: true })
  })

  it('give a secret to its current user only', async () => {
    const [here, there] = (await system(2)) as [Site, Site]
    const [first, second] = ['a-secret-that-moves-on', 'a-secret-that-comes-next']
    const ann = await here.createClient({ name: 'ann', secret: first })
    await expect.poll(() => there.client('ann'), syncTimeoutMs).toBeDefined()
    await there.stop()
    await here.ask('DELETE', '/client', { id: ann.id })
    await here.createClient({ name: 'bob', secret: first })
    await here.createClient({ name: 'eve', secret: second })
    await there.start()
    await expect.poll(() => there.client('eve'), syncTimeoutMs).toBeDefined()
    expect((await there.ask('GET', '/clients', {}, first)).status).toBe(403)
    expect(await there.client('bob')).toMatchObject({ is_disabled: false })
  })

  it('copy access that is in the log before its user and collection', async () => {
    const [here, there] = (await system(2)) as [Site, Site]
    await there.stop()
    const ann = await here.createClient({ name: 'ann' })
    const orders = await here.createCollection('orders')
    await here.ask('POST', '/access', { client: ann.id, collection: orders.id, level: 'read' })
    await here.ask('PATCH', '/client', { id: ann.id, description: 'later' })
    await here.ask('PATCH', '/collection', { id: orders.id, description: 'later' })
    expect((await here.log()).map(({ kind }) => kind)).toEqual(['access', 'client', 'collection'])
    await there.forget()
    await there.start()
    await expect.poll(async () => (await read(there, 'orders', ann.secret)).status, syncTimeoutMs).toBe(200)
    expect(await there.instances()).toMatchObject([{ skipped: 0 }])
  })
})

describe('three instances', () => {
  it('agree although each gets a change twice, and stop sending', async () => {
    const all = await system(3)
    const clients = await Promise.all(all.map((site, n) => site.createClient({ name: `user${n}` })))
    await expect.poll(() => agree(all), syncTimeoutMs).toBe(3)
    await all[1]!.stop()
    const orders = await all[0]!.createCollection('orders')
    const user1 = (await all[0]!.client('user1'))!
    await all[0]!.ask('POST', '/access', { client: user1.id, collection: orders.id, level: 'write' })
    await expect.poll(() => agree([all[0]!, all[2]!]), syncTimeoutMs).toBe(5)
    await all[0]!.stop()
    // Instance 2 restarts, and gets the changes of instance 1 through instance 3.
    await all[1]!.start()
    await expect.poll(async () => (await read(all[1]!, 'orders', clients[1]!.secret)).status, syncTimeoutMs).toBe(200)
    await all[0]!.start()
    await expect.poll(() => agree(all), syncTimeoutMs).toBe(5)
    const readings = async () => (await Promise.all(all.map((site) => site.instances()))).flat()
    /**
     * Resolves when each instance has read each other one to its end twice more. Once is not enough, since a reading
     * may have begun before the change.
     */
    const allRead = async () => {
      for (const _ of ['a first time', 'a second time']) {
        const before = await readings()
        const isRead = ({ error, succeeded_at }: (typeof before)[number], i: number) =>
          error === null && succeeded_at !== before[i]!.succeeded_at
        await expect.poll(async () => (await readings()).every(isRead), syncTimeoutMs).toBe(true)
      }
    }
    const positions = async () => (await readings()).map(({ position }) => position)
    await allRead()
    const before = await positions()
    await allRead()
    expect(await positions()).toEqual(before)
  })
})
