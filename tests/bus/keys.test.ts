// Tests keys of `access` on the bus: their scopes, their bounds, and that they replace no secret of a user.
import { describe, expect, it } from 'vitest'
import type { AccessService, StoredKey } from '#core/access/access-service'
import { hashSecret, keyOf, newKeyId, newSecret } from '#core/access/key-format'
import { adminSecret, buses, createCollectionAndUser, errorReply } from './support.ts'

const idSecret = 'secret of the check characters'
const keys = new Map<string, StoredKey>()

/** Stands in for `access`. */
const service: Partial<AccessService> = {
  readTrust: async () => ({ publicKeys: [], revoked: [], idSecret }),
  findKey: async (id) => keys.get(id),
  markUsed: async () => undefined,
}

async function createKey(scopes: string[], bounds: Record<string, string> = {}): Promise<string> {
  const parts = { id: newKeyId(idSecret), secret: newSecret() }
  keys.set(parts.id, { id: parts.id, hashes: [{ hash: await hashSecret(parts.secret) }], scopes, bounds })
  return keyOf(parts)
}

const variables = { AUTH_TOKENS: 'root', BOX_IS_SYSTEM: 'true', BOX_INSTANCES: 'http://127.0.0.1:1', ACCESS: service }

describe.each(buses(variables as object))('keys on the bus on $dialect', (tested) => {
  const sendWith = async (key: string, method: string, path: string, params: object = {}, more: object = {}) => {
    const fetch = tested.as(undefined, { authorization: `Bearer ${key}`, ...more })
    const query = method === 'GET' ? `?${new URLSearchParams(params as Record<string, string>)}` : ''
    const response = await fetch(`http://bus${path}${query}`, {
      method,
      ...(method !== 'GET' && { body: JSON.stringify(params) }),
    })
    return { status: response.status, json: (await response.json()) as Record<string, never> }
  }
  const documentOf = (collection: string) => ({ collection, event: 'e', uuid: crypto.randomUUID(), data: 1 })

  it('may do what their scope allows', async () => {
    const { collection } = await createCollectionAndUser(tested, 'storage')
    const statusesOf = async (key: string) => [
      (await sendWith(key, 'GET', '/documents', { collection: collection.name })).status,
      (await sendWith(key, 'POST', '/document', documentOf(collection.name))).status,
      (await sendWith(key, 'POST', '/client', {})).status,
    ]
    expect(await statusesOf(await createKey(['bus:read']))).toEqual([200, 403, 403])
    expect(await statusesOf(await createKey(['bus:write']))).toEqual([200, 201, 403])
    expect(await statusesOf(await createKey(['bus:manage']))).toEqual([200, 201, 201])
    expect(await statusesOf(await createKey(['feed:*']))).toEqual([403, 403, 403])
    const missing = await sendWith(await createKey(['bus:write']), 'GET', '/documents', { collection: 'missing' })
    expect(missing).toMatchObject(errorReply(404, 'collection_not_found'))
  })

  it('reach only the collection to which they are bound', async () => {
    const { collection } = await createCollectionAndUser(tested, 'storage')
    const { collection: other } = await createCollectionAndUser(tested, 'storage')
    const key = await createKey(['bus:*'], { collection: collection.name })
    const made = await sendWith(key, 'POST', '/document', documentOf(collection.name))
    expect(made.status).toBe(201)
    const { id } = (made.json.content as unknown as { document: { id: number } }).document
    for (const path of ['/documents', '/documents/count']) {
      expect((await sendWith(key, 'GET', path)).status).toBe(200)
      expect(await sendWith(key, 'GET', path, { collection: other.name })).toMatchObject(
        errorReply(403, 'out_of_bounds'),
      )
    }
    expect((await sendWith(key, 'GET', '/document', { id })).status).toBe(200)
    expect(await sendWith(key, 'POST', '/document', documentOf(other.name))).toMatchObject(
      errorReply(403, 'out_of_bounds'),
    )
    for (const [method, path] of [
      ['GET', '/collections'],
      ['GET', '/clients'],
      ['DELETE', '/collection'],
      ['POST', '/access'],
      ['GET', '/synchronisation'],
    ] as const)
      expect(await sendWith(key, method, path, { id: other.id })).toMatchObject(errorReply(403, 'out_of_bounds'))
  })

  it('read the replication log, which has hashes of secrets, with bus:manage only', async () => {
    const read = async (scope: string) => (await sendWith(await createKey([scope]), 'GET', '/documents', system)).status
    const system = { collection: 'system' }
    expect([await read('bus:read'), await read('bus:write'), await read('bus:manage')]).toEqual([403, 403, 200])
    const bound = await createKey(['bus:write'], system)
    expect((await sendWith(bound, 'GET', '/documents')).status).toBe(403)
    expect((await sendWith(bound, 'GET', '/document', { id: '1' })).status).toBe(403)
    expect((await sendWith(bound, 'GET', '/documents/count')).status).toBe(403)
  })

  it('are not replaced by root tokens or HTTP Basic, and do not replace the secret of a user', async () => {
    expect(await sendWith('root', 'GET', '/clients')).toMatchObject(errorReply(401, 'unauthorized'))
    expect(await sendWith(adminSecret, 'GET', '/clients')).toMatchObject(errorReply(401, 'unauthorized'))
    expect(await sendWith(keyOf({ id: newKeyId(idSecret), secret: newSecret() }), 'GET', '/clients')).toMatchObject(
      errorReply(401, 'unauthorized'),
    )
    const key = await createKey(['bus:manage'])
    const { client } = await createCollectionAndUser(tested, 'storage')
    const both = await sendWith(key, 'GET', '/clients', {}, { 'api-secret': client.secret })
    expect(both).toMatchObject(errorReply(403, 'forbidden'))
  })

  it('are checked beside the secret of a user, as root tokens are', async () => {
    const secret = { 'api-secret': adminSecret }
    for (const valid of [await createKey([]), 'root'])
      expect(await sendWith(valid, 'GET', '/clients', {}, secret)).toMatchObject({ status: 200 })
    for (const path of ['/clients', '/_health', '/_metrics'])
      expect(await sendWith('made-up', 'GET', path, {}, secret)).toMatchObject(errorReply(401, 'unauthorized'))
  })
})
