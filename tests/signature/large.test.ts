// Tests signed data that is stored in R2, also when uploads and deletions fail.
import { describe, expect, it } from 'vitest'
import { chunksOf } from '#core/chunks'
import type { Env } from '#signature/bindings'
import { sweepObjects } from '#signature/r2-objects'
import Signature from '../../workers/signature/index.ts'
import { databases } from '../support/databases.ts'
import { attached, large } from './samples.ts'
import { bound, fresh, on, refusal, signaturesOn } from './support.ts'

/** Replaces some methods of an object of the runtime. */
const otherwise = <T extends object>(target: T, own: Partial<T>): T =>
  new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof T]
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** The bucket, with a record of the keys that were written, so that `left` finds the objects that still exist. */
function watched(own: Partial<R2Bucket> = {}) {
  const keys: string[] = []
  const put = (async (key: string, ...rest: [never, never]) => {
    keys.push(key)
    return bound.FILES.put(key, ...rest)
  }) as R2Bucket['put']
  const files = otherwise(bound.FILES, { put, ...own })
  const left = async () => {
    const found = await Promise.all(keys.map((key) => bound.FILES.head(key)))
    return found.filter((object) => object !== null).length
  }
  return { FILES: files, keys, left }
}

const tenMegabytes = 10_000_000
const tooMuch = 1_100_000

const inADay = () => new Date(Date.now() + 86_400_000 + 1_000)

