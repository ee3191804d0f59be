// Tests the expiry of badges by BADGES_LIFETIME.
import { createExecutionContext } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { addBadge, listBadges } from '#badge/badges'
import { readCounters } from '#badge/counters'
import { expiryCutoff } from '#badge/env'
import { expireBadges } from '#badge/expiry'
import { badge } from '#badge/index'
import { schema } from '#badge/schema'
import { type DatabaseEnv, open } from '#core/db/open'
import { databases } from '../support/databases.ts'

const now = new Date('2026-01-02T03:04:05Z')
const page = { limit: 100, offset: 0, count: true }

describe.each(databases)('a lifetime on $dialect', (database) => {
  const store = open(database, schema)
  const cutoff = expiryCutoff({ ...database, BADGES_LIFETIME: '60' }, now)!
  const add = (owner: { collection: string; user: string }, name: string, secondsAgo: number) =>
    addBadge(store, { ...owner, name, payload: '{}' }, new Date(now.getTime() - secondsAgo * 1_000))

  it('hides expired badges from lists at once and subtracts them in the sweep', async () => {
    const owner = { collection: 'old', user: 'ann' }
    const names = ['_all', 'a', 'a/b', 'a/b/c', 'a/d']
    for (const [name, age] of [['a/b/c', 61], ['a/b/c', 61], ['a/b', 60], ['a/d', 0], ['a', 1_000]] as const) // biome-ignore format: one line
      await add(owner, name, age)

    const listed = await listBadges(store, { ...owner, ...page }, cutoff)
    expect(listed.badges.map(({ name }) => name)).toEqual(['a/d', 'a/b'])
    expect(listed.nb_results).toBe(2)
    expect(await readCounters(store, { ...owner, names })).toEqual({ _all: 5, a: 5, 'a/b': 3, 'a/b/c': 2, 'a/d': 1 })

    await expireBadges(store, cutoff)

    expect(await listBadges(store, { ...owner, ...page }, undefined)).toEqual(listed)
    expect(await readCounters(store, { ...owner, names })).toEqual({ _all: 2, a: 2, 'a/b': 1, 'a/b/c': 0, 'a/d': 1 })
  })

  it('deletes several batches of many users', async () => {
    const owners = ['x', 'y'].flatMap((collection) => ['ann', 'bob', 'é/'].map((user) => ({ collection, user })))
    for (let i = 0; i < 210; i++) await add(owners[i % owners.length]!, `n${i % 5}/ü/${i}`, 61)
    await add(owners[0]!, 'n0', 0)

    await expireBadges(store, cutoff)

    expect(await store.db.$count(store.badges)).toBeGreaterThan(0)
    expect(await readCounters(store, { ...owners[0]!, names: ['_all', 'n0', 'n0/ü', 'n1'] })).toEqual({
      _all: 1,
      n0: 1,
      'n0/ü': 0,
      n1: 0,
    })
    for (const owner of owners.slice(1))
      expect(await readCounters(store, { ...owner, names: ['_all', 'n0', 'n1'] })).toEqual({ _all: 0, n0: 0, n1: 0 })
  })
})

describe('BADGES_LIFETIME', () => {
  const ask = (BADGES_LIFETIME: string) =>
    badge.fetch(
      new Request('http://badge/badges?collection=c&user=u'),
      { ...env, LOCAL: 'true', BADGES_LIFETIME },
      createExecutionContext(),
    )

  it('may be missing or empty: badges do not expire', () => {
    expect(expiryCutoff({}, now)).toBeUndefined()
    expect(expiryCutoff({ BADGES_LIFETIME: '' }, now)).toBeUndefined()
  })

  it.each(['0', '-1', '1.5', '1e3', 'soon', '99999999999'])('%j is rejected', async (lifetime) => {
    const response = await ask(lifetime)

    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({
      status_code: 'not_configured',
      message: expect.stringContaining('BADGES_LIFETIME'),
    })
  })

  it('is in seconds', async () => {
    expect((await ask('60')).status).toBe(200)
    expect(expiryCutoff({ BADGES_LIFETIME: '60' }, now)).toEqual(new Date('2026-01-02T03:03:05Z'))
  })

  it('the sweep deletes nothing without it', async () => {
    const store = open(env as DatabaseEnv, schema)
    const owner = { collection: 'kept', user: 'ann' }
    await addBadge(store, { ...owner, name: 'a', payload: '{}' }, new Date(0))

    await exports.default.sweep()

    expect(await readCounters(store, { ...owner, names: ['_all'] })).toEqual({ _all: 1 })
  })
})
