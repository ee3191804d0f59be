// Tests of one instance that reads the replication log of another, which the tests simulate.
import { describe, expect, it } from 'vitest'
import { findPeer, replicate } from '#bus/replication'
import { hashOf } from '#bus/secrets'
import { buses, fresh, type TestedBus } from './support.ts'

const system = { BOX_IS_SYSTEM: 'true', BOX_INSTANCES: 'http://127.0.0.1:1' }

/** Simulates another instance. `log` has its changes by position; `positions` records from where each page was read. */
function peer(log: Record<number, object>, instance = crypto.randomUUID()) {
  const positions: number[] = []
  const readPage = async (after: number) => {
    positions.push(after)
    const entries = Object.entries(log).map(([id, data]) => ({ id: Number(id), data }))
    return { instance, documents: entries.filter(({ id }) => id > after).slice(0, 100) }
  }
  return { url: `http://${fresh('peer')}.test`, log, positions, readPage }
}

const read = ({ bus, env }: TestedBus, { url, readPage }: Pick<ReturnType<typeof peer>, 'url' | 'readPage'>) =>
  replicate(bus, env, 'admin', url, readPage)

let at = 10
const stamp = () => ({ at: at++, origin: 'elsewhere', is_deleted: false })

const client = async (name: string, secret = fresh('a-secret-of-somebody-')) => ({
  kind: 'client',
  name,
  secret_hash: await hashOf(secret),
  is_admin: false,
  is_disabled: false,
  description: null,
  ...stamp(),
})