describe.each(databases)('large signatures on $dialect', (database) => {
  const fresher = (own: Partial<R2Bucket> = {}) => {
    const { FILES, keys, left } = watched(own)
    const its = signaturesOn({ ...on(database), FILES })
    const countOrphans = async () => {
      const orphans = await its.store.db.select().from(its.store.orphans)
      return orphans.filter(({ object }) => keys.includes(object)).length
    }
    return { ...its, keys, left, countOrphans }
  }

  it('of 10 MB are returned unchanged from R2', async () => {
    const { save, read, list, ask, left, countOrphans } = fresher()
    const [document, cms] = [fresh(), large(tenMegabytes)]
    const saved = await save({ document, thread: 't', cms, tags: [document] })
    expect(saved.signature === cms).toBe(true)
    expect(await read({ document, thread: 't' })).toEqual(saved)
    expect((await list({ tags: [document] })).signatures).toEqual([{ ...saved, chain: 't', stage: '1', parent: null }])
    const { json } = await ask('GET', '/signature/versions', { document, thread: 't' })
    expect(json).toMatchObject({ content: { versions: [{ size: atob(cms).length }] } })
    const verified = await ask('POST', '/signature/verify', { document, thread: 't' })
    expect(verified.json).toMatchObject({ content: { verification: { result: 'invalid' } } })
    expect([await left(), await countOrphans()]).toEqual([1, 0])
  })

  it('can have small versions too, each in its storage', async () => {
    const { save, read, left } = fresher()
    const document = fresh()
    const versions = [attached, large(tooMuch), large(900_000), large(tooMuch, 1)]
    for (const [version, cms] of versions.entries()) await save({ document, thread: 't', version, cms })
    for (const [n, cms] of versions.entries()) {
      const { signature } = await read({ document, thread: 't', version: n + 1 })
      expect(signature === cms).toBe(true)
    }
    expect(await left()).toBe(2)
  })

  it('leave nothing in R2 after they are deleted', async () => {
    const { save, ask, left, countOrphans, keys } = fresher()
    const [document, other] = [fresh(), fresh()]
    for (const version of [0, 1]) await save({ document, thread: 't', version, cms: large(tooMuch, version) })
    await save({ document: other, thread: 't', cms: large(tooMuch) })
    await ask('DELETE', '/signature', { document, thread: 't' })
    expect([keys.length, await left(), await countOrphans()]).toEqual([3, 1, 0])
  })

  it('leave nothing in R2 after a version conflict', async () => {
    const { save, ask, left, countOrphans, read } = fresher()
    const newSignature = { document: fresh(), thread: 't' }
    await save({ ...newSignature, cms: attached })
    const saves = Array.from({ length: 5 }, (_, n) =>
      ask('POST', '/signature', { ...newSignature, version: 1, cms: large(tooMuch, n) }),
    )
    const statuses = (await Promise.all(saves)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, 409, 409, 409, 409])
    expect([await left(), await countOrphans()]).toEqual([1, 0])
    expect((await read(newSignature)).version).toBe(2)
  })

  it('whose upload fails without a result are not saved, and are deleted a day later', async () => {
    const lost = (async (key: string, value: Uint8Array) => {
      keys.push(key)
      await bound.FILES.put(key, value)
      throw new Error('Network connection lost.')
    }) as R2Bucket['put']
    const { env, ask, left, countOrphans, keys } = fresher({ put: lost })
    const newSignature = { document: fresh(), thread: 't' }
    expect(await ask('POST', '/signature', { ...newSignature, cms: large(tooMuch) })).toMatchObject(
      refusal(500, 'internal_error'),
    )
    expect(await ask('GET', '/signature', newSignature)).toMatchObject({ status: 404 })
    await sweepObjects(env)
    expect([await left(), await countOrphans()]).toEqual([1, 1])
    await sweepObjects(env, inADay())
    expect([await left(), await countOrphans()]).toEqual([0, 0])
  })

  it('that belong to a version are never swept', async () => {
    const { env, save, read, left } = fresher()
    const newSignature = { document: fresh(), thread: 't' }
    await save({ ...newSignature, cms: large(tooMuch) })
    await sweepObjects(env, inADay())
    expect(await left()).toBe(1)
    expect((await read(newSignature)).signature === large(tooMuch)).toBe(true)
  })

  it('that are deleted while they are read get 404, and are missing in lists', async () => {
    const newSignature = { document: fresh(), thread: 't' }
    const { save } = fresher()
    await save({ ...newSignature, thread: 'other', cms: attached })
    await save({ ...newSignature, cms: large(tooMuch) })
    const get = (async (key: string) => {
      await signaturesOn(on(database)).ask('DELETE', '/signature', newSignature)
      return bound.FILES.get(key)
    }) as R2Bucket['get']
    const late = fresher({ get })
    const { signatures } = await late.list({ document: newSignature.document })
    expect(signatures.map(({ thread }) => thread)).toEqual(['other'])

    await save({ ...newSignature, cms: large(tooMuch) })
    expect(await late.ask('GET', '/signature', newSignature)).toMatchObject(refusal(404, 'signature_not_found'))
  })

  it('that R2 has lost are an internal error, not a 404', async () => {
    const { save, ask, keys } = fresher()
    const newSignature = { document: fresh(), thread: 't' }
    await save({ ...newSignature, cms: large(tooMuch) })
    await bound.FILES.delete(keys)
    expect(await ask('GET', '/signature', newSignature)).toMatchObject(refusal(500, 'internal_error'))
  })

  it('are swept in any number, and none before it is due', async () => {
    const { env, store } = fresher()
    const due = Array.from({ length: 200 }, () => ({ object: fresh(), due_at: new Date(Date.now() - 1) }))
    const later = { object: fresh(), due_at: new Date(Date.now() + 60_000) }
    for (const { object } of [...due.slice(0, 3), later]) await bound.FILES.put(object, 'x')
    for (const orphans of chunksOf([...due, later], 40)) await store.db.insert(store.orphans).values(orphans)
    await sweepObjects(env)
    const left = (await store.db.select().from(store.orphans)).map(({ object }) => object)
    expect(left.filter((object) => due.some((trace) => trace.object === object))).toEqual([])
    expect(left).toContain(later.object)
    expect(await bound.FILES.head(due[0]!.object)).toBeNull()
    expect(await bound.FILES.head(later.object)).not.toBeNull()
  })
})

it('a row that was added without a reply keeps its object', async () => {
  const database = bound.DB!
  const batch = (async (statements: D1PreparedStatement[]) => {
    await database.batch(statements)
    throw new Error('Network connection lost.')
  }) as D1Database['batch']
  const newSignature = { document: fresh(), thread: 't' }
  const cms = large(tooMuch)
  const cut = signaturesOn({ DB: otherwise(database, { batch }) })
  expect(await cut.ask('POST', '/signature', { ...newSignature, cms })).toMatchObject(refusal(500, 'internal_error'))

  const its = signaturesOn()
  await sweepObjects(its.env, inADay())
  expect((await its.read(newSignature)).signature === cms).toBe(true)
})

it('the Worker sweeps orphaned objects', async () => {
  const { env, store } = signaturesOn()
  const object = fresh()
  await bound.FILES.put(object, 'x')
  await store.db.insert(store.orphans).values({ object, due_at: new Date(0) })
  await new Signature({} as ExecutionContext, env as Env & SignatureEnv).sweep()
  expect(await bound.FILES.head(object)).toBeNull()
})
