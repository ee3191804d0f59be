// Tests which callers share idempotency keys: a caller must not get the stored reply of another one.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import Feed from '../../workers/feed/index.ts'
import { accessWith } from '../support/access-stand-in.ts'
import { startWith } from '../support/requests.ts'

const { ACCESS, secret, token } = await accessWith(['feed:*'])
const { send } = startWith(Feed, { ...env, AUTH_TOKENS: 'root', ACCESS })
await send('POST', '/collection', { name: 'news' }, { authorization: 'Bearer root' })

/** Adds the same record with the same idempotency key as several callers. Returns the ids, numbered in the order of their first use. */
async function addAs(...bearers: string[]) {
  const key = crypto.randomUUID()
  const ids: number[] = []
  for (const bearer of bearers) {
    const headers = { authorization: `Bearer ${bearer}`, 'idempotency-key': key }
    const { json } = await send('POST', '/record', { collection: 'news', recipient: 'ann', title: 'one' }, headers)
    ids.push((json.content as unknown as { record: { id: number } }).record.id)
  }
  const distinct = [...new Set(ids)]
  return ids.map((id) => distinct.indexOf(id))
}

it('a renewed token finds the reply to the request of the previous one', async () => {
  const rights = { bounds: { recipient: 'ann', collection: 'news' } }
  const renewed = await token(7_200, { bounds: { collection: 'news', recipient: 'ann' } })
  expect(await addAs(await token(3_600, rights), renewed)).toEqual([0, 0])
  const scopes = ['feed:write', 'badge:read']
  expect(await addAs(await token(60, { scopes }), await token(60, { scopes: scopes.toReversed() }))).toEqual([0, 0])
})

it('tokens of a key with other scopes or bounds have their own replies', async () => {
  const tokens = [
    await token(),
    await token(60, { scopes: ['feed:write'] }),
    await token(60, { bounds: { recipient: 'ann' } }),
    await token(60, { bounds: { collection: 'news' } }),
    await token(60, { scopes: ['feed:write'], bounds: { recipient: 'ann' } }),
  ]
  expect(await addAs(...tokens, ...tokens)).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4])
})

it('another key, a token of the key, and a root token have their own replies', async () => {
  const other = await accessWith(['feed:*'])
  const apart = startWith(Feed, { ...env, AUTH_TOKENS: 'root', ACCESS: other.ACCESS })
  expect(await addAs(secret, await token(), 'root', secret)).toEqual([0, 1, 2, 0])
  const key = crypto.randomUUID()
  const ask = async (sender: typeof apart.send, bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}`, 'idempotency-key': key }
    const { json } = await sender('POST', '/record', { collection: 'news', recipient: 'ann', title: 'one' }, headers)
    return (json.content as unknown as { record: { id: number } }).record.id
  }
  expect(await ask(send, secret)).not.toBe(await ask(apart.send, other.secret))
})
