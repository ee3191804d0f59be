import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { AccessService, StoredKey } from '#core/access/access-service'
import { hashSecret, keyOf, newKeyId, newSecret } from '#core/access/key-format'
import Feed from '../../workers/feed/index.ts'
import { databases } from '../support/databases.ts'
import { boundOn, startWith } from '../support/requests.ts'

const idSecret = 'secret of the check characters'

/** Stands in for `access`, with a key for all of `feed` that is bound to Ann's records in `news`. */
async function boundKey(bounds: Record<string, string>) {
  const parts = { id: newKeyId(idSecret), secret: newSecret() }
  const key: StoredKey = {
    id: parts.id,
    hashes: [{ hash: await hashSecret(parts.secret) }],
    scopes: ['feed:*'],
    bounds,
  }
  const service: Partial<AccessService> = {
    readTrust: async () => ({ publicKeys: [], revoked: [], idSecret }),
    findKey: async () => key,
    markUsed: async () => undefined,
  }
  return { service, authorization: `Bearer ${keyOf(parts)}` }
}

const { service, authorization } = await boundKey({ collection: 'news', recipient: 'ann' })

describe.each(databases)('a key for the records of Ann on $dialect', (database) => {
  const variables = { ...env, AUTH_TOKENS: 'root', ACCESS: service }
  const { send } = startWith(Feed, boundOn(database, variables))
  const asRoot = (method: string, path: string, params?: object) =>
    send(method, path, params, { authorization: 'Bearer root' })
  const asAnn = async (method: string, path: string, params?: object) => {
    const { status, json } = await send(method, path, params, { authorization })
    return { status, code: (json as { status_code?: string }).status_code, content: json.content as object | undefined }
  }

  async function add(recipient: string, collection = 'news'): Promise<number> {
    await asRoot('POST', '/collection', { name: collection })
    const { json } = await asRoot('POST', '/record', { collection, recipient, sender: 'bob', title: 'Hello' })
    return (json as unknown as { content: { record: { id: number } } }).content.record.id
  }

  it('lists, counts and reads her records, without naming her', async () => {
    const id = await add('ann')
    for (const params of [{}, { collection: 'news' }, { collection: 'news', recipient: 'ann' }]) {
      expect(await asAnn('GET', '/records', params)).toMatchObject({ content: { records: [{ id, recipient: 'ann' }] } })
      expect(await asAnn('GET', '/records/count', params)).toMatchObject({ content: { records: 1 } })
      expect(await asAnn('GET', '/record', { ...params, id })).toMatchObject({ content: { record: { id } } })
    }
    expect((await asAnn('POST', '/record/read', { id })).status).toBe(200)
    expect((await asAnn('POST', '/record/unread', { id })).status).toBe(200)
    expect((await asAnn('POST', '/records/read', {})).status).toBe(200)
    expect((await asAnn('POST', '/stream/token', {})).status).toBe(200)
    expect((await asAnn('DELETE', '/record', { id })).status).toBe(200)
  })

  it('does not reach records of others', async () => {
    const id = await add('bob')
    const elsewhere = await add('ann', 'other')
    const refused = { status: 403, code: 'out_of_bounds' }
    for (const path of ['/records', '/records/count']) {
      expect(await asAnn('GET', path, { recipient: 'bob' })).toMatchObject(refused)
      expect(await asAnn('GET', path, { user: 'bob' })).toMatchObject(refused)
      expect(await asAnn('GET', path, { user: 'ann' })).toMatchObject(refused)
      expect(await asAnn('GET', path, { recipient: '', user: 'bob' })).toMatchObject(refused)
      expect(await asAnn('GET', path, { collection: 'other' })).toMatchObject(refused)
    }
    const missing = { status: 404, code: 'record_not_found' }
    for (const [method, path] of [
      ['GET', '/record'],
      ['DELETE', '/record'],
      ['POST', '/record/read'],
      ['POST', '/record/unread'],
    ] as const) {
      expect(await asAnn(method, path, { id })).toMatchObject(missing)
      expect(await asAnn(method, path, { id, recipient: 'bob' })).toMatchObject(refused)
      expect(await asAnn(method, path, { id: elsewhere, collection: 'other' })).toMatchObject(refused)
    }
    expect(await asAnn('POST', '/record', { recipient: 'bob', title: 'x' })).toMatchObject(refused)
    expect(await asAnn('POST', '/records', { records: [{ recipient: 'ann' }] })).toMatchObject(refused)
    expect(await asAnn('PATCH', '/records', { where: { recipient: 'ann' }, set: { title: 'x' } })).toMatchObject(
      refused,
    )
    expect(await asAnn('DELETE', '/records', { recipient: 'bob' })).toMatchObject(refused)
    expect(await asAnn('POST', '/records/read', { recipient: 'bob' })).toMatchObject(refused)
    expect(await asAnn('POST', '/stream/token', { recipient: 'bob' })).toMatchObject(refused)
    expect(await asAnn('GET', '/stream', { recipient: 'bob' })).toMatchObject(refused)
    expect(await asAnn('GET', '/collections')).toMatchObject(refused)
    expect(await asAnn('GET', '/collection/records', {})).toMatchObject(refused)
    expect(await asAnn('POST', '/collection', { name: 'mine' })).toMatchObject(refused)
    expect(await asRoot('GET', '/record', { collection: 'news', id })).toMatchObject({
      json: { content: { record: { id, is_read: false, title: 'Hello' } } },
    })
  })

  it('gets no stored reply of another caller with the same idempotency key', async () => {
    const bob = await boundKey({ collection: 'news', recipient: 'bob' })
    const asBob = startWith(Feed, boundOn(database, { ...variables, ACCESS: bob.service })).send
    await add('ann')
    const headers = { 'idempotency-key': `shared-${crypto.randomUUID()}` }
    const record = { sender: 'x', title: 'Same body' }
    const anns = await send('POST', '/record', record, { authorization, ...headers })
    const bobs = await asBob('POST', '/record', record, { authorization: bob.authorization, ...headers })
    expect([anns, bobs]).toMatchObject([
      { status: 200, json: { content: { record: { recipient: 'ann' } } } },
      { status: 200, json: { content: { record: { recipient: 'bob' } } } },
    ])
    expect(await send('POST', '/record', record, { authorization, ...headers })).toMatchObject(anns)
  })
})
