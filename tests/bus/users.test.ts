// Tests of the API for users, of the built-in administrator, and of the checks of secrets and rights.
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { adminSecret, buses, busOn, createCollectionAndUser, errorReply, fresh, validationError } from './support.ts'

interface Client {
  id: number
  name: string
  secret: string
}

describe.each(buses())('users on $dialect', (tested) => {
  const { send, content } = tested
  const create = async (params: object = {}) => (await content('POST', '/client', params)).client as unknown as Client
  const isKnown = async (secret: string) => (await send('GET', '/clients', {}, secret)).status !== 401

  it('are created with a secret that is shown once', async () => {
    const name = fresh('user')
    const { status, json } = await send('POST', '/client', { name, description: 'the shop' })
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    const shown = {
      id: expect.any(Number),
      name,
      is_admin: false,
      is_disabled: false,
      description: 'the shop',
      created_at: time,
      updated_at: time,
    }
    const secret = expect.stringMatching(/^[\w-]{43}$/)
    expect([status, json]).toEqual([201, { status: true, content: { client: { ...shown, secret } } }])
    expect(await content('GET', '/client', { name })).toEqual({ client: shown })
    const listed = (await content('GET', '/clients', { limit: 1000 })).clients as unknown as Client[]
    expect(listed.find((client) => client.name === name)).toEqual(shown)
  })

  it('may be given a name and a secret, or neither', async () => {
    const secret = fresh('a-secret-that-is-long-')
    expect(await create({ secret })).toMatchObject({ secret, name: expect.stringMatching(/^user-/) })
    expect(await isKnown(secret)).toBe(true)
  })

  it('have unique names and secrets', async () => {
    const { name } = await create({ name: fresh('user') })
    expect(await send('POST', '/client', { name })).toMatchObject(errorReply(409, 'name_taken'))
    const { secret } = await create()
    expect(await send('POST', '/client', { secret })).toMatchObject(errorReply(409, 'secret_taken'))
    const other = await create()
    expect(await send('PATCH', '/client', { id: other.id, secret })).toMatchObject(errorReply(409, 'secret_taken'))
  })

  it.each([
    [{ name: ' x' }, 'name'],
    [{ name: 'x'.repeat(65) }, 'name'],
    [{ secret: 'short' }, 'secret'],
    [{ secret: 'with spaces in between' }, 'secret'],
    [{ is_admin: 'maybe' }, 'is_admin'],
    [{ description: 'x'.repeat(1_001) }, 'description'],
  ])('are rejected with %j', async (params, field) => {
    expect(await send('POST', '/client', params)).toMatchObject(validationError(field))
  })

  it('get a new secret, and the old one is rejected', async () => {
    const { id, secret } = await create()
    const { client } = await content('PATCH', '/client', { id, renew_secret: true })
    const renewed = (client as unknown as Client).secret
    expect([await isKnown(secret), await isKnown(renewed)]).toEqual([false, true])
    const chosen = fresh('chosen-by-somebody-')
    const changed = await send('PATCH', '/client', { id, secret: chosen })
    expect(JSON.stringify(changed)).not.toContain(chosen)
    expect([await isKnown(renewed), await isKnown(chosen)]).toEqual([false, true])
  })

  it('can get and lose administrator rights', async () => {
    const { id, secret } = await create()
    expect((await send('GET', '/clients', {}, secret)).status).toBe(403)
    await send('PATCH', '/client', { id, is_admin: true })
    expect((await send('GET', '/clients', {}, secret)).status).toBe(200)
    await send('PATCH', '/client', { id, is_admin: false })
    expect((await send('GET', '/clients', {}, secret)).status).toBe(403)
  })

  it('are deleted with their access', async () => {
    const { collection, client } = await createCollectionAndUser(tested, 'storage')
    expect(await send('DELETE', '/client', { id: client.id })).toEqual({ status: 200, json: { status: true } })
    expect(await isKnown(client.secret)).toBe(false)
    expect(await content('GET', '/accesses', { collection: collection.id })).toEqual({ accesses: [] })
    const again = await create({ name: client.name })
    const posted = await send('GET', '/documents', { collection: collection.name }, again.secret)
    expect(posted).toMatchObject(errorReply(403, 'forbidden'))
  })

  it('get 404 if they do not exist', async () => {
    const unknown = errorReply(404, 'client_not_found')
    expect(await send('GET', '/client', { id: 999_999 })).toMatchObject(unknown)
    expect(await send('GET', '/client', { name: 'nobody' })).toMatchObject(unknown)
    expect(await send('PATCH', '/client', { id: 999_999, is_admin: true })).toMatchObject(unknown)
    expect(await send('DELETE', '/client', { id: 999_999 })).toMatchObject(unknown)
    expect(await send('GET', '/client', {})).toMatchObject(validationError('id'))
    expect(await send('PATCH', '/client', {})).toMatchObject(validationError('id'))
    expect(await send('DELETE', '/client', {})).toMatchObject(validationError('id'))
    expect(await send('GET', '/clients', { limit: 0 })).toMatchObject(validationError('limit'))
  })

  it('never show a secret or its hash', async () => {
    const { id, secret } = await create()
    const replies = [
      await send('GET', '/client', { id }),
      await send('GET', '/clients', { limit: 1000 }),
      await send('PATCH', '/client', { id, description: 'x' }),
    ]
    expect(JSON.stringify(replies)).not.toContain(secret)
    expect(JSON.stringify(replies)).not.toMatch(/hash|[0-9a-f]{64}/)
  })

  it('cannot change the built-in administrator, which the configuration sets', async () => {
    const { client } = await content('GET', '/client', { name: 'admin' })
    const { id } = client as unknown as Client
    const locked = errorReply(409, 'builtin_administrator')
    for (const change of [
      { is_admin: false },
      { is_disabled: true },
      { secret: 'x'.repeat(20) },
      { renew_secret: true },
    ])
      expect(await send('PATCH', '/client', { id, ...change })).toMatchObject(locked)
    expect(await send('DELETE', '/client', { id })).toMatchObject(locked)
    expect(await send('PATCH', '/client', { id, description: 'root', is_admin: true })).toMatchObject({ status: 200 })
    expect(await isKnown(adminSecret)).toBe(true)
  })

  const calls = [
    ['POST', '/client'],
    ['PATCH', '/client'],
    ['GET', '/client'],
    ['GET', '/clients'],
    ['DELETE', '/client'],
    ['POST', '/collection'],
    ['PATCH', '/collection'],
    ['GET', '/collection'],
    ['GET', '/collections'],
    ['DELETE', '/collection'],
    ['POST', '/access'],
    ['GET', '/accesses'],
    ['DELETE', '/access'],
    ['GET', '/synchronisation'],
  ] as const

  it.each(calls)('without administrator rights get 403 on %s %s', async (method, path) => {
    const { secret } = await create()
    expect(await send(method, path, { id: 1 }, secret)).toMatchObject(errorReply(403, 'forbidden'))
  })

  it.each(calls)('that do not exist get 401 on %s %s', async (method, path) => {
    expect(await send(method, path, { id: 1 }, 'unknown')).toMatchObject(errorReply(401, 'unauthorized'))
    const bearer = { authorization: `Bearer ${adminSecret}` }
    const response = await tested.as(undefined, bearer)(`http://bus${path}`, { method })
    expect(response.status).toBe(401)
  })

  it('are rejected at once when disabled', async () => {
    const { id, secret } = await create({ is_admin: true })
    expect(await isKnown(secret)).toBe(true)
    await send('PATCH', '/client', { id, is_disabled: true })
    expect(await isKnown(secret)).toBe(false)
  })
})

