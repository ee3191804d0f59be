// Tests that keys end with the key that created them, itself, with a token, or through another key.
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { maxCreatedKeys } from '#access/key-tree'
import { schema } from '#access/schema'
import { type DatabaseEnv, open } from '#core/db/open'
import { databases } from '../support/databases.ts'
import { startBoth } from './support.ts'

interface Created {
  key: { id: string; name: string; parent_id?: string }
  secret: string
}

describe.each(databases)('keys that a key created, on $dialect,', (database) => {
  const { service, send, asRoot, createKey, statusFor } = startBoth(database)

  const createAs = async (bearer: string, name: string, scopes = ['access:manage', 'feed:read']) => {
    const { status, json } = await send('POST', '/key', { name, scopes }, { authorization: `Bearer ${bearer}` })
    return { status_code: json.status_code as string | undefined, ...(json.content as unknown as Created), status }
  }
  const tokenOf = async (bearer: string) => {
    const { json } = await send('POST', '/token', {}, { authorization: `Bearer ${bearer}` })
    return (json.content as unknown as { token: string }).token
  }
  const scopes = ['access:manage', 'feed:read']

  it('name it, also if a token of the key created them', async () => {
    const { key, secret } = await createKey({ name: 'parent', scopes })
    const first = await createAs(secret, 'first')
    const second = await createAs(await tokenOf(secret), 'second')
    expect([first.key.parent_id, second.key.parent_id]).toEqual([key.id, key.id])
    const ofRoot = await createAs(await tokenOf('root'), 'of root')
    const { keys } = (await asRoot('GET', '/keys')).json.content as unknown as { keys: Created['key'][] }
    const parents = Object.fromEntries(keys.map(({ name, parent_id }) => [name, parent_id]))
    expect(parents).toEqual({ parent: undefined, first: key.id, second: key.id, 'of root': undefined })
    expect(ofRoot.status).toBe(201)
  })

  it('are deleted with it, with their tokens, and no others are', async () => {
    const top = await createKey({ name: 'top', scopes })
    const child = await createAs(await tokenOf(top.secret), 'child')
    const grandchild = await createAs(child.secret, 'grandchild')
    const sibling = await createKey({ name: 'sibling', scopes })
    const niece = await createAs(sibling.secret, 'niece')
    const ended = [top.secret, child.secret, grandchild.secret, await tokenOf(child.secret)]
    ended.push(await tokenOf(grandchild.secret))
    const kept = [sibling.secret, niece.secret, await tokenOf(niece.secret)]
    expect(await Promise.all(ended.map((bearer) => statusFor(bearer)))).toEqual(ended.map(() => 200))
    expect((await asRoot('DELETE', '/key', { id: top.key.id })).json.content).toEqual({ deleted: 3 })
    // A component that has cached nothing, as each has after 30 s.
    const later = startBoth(database)
    expect(await Promise.all(ended.map((bearer) => later.statusFor(bearer)))).toEqual(ended.map(() => 401))
    expect(await Promise.all(kept.map((bearer) => later.statusFor(bearer)))).toEqual(kept.map(() => 200))
    const { revoked } = await service.readTrust()
    expect(revoked).toEqual(expect.arrayContaining([top.key.id, child.key.id, grandchild.key.id]))
    expect((await asRoot('DELETE', '/key', { id: grandchild.key.id })).json.status_code).toBe('key_not_found')
  })

  it('are not created by a key that was deleted, while a component has it cached', async () => {
    const { key, secret } = await createKey({ name: 'gone', scopes })
    const token = await tokenOf(secret)
    expect((await createAs(secret, 'before')).status).toBe(201)
    await asRoot('DELETE', '/key', { id: key.id })
    for (const bearer of [secret, token])
      expect(await createAs(bearer, 'after')).toMatchObject({ status: 401, status_code: 'unauthorized' })
  })

  it('are deleted also if they are created at the same time', async () => {
    const { key, secret } = await createKey({ name: 'racing', scopes })
    const [, ...created] = await Promise.all([
      asRoot('DELETE', '/key', { id: key.id }),
      ...Array.from({ length: 8 }, (_, n) => createAs(secret, `racing ${n}`)),
    ])
    const later = startBoth(database)
    for (const { status, secret } of created) if (status === 201) expect(await later.statusFor(secret)).toBe(401)
    const { keys } = (await asRoot('GET', '/keys')).json.content as unknown as { keys: Created['key'][] }
    expect(keys.filter(({ name }) => name.startsWith('racing'))).toEqual([])
  })

  it('are limited in number, and deleted together', async () => {
    const { key, secret } = await createKey({ name: 'busy', scopes })
    const child = await createAs(secret, 'busy child')
    const store = open({ ...env, ...database } as DatabaseEnv, schema)
    const numbers =
      store.dialect === 'd1'
        ? sql`(WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT ${maxCreatedKeys - 2}) SELECT n FROM n)`
        : sql`generate_series(1, ${maxCreatedKeys - 2}::int)`
    await store.run(sql`
      INSERT INTO ${store.keys} (id, name, hash, scopes, bounds, created_at, parent_id)
      SELECT 'busy' || n.n, 'busy' || n.n, hash, scopes, bounds, created_at, ${child.key.id}
      FROM ${store.keys} k, ${numbers} n WHERE k.id = ${key.id}`)
    expect((await createAs(secret, 'last but one')).status).toBe(201)
    for (const bearer of [secret, child.secret])
      expect(await createAs(bearer, 'one too many')).toMatchObject({ status: 403, status_code: 'too_many_keys' })
    expect((await createAs('root', 'of root again')).status).toBe(201)
    const deletion = await asRoot('DELETE', '/key', { id: key.id })
    expect(deletion.json.content).toEqual({ deleted: maxCreatedKeys + 1 })
  })
})
