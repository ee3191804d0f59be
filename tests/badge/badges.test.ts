// Tests the adding, listing and deletion of badges, and their counters.
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { addBadge, deleteBadge, deleteBadges, listBadges } from '#badge/badges'
import { readCounters } from '#badge/counters'
import { schema } from '#badge/schema'
import { open } from '#core/db/open'
import { databases } from '../support/databases.ts'

describe.each(databases)('badges on $dialect', (database) => {
  const store = open(database, schema)
  const page = { limit: 100, offset: 0, count: false }
  const at = new Date('2026-01-02T03:04:05.678Z')
  const ownerOf = (user: string) => ({ collection: 'shop', user })
  const add = (user: string, name: string, payload = '{}') => addBadge(store, { ...ownerOf(user), name, payload }, at)
  const namesOf = async (user: string, name?: string) =>
    (await listBadges(store, { ...ownerOf(user), name, ...page }, undefined)).badges.map(({ name }) => name)
  const countersOf = (user: string, ...names: string[]) => readCounters(store, { ...ownerOf(user), names })
  const rowsOf = (user: string) => store.db.$count(store.counters, sql`${store.counters.user} = ${user}`)

  it('keeps names and payloads, newest first', async () => {
    await add('ann', 'a', '{"b":1.0,"a":[]}')
    await add('ann', 'a')

    const { badges } = await listBadges(store, { ...ownerOf('ann'), ...page }, undefined)

    expect(badges).toEqual([
      { id: expect.any(Number), name: 'a', user: 'ann', payload: '{}', created_at: at },
      { id: expect.any(Number), name: 'a', user: 'ann', payload: '{"b":1.0,"a":[]}', created_at: at },
    ])
  })

  it('counts and lists a badge under each path above it, by whole segments', async () => {
    for (const name of ['a/b/c', 'a/b', 'a/bb', 'a!', 'a0', 'A', 'é/ü']) await add('bob', name)

    expect(await countersOf('bob', '_all', 'a', 'a/b', 'a/b/c', 'a/bb', 'a!', 'é', 'nope', 'a/', '')).toEqual({
      _all: 7,
      a: 3,
      'a/b': 2,
      'a/b/c': 1,
      'a/bb': 1,
      'a!': 1,
      é: 1,
      nope: 0,
      'a/': 0,
      '': 0,
    })
    expect(await namesOf('bob', 'a/b')).toEqual(['a/b', 'a/b/c'])
    expect(await namesOf('bob', 'a')).toEqual(['a/bb', 'a/b', 'a/b/c'])
  })

  it('deletes one of several equal badges by id and decrements the counters once', async () => {
    for (const name of ['a/b', 'a/b', 'a/b', 'a']) await add('eve_by_id', name)
    const { badges } = await listBadges(store, { ...ownerOf('eve_by_id'), name: 'a/b', ...page }, undefined)
    const id = badges[1]!.id

    const deletions = [1, 2, 3].map(() => deleteBadge(store, { ...ownerOf('eve_by_id'), id }))

    const settled = await Promise.allSettled(deletions)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const left = (await listBadges(store, { ...ownerOf('eve_by_id'), ...page }, undefined)).badges
    expect(left.map((badge) => badge.id)).not.toContain(id)
    expect(left.map(({ name }) => name)).toEqual(['a', 'a/b', 'a/b'])
    expect(await countersOf('eve_by_id', '_all', 'a', 'a/b')).toEqual({ _all: 3, a: 3, 'a/b': 2 })
  })

  it('does not delete a badge of another user by id', async () => {
    await add('fay_by_id', 'a')
    const { badges } = await listBadges(store, { ...ownerOf('fay_by_id'), ...page }, undefined)
    for (const owner of [ownerOf('gus_by_id'), { collection: 'other', user: 'fay_by_id' }])
      await expect(deleteBadge(store, { ...owner, id: badges[0]!.id })).rejects.toMatchObject({
        status: 404,
        code: 'badge_not_found',
        message: `No badge has the id ${badges[0]!.id}.`,
      })
    expect(await countersOf('fay_by_id', '_all')).toEqual({ _all: 1 })
  })

  it('deletes all counters of a user with the last badge', async () => {
    await add('hal_by_id', 'a/b')
    const { badges } = await listBadges(store, { ...ownerOf('hal_by_id'), ...page }, undefined)
    await deleteBadge(store, { ...ownerOf('hal_by_id'), id: badges[0]!.id })
    expect(await rowsOf('hal_by_id')).toBe(0)
  })

  it('deletes badges at or below a name', async () => {
    for (const name of ['a/b/c', 'a/b', 'a/bb', 'a!']) await add('cid', name)

    expect(await deleteBadges(store, { ...ownerOf('cid'), name: 'a/b' })).toBe(2)
    expect(await deleteBadges(store, { ...ownerOf('cid'), name: 'a/b' })).toBe(0)
    expect(await namesOf('cid')).toEqual(['a!', 'a/bb'])
    expect(await countersOf('cid', '_all', 'a', 'a/b', 'a/b/c', 'a/bb')).toEqual({
      _all: 2,
      a: 1,
      'a/b': 0,
      'a/b/c': 0,
      'a/bb': 1,
    })
  })

  it('deletes all badges of a user and of no other user', async () => {
    for (const user of ['dan', 'dan2']) await add(user, 'a/b')
    await addBadge(store, { collection: 'other', user: 'dan', name: 'a', payload: '{}' }, at)

    expect(await deleteBadges(store, ownerOf('dan'))).toBe(1)
    expect(await namesOf('dan')).toEqual([])
    expect(await namesOf('dan2')).toEqual(['a/b'])
    expect(await readCounters(store, { collection: 'other', user: 'dan', names: ['_all'] })).toEqual({ _all: 1 })
  })

  it('deletes counters that reach 0', async () => {
    await add('eve', 'a/b')
    await add('eve', 'c')
    await deleteBadges(store, { ...ownerOf('eve'), name: 'a/b' })
    expect(await rowsOf('eve')).toBe(2)

    await deleteBadges(store, { ...ownerOf('eve'), name: 'c' })
    await deleteBadges(store, ownerOf('nobody'))
    expect(await rowsOf('eve')).toBe(0)
    expect(await rowsOf('nobody')).toBe(0)
  })

  it('pages and counts all matches', async () => {
    for (const name of ['a/1', 'b', 'a/2', 'a/3']) await add('fay', name)

    const found = await listBadges(store, { ...ownerOf('fay'), name: 'a', limit: 1, offset: 1, count: true }, undefined)

    expect(found).toMatchObject({ badges: [{ name: 'a/2' }], nb_results: 3 })
  })

  it('reads a thousand counters at once', async () => {
    await add('gus', 'n999')

    const counters = await countersOf('gus', ...Array.from({ length: 1_000 }, (_, i) => `n${i}`))

    expect(Object.keys(counters)).toHaveLength(1_000)
    expect(counters).toMatchObject({ n0: 0, n999: 1 })
  })

  it('accepts names of the maximum length', async () => {
    const maxLength = '\uffee'.repeat(255)
    const maxSegments = Array(16).fill('\uffee'.repeat(15)).join('/')
    for (const name of [maxLength, maxSegments]) {
      const owner = { collection: maxLength, user: maxLength }
      await addBadge(store, { ...owner, name, payload: '{}' }, at)
      expect(await readCounters(store, { ...owner, names: [name] })).toEqual({ [name]: 1 })
      expect(await deleteBadges(store, { ...owner, name })).toBe(1)
    }
  })

  it('writes nothing if one statement fails', async () => {
    await expect(add('hal', 'a/b', null as unknown as string)).rejects.toThrow()

    expect(await namesOf('hal')).toEqual([])
    expect(await rowsOf('hal')).toBe(0)
  })
})
