import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { eraseSteps, exportStep } from '#core/person/places'
import type { Env } from '#search/bindings'
import { writeDocuments } from '#search/documents'
import { createIndex, deleteIndex } from '#search/indexes'
import { personalData } from '#search/person'
import { personsIn } from '../support/person.ts'

const bound = env as unknown as Env

it('erases and exports documents whose code is an identifier of the person, in every index', async () => {
  const { erase, read } = personsIn(personalData, bound)
  const names = Array.from({ length: 12 }, (_, n) => `person_${n}`)
  for (const name of names) {
    await createIndex(bound, 'fulltext', { name, shards: 1 })
    await writeDocuments(bound, name, [
      { code: 'ann', title: 'Ann', text: 'Profile' },
      { code: 'bob', title: 'ann', text: 'ann' },
    ] as never)
  }

  expect((await read({ user: 'ann' })).map(({ row }) => row.index).toSorted()).toEqual(names.toSorted())
  expect(await erase({ user: 'ann', phone: '77011234567' })).toEqual({ documents: 12 })

  expect(await read({ user: 'ann' })).toEqual([])
  expect(await read({ user: 'bob' })).toHaveLength(12)
})

it('finds any spelling of a phone and of an email address, in all shards', async () => {
  const { erase, read } = personsIn(personalData, bound)
  const name = 'person_spelled'
  await createIndex(bound, 'fulltext', { name, shards: 4 })
  const phones = Array.from({ length: 24 }, (_, n) => `+7 70${' '.repeat(n + 1)}1 1234599`)
  const theirs = [...phones, '77011234599', 'Eva@Example.com ', 'eva@example.com']
  const others = Array.from({ length: 200 }, (_, n) => `7701123${String(n).padStart(4, '0')}`)
  const documents = [...theirs, ...others].map((code) => ({ code, title: 'Profile', text: 'Hello' }))
  await writeDocuments(bound, name, documents as never)
  const eva = { phone: '77011234599', email: 'eva@example.com' }

  expect((await read(eva)).map(({ row }) => row.code).toSorted()).toEqual(theirs.toSorted())
  expect(await erase(eva)).toEqual({ documents: theirs.length })

  expect(await read(eva)).toEqual([])
  expect(await read({ phone: '77011230000' })).toHaveLength(1)
})

it('skips no index when others are deleted in between', async () => {
  const names = Array.from({ length: 6 }, (_, n) => `person_deleted_${n}`)
  for (const name of names) {
    await createIndex(bound, 'fulltext', { name, shards: 1 })
    await writeDocuments(bound, name, [{ code: 'zoe', text: 'Profile' }] as never)
  }
  const [documents] = personalData
  let [erased, cursor]: [number, string | undefined] = [0, undefined]
  do {
    const step = await documents!.erase(bound, { user: 'zoe' }, cursor)
    erased += step.erased
    cursor = step.next
    // The first index leaves the list after the first document was found.
    if (erased === 1 && step.erased === 1) await deleteIndex(bound, names[0]!)
  } while (cursor !== undefined)
  expect(erased).toBe(names.length)
})

/** The environment with a counter of the calls to durable objects. */
function counted() {
  const calls = { made: 0 }
  const countIn = <Namespace extends object>(namespace: Namespace) =>
    new Proxy(namespace, {
      get: (target, name) =>
        name === 'getByName' ? (id: string) => countCalls((target as unknown as Env['HEAD']).getByName(id)) : undefined,
    })
  const countCalls = (stub: object) =>
    new Proxy(stub, {
      get(target, name) {
        calls.made++
        return (...args: unknown[]) =>
          (target as Record<string | symbol, (...args: unknown[]) => unknown>)[name]!(...args)
      },
    })
  return { calls, env: { ...bound, HEAD: countIn(bound.HEAD), CATALOG: countIn(bound.CATALOG) } }
}

it('makes at most 40 calls to durable objects in one call', async () => {
  for (let n = 0; n < 5; n++) {
    const name = `person_many_${n}`
    await createIndex(bound, 'fulltext', { name, shards: 1 })
    const codes = Array.from({ length: 25 }, (_, spaces) => `7702${' '.repeat(spaces)}0000001`)
    await writeDocuments(bound, name, codes.map((code) => ({ code, text: 'Profile' })) as never)
  }
  const person = { phone: '77020000001' }
  for (const run of [exportStep, eraseSteps]) {
    let cursor: string | undefined
    do {
      const { env, calls } = counted()
      const step = await run(personalData, env, person, cursor)
      expect(calls.made).toBeGreaterThan(0)
      expect(calls.made).toBeLessThanOrEqual(40)
      cursor = step.next
    } while (cursor !== undefined)
  }
  expect(await personsIn(personalData, bound).read(person)).toEqual([])
})