describe.each(buses(system))('the log of another instance on $dialect', (tested) => {
  const { send, content } = tested
  const statusOf = async (secret: string) => (await send('GET', '/clients', {}, secret)).status
  const isThere = async (name: string) => (await send('GET', '/client', { name })).status === 200

  it('is read before the first request to this instance', async () => {
    const name = fresh('user')
    expect(await read(tested, peer({ 1: await client(name) }))).toMatchObject({ skipped: [] })
    expect(await isThere(name)).toBe(true)
  })

  it('is read from the last position', async () => {
    const other = peer({ 5: await client(fresh('user')) })
    expect(await read(tested, other)).toEqual({ skipped: [], isBehind: false })
    expect(await findPeer(tested.bus, other.url)).toMatchObject({ position: 5 })
    const name = fresh('user')
    other.log[6] = await client(name)
    await read(tested, other)
    expect(await isThere(name)).toBe(true)
    expect(other.positions).toEqual([0, 4, 4, 5])
  })

  it('is read from the start if the log ends before the position that was read', async () => {
    const other = peer({ 5: await client(fresh('user')) })
    await read(tested, other)
    const name = fresh('user')
    delete other.log[5]
    other.log[2] = await client(name)
    await read(tested, other)
    expect(await isThere(name)).toBe(true)
    expect(await findPeer(tested.bus, other.url)).toMatchObject({ position: 2 })
  })

  it('is read from the start if the instance has another database', async () => {
    const other = peer({ 5: await client(fresh('user')) })
    await read(tested, other)
    const name = fresh('user')
    const { readPage } = peer({ 1: await client(name), 7: await client(fresh('user')) })
    await read(tested, { ...other, readPage })
    expect(await isThere(name)).toBe(true)
  })

  it('is read in batches', async () => {
    const names = Array.from({ length: 25 }, () => fresh('user'))
    const changes = await Promise.all(names.map((name) => client(name)))
    const other = peer(Object.fromEntries(changes.map((change, n) => [n + 1, change])))
    expect(await read(tested, other)).toEqual({ skipped: [], isBehind: true })
    expect(await isThere(names[24]!)).toBe(false)
    while ((await read(tested, other)).isBehind);
    expect(await isThere(names[24]!)).toBe(true)
    expect(await findPeer(tested.bus, other.url)).toMatchObject({ position: 25 })
    // Only changes that are new here count towards the 10 of a run, so one run reads all 25 again under another address.
    expect(await read(tested, { ...other, url: fresh('http://') })).toEqual({ skipped: [], isBehind: false })
  })

  it('may have invalid changes, which are skipped and reported', async () => {
    const name = fresh('user')
    const nul = { ...(await client(fresh('user'))), description: 'a\0b' }
    const other = peer({ 1: { kind: 'unheard of' }, 2: nul, 3: await client(name) })
    const { skipped } = await read(tested, other)
    expect(skipped.map(({ position }) => position)).toEqual([1, 2])
    expect(await isThere(name)).toBe(true)
  })

  it('may have the signing secrets of as many origins as a collection may have', async () => {
    const name = fresh()
    const origins = Array.from({ length: 100 }, (_, n) => `https://${n}.${'partner.'.repeat(30)}example`)
    const sealed = 'x'.repeat(172)
    const secrets = JSON.stringify(Object.fromEntries(origins.map((origin) => [origin, [sealed, sealed]])))
    const settings = { retention: null, concurrency: null, retry_rejected: false, secrets }
    const collection = { type: 'storage', handler: null, is_disabled: false, description: null, ...settings }
    const other = peer({ 1: { kind: 'collection', name, ...collection, ...stamp() } })
    expect(await read(tested, other)).toMatchObject({ skipped: [] })
    const { signing_secrets } = await content('GET', '/signing-secrets', { collection: name })
    expect(signing_secrets).toHaveLength(100)
  })

  it('gives a secret to its current user, though its former user comes later in the log', async () => {
    const [x, y] = [fresh('x'), fresh('y')]
    const [first, second, third] = [fresh('the-first-secret-'), fresh('the-second-secret-'), fresh('the-third-secret-')]
    const other = peer({ 1: await client(x, first), 2: await client(y, second) })
    await read(tested, other)
    other.log[3] = await client(y, first)
    other.log[4] = await client(x, third)
    await read(tested, other)
    expect(await Promise.all([first, second, third].map(statusOf))).toEqual([403, 401, 403])
    expect(await content('GET', '/client', { name: y })).toMatchObject({ client: { is_disabled: false } })
    await read(tested, other)
    expect(await tested.bus.db.select().from(tested.bus.blocked)).toEqual([])
  })

  it('lets two users exchange their secrets', async () => {
    const [x, y] = [fresh('x'), fresh('y')]
    const [first, second] = [fresh('the-first-secret-'), fresh('the-second-secret-')]
    await read(tested, peer({ 1: await client(x, first), 2: await client(y, second) }))
    await read(tested, peer({ 1: await client(x, second), 2: await client(y, first) }))
    const hashes = await tested.bus.db.select().from(tested.bus.clients)
    const hashOfUser = (name: string) => hashes.find((row) => row.name === name)!.secret_hash
    expect([hashOfUser(x), hashOfUser(y)]).toEqual([await hashOf(second), await hashOf(first)])
  })

  it('invalidates a replaced secret even if the new one belongs to another user', async () => {
    const [x, y] = [fresh('x'), fresh('y')]
    const [first, second] = [fresh('the-first-secret-'), fresh('the-second-secret-')]
    const other = peer({ 1: await client(x, first), 2: await client(y, second) })
    await read(tested, other)
    other.log[3] = await client(y, first)
    expect((await read(tested, other)).skipped).toMatchObject([
      { position: 3, reason: expect.stringMatching('secret') },
    ])
    expect(await statusOf(second)).toBe(401)
    const { client: holder } = await content('GET', '/client', { name: x })
    await send('PATCH', '/client', { id: (holder as unknown as { id: number }).id, renew_secret: true })
    expect(await statusOf(first)).toBe(401)
    await read(tested, other)
    expect(await statusOf(first)).toBe(403)
  })

  it('drops a change that waits for a secret when a newer change arrives', async () => {
    const { name, secret } = (await content('POST', '/client')).client as unknown as { name: string; secret: string }
    const [waiting, newer] = [await client(fresh('user'), secret), fresh('a-secret-that-is-free-')]
    const other = peer({ 1: waiting })
    expect((await read(tested, other)).skipped).toHaveLength(1)
    other.log[2] = await client(waiting.name, newer)
    await read(tested, other)
    await read(tested, other)
    expect(await tested.bus.db.select().from(tested.bus.blocked)).toEqual([])
    expect(await Promise.all([secret, newer].map(statusOf))).toEqual([403, 403])
    expect(await isThere(name)).toBe(true)
  })

  it('releases the secret of a user who was deleted on the other instance', async () => {
    const [x, y] = [fresh('x'), fresh('y')]
    const secret = fresh('the-secret-of-both-')
    const other = peer({ 1: await client(x, secret) })
    await read(tested, other)
    other.log[2] = { kind: 'client', name: x, ...stamp(), is_deleted: true }
    other.log[3] = await client(y, secret)
    expect(await read(tested, other)).toMatchObject({ skipped: [] })
    expect(await statusOf(secret)).toBe(403)
    expect(await content('GET', '/client', { name: x })).toMatchObject({ client: { is_disabled: true } })
  })
})
