// Tests that the counters stay correct when many requests write at the same time.
import type { Duplex } from 'node:stream'
import { and, eq, sql } from 'drizzle-orm'
import { Client } from 'pg'
import { CloudflareSocket } from 'pg-cloudflare'
import { describe, expect, it, vi } from 'vitest'
import { addBadge, deleteBadges } from '#badge/badges'
import { readCounters } from '#badge/counters'
import { expireBadges } from '#badge/expiry'
import { listUsers } from '#badge/owners'
import { schema } from '#badge/schema'
import { open } from '#core/db/open'
import { databases } from '../support/databases.ts'

type Counts = Record<string, number>

describe.each(databases)('many writers on $dialect', (database) => {
  const store = open(database, schema)
  const names = ['a', 'a/b', 'a/b/c', 'a/d', 'e', 'e/f']
  const old = new Date('2000-01-01')
  const cutoff = new Date('2001-01-01')

  /**
   * Returns the stored counters (`kept`) and the counters computed from the badges (`true`). `idle` is the number of counter rows
   * without badges.
   */
  const compare = async (owner: { collection: string; user: string }): Promise<Record<'kept' | 'true', Counts>> => {
    const { db, badges, counters } = store
    const rows = await db
      .select({ path: badges.path })
      .from(badges)
      .where(and(eq(badges.collection, owner.collection), eq(badges.user, owner.user)))
    const under = (name: string) => rows.filter(({ path }) => name === '_all' || path.startsWith(`${name}/`)).length
    const all = ['_all', ...names]
    const idle = await db.$count(counters, sql`${counters.user} = ${owner.user} AND ${counters.count} <= 0`)
    return {
      kept: { ...(await readCounters(store, { ...owner, names: all })), idle },
      true: { ...Object.fromEntries(all.map((name) => [name, under(name)])), idle: 0 },
    }
  }

  it('keep the counters equal to the number of badges', async () => {
    const owners = ['ann', 'bob'].map((user) => ({ collection: 'crowd', user }))
    const write = async (i: number) => {
      const owner = owners[i % 2]!
      const name = names[(i * 7) % names.length]!
      if (i === 200 || i === 301) return deleteBadges(store, owner)
      if (i % 10 === 9) return deleteBadges(store, { ...owner, name })
      if (i % 25 === 24) return expireBadges(store, cutoff)
      return addBadge(store, { ...owner, name, payload: '{}' }, i % 3 === 0 ? old : new Date())
    }

    // Each of the 31 writers has a database connection. A Postgres server allows a hundred by default.
    await Promise.all(
      Array.from({ length: 31 }, async (_, writer) => {
        for (let i = writer; i < 600; i += 31) await write(i)
      }),
    )

    for (const owner of owners) {
      // Adds a badge, since the last write may have been a deletion of all badges, after which nothing could be compared.
      await addBadge(store, { ...owner, name: 'a', payload: '{}' }, new Date())
      const { kept, true: expected } = await compare(owner)
      expect(kept).toEqual(expected)
      expect(kept._all).toBeGreaterThan(0)
    }
  })

  it('lose no badge', async () => {
    const owner = { collection: 'crowd', user: 'cid' }

    await Promise.all(names.map((name) => addBadge(store, { ...owner, name, payload: '{}' }, new Date())))

    expect(await readCounters(store, { ...owner, names: ['_all', 'a', 'e'] })).toEqual({ _all: 6, a: 4, e: 2 })
  })
})

// Only Postgres runs two transactions at the same time.
describe.each(databases.filter((database) => 'PG_SCHEMA' in database))('a sweep on $dialect', (database) => {
  const { DATABASE_URL, PG_SCHEMA } = database as { DATABASE_URL: string; PG_SCHEMA: string }
  const store = open(database, schema)

  it('leaves no counter of a user whose badges are deleted at the same time', async () => {
    const owner = { collection: 'swept', user: 'ann' }
    await addBadge(store, { ...owner, name: 'a', payload: '{}' }, new Date(0))
    const stream = (() => new CloudflareSocket(false)) as () => Duplex
    const client = new Client({ connectionString: DATABASE_URL, stream })
    client.on('error', () => undefined) // Ignores the error of the read that `client.end` cuts off.
    await client.connect()
    const pidOf = async (query: string, given: unknown[] = []) =>
      (await client.query<{ pid: number }>(query, given)).rows[0]?.pid
    const blocked = 'SELECT pid FROM pg_locks WHERE NOT granted AND $1 = ANY(pg_blocking_pids(pid))'
    const waitingFor = (pid?: number) => vi.waitUntil(() => pidOf(blocked, [pid]), { timeout: 60_000 })

    // Holds a lock on the badge. The deletion then waits for the badge while it has locked the counters already.
    await client.query('BEGIN')
    const pid = await pidOf(`SELECT pg_backend_pid() AS pid FROM ${PG_SCHEMA}.badge_badges FOR UPDATE`)
    const deleted = deleteBadges(store, owner)
    const deleting = await waitingFor(pid)
    const swept = expireBadges(store, new Date(1))
    await waitingFor(deleting)
    await client.query('COMMIT')
    await Promise.all([deleted, swept, client.end()])

    expect(await listUsers(store, { collection: 'swept', limit: 10 })).toEqual([])
  })
})