describe.each(buses())('the built-in administrator on $dialect', (tested) => {
  const database = { ...tested.env, dialect: tested.dialect } as never

  it('has the configured secret', async () => {
    expect((await tested.send('GET', '/clients')).status).toBe(200)
    const secret = fresh('a-new-secret-')
    const renewed = busOn(database, { BOX_ADMIN_SECRET: secret })
    expect((await renewed.send('GET', '/clients', {}, secret)).status).toBe(200)
    expect((await renewed.send('GET', '/clients', {}, adminSecret)).status).toBe(401)
    expect((await busOn(database).send('GET', '/clients')).status).toBe(200)
  })

  it('gets its rights if a user already has the name', async () => {
    const [name, secret] = [fresh('root'), fresh('the-secret-of-root-')]
    await tested.send('POST', '/client', { name, is_disabled: true })
    const renamed = busOn(database, { BOX_ADMIN_USER: name, BOX_ADMIN_SECRET: secret })
    expect((await renamed.send('GET', '/clients', {}, secret)).status).toBe(200)
  })

  it('loses its rights and its secret to the next built-in administrator', async () => {
    const [first, second] = [fresh('root'), fresh('root')]
    const [secret, renewed] = [fresh('the-secret-of-root-'), fresh('the-secret-of-root-')]
    const statusOf = async (BOX_ADMIN_USER: string, BOX_ADMIN_SECRET: string, secret: string) =>
      (await busOn(database, { BOX_ADMIN_USER, BOX_ADMIN_SECRET }).send('GET', '/clients', {}, secret)).status
    expect(await statusOf(first, secret, secret)).toBe(200)
    expect(await statusOf(second, secret, secret)).toBe(200)
    expect(await statusOf(first, renewed, renewed)).toBe(200)
    expect(await statusOf(first, renewed, secret)).toBe(401)
    await busOn(database).send('GET', '/clients')
    expect((await tested.send('GET', '/clients', {}, renewed)).status).toBe(401)
    const { client } = await tested.content('GET', '/client', { name: first })
    expect(client).toMatchObject({ is_admin: false, is_disabled: true })
  })

  it('cannot use the secret of another user', async () => {
    const secret = fresh('taken-by-somebody-')
    await tested.send('POST', '/client', { secret })
    const clashing = busOn(database, { BOX_ADMIN_SECRET: secret })
    expect(await clashing.send('GET', '/clients', {}, secret)).toMatchObject(errorReply(503, 'not_configured'))
  })
})

describe.each(databases)('a bus that starts on $dialect', (database) => {
  it('has one administrator, and each start uses no new id for it', async () => {
    const before = (await busOn(database).content('GET', '/clients', { limit: 1000 })).clients as unknown as object[]
    for (let n = 0; n < 3; n++) await busOn(database).send('GET', '/clients')
    const { client } = await busOn(database).content('POST', '/client')
    expect((await busOn(database).content('GET', '/clients', { limit: 1000 })).clients).toHaveLength(before.length + 1)
    const again = await busOn(database).content('POST', '/client')
    const idOf = (client: unknown) => (client as { id: number }).id
    expect(idOf(again.client)).toBe(idOf(client) + 1)
  })
})
