// Tests the configuration of Postgres, its TLS, and reads from replicas.
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { type Db, open } from '#core/db/open'
import { postgresOf, replicasOf } from '#core/db/postgres'
import { readReplica } from '#core/db/replica'
import { databases } from '../support/databases.ts'
import { isFull } from '../support/tier.ts'

const schema = { d1: {}, postgres: {} }
const parts = { PG_HOST: 'primary', PG_PORT: '6432', PG_DATABASE: 'd', PG_USER: 'u', PG_PASSWORD: 'p', PG_SCHEMA: 's' }

describe('a Postgres in parts', () => {
  it.each([
    [{ PG_HOST: 'h', PG_DATABASE: 'd' }, 'Set PG_USER in addition to PG_HOST.'],
    [{ PG_HOST: 'h', PG_USER: 'u' }, 'Set PG_DATABASE in addition to PG_HOST.'],
    [{ PG_HOST: 'h' }, 'Set PG_DATABASE and PG_USER in addition to PG_HOST.'],
    [{ ...parts, PG_PORT: 'x' }, expect.stringContaining('PG_PORT')],
    [{ ...parts, PG_HOST: 'a host' }, expect.stringContaining('PG_HOST')],
  ])('is refused as %j', (env, message) => {
    expect(() => postgresOf(env)).toThrow(expect.objectContaining({ code: 'not_configured', message }))
  })

  it.each(['db.example.com', 'localhost:5432/db', 'mysql://db/d', 'postgresql:///d', 'postgresql://db:port/d'])(
    'is refused as the address %s',
    (DATABASE_URL) => {
      const message = expect.stringContaining('DATABASE_URL')
      expect(() => postgresOf({ DATABASE_URL })).toThrow(expect.objectContaining({ code: 'not_configured', message }))
    },
  )

  it('is undefined without a host', () => {
    expect(postgresOf({ PG_DATABASE: 'd', PG_USER: 'u' })).toBeUndefined()
  })
})

describe('TLS of a Postgres', () => {
  const address = 'postgresql://u:p@db.example.com/d'
  const encrypted = `${address}?sslmode=verify-full`

  it.each([
    [{ DATABASE_URL: address }, encrypted],
    [{ ...parts, PG_SCHEMA: '' }, 'postgresql://u:p@primary:6432/d?sslmode=verify-full'],
    [{ DATABASE_URL: address, PG_SSLMODE: 'disable' }, `${address}?sslmode=disable`],
    [{ DATABASE_URL: `${address}?sslmode=disable` }, `${address}?sslmode=disable`],
    [{ DATABASE_URL: `${address}?sslmode=disable`, PG_SSLMODE: 'require' }, `${address}?sslmode=disable`],
    [{ DATABASE_URL: `${address}?sslmode=` }, encrypted],
    [{ DATABASE_URL: `${address}?sslmode=`, PG_SSLMODE: 'require' }, `${address}?sslmode=require`],
    [{ DATABASE_URL: 'postgresql://u:p@10.0.0.5/d' }, 'postgresql://u:p@10.0.0.5/d?sslmode=verify-full'],
    [
      { DATABASE_URL: 'postgresql://u:p@127.evil.example/d' },
      'postgresql://u:p@127.evil.example/d?sslmode=verify-full',
    ],
  ])('is on for %j', (env, url) => {
    expect(postgresOf(env)?.url).toBe(url)
  })

  it.each([
    'postgresql://u:p@localhost:5432/d',
    'postgresql://u:p@127.0.0.1/d',
    'postgresql://u:p@127.1.2.3/d',
    'postgresql://u:p@[::1]/d',
    'postgresql://u:p@%2Fvar%2Frun%2Fpostgresql/d',
    'postgresql://u:p@socket/d?host=/var/run/postgresql',
  ])('is off on this machine, at %s', (DATABASE_URL) => {
    expect(postgresOf({ DATABASE_URL })?.url).toBe(DATABASE_URL)
    expect(postgresOf({ DATABASE_URL, PG_SSLMODE: 'require' })?.url).toMatch(/[?&]sslmode=require$/)
  })

  it('is on for a local name with a remote host as its parameter', () => {
    const url = postgresOf({ DATABASE_URL: 'postgresql://u:p@localhost/d?host=db.example.com' })?.url
    expect(url).toBe('postgresql://u:p@localhost/d?host=db.example.com&sslmode=verify-full')
  })

  it('is up to Hyperdrive if that is bound', () => {
    const HYPERDRIVE = { connectionString: 'postgresql://u:p@abc.hyperdrive.local:5432/d' }
    expect(postgresOf({ DATABASE_URL: address, HYPERDRIVE })?.url).toBe(HYPERDRIVE.connectionString)
  })

  it('is refused for an unknown mode', () => {
    const message = 'PG_SSLMODE must be one of disable, no-verify, require, verify-ca, verify-full.'
    expect(() => postgresOf({ DATABASE_URL: address, PG_SSLMODE: 'prefer' })).toThrow(
      expect.objectContaining({ code: 'not_configured', message }),
    )
  })
})

describe('replicas', () => {
  it('are encrypted unless they are local', () => {
    const replicas = replicasOf({ DATABASE_URL: 'postgresql://u:p@localhost/d', PG_SLAVES: 'one,127.0.0.1:5433' })
    expect(replicas.map(({ url }) => url)).toEqual([
      'postgresql://u:p@one/d?sslmode=verify-full',
      'postgresql://u:p@127.0.0.1:5433/d',
    ])
  })

  it('have the settings of the primary with other hosts', () => {
    const replicas = replicasOf({ ...parts, PG_SLAVES: 'one, two:5433,' })
    expect(replicas).toEqual([
      { url: 'postgresql://u:p@one:6432/d?sslmode=verify-full', isNeon: false, searchPath: '"s"' },
      { url: 'postgresql://u:p@two:5433/d?sslmode=verify-full', isNeon: false, searchPath: '"s"' },
    ])
  })

  it('are called without Hyperdrive', () => {
    const HYPERDRIVE = { connectionString: 'postgresql://u:p@pool/d' }
    expect(replicasOf({ ...parts, HYPERDRIVE, PG_SLAVES: 'one' })[0]!.url).toBe(
      'postgresql://u:p@one:6432/d?sslmode=verify-full',
    )
  })

  it.each(['one:x', 'two hosts', 'one,:5432'])('are refused as %j', (PG_SLAVES) => {
    const message = expect.stringContaining('PG_SLAVES')
    expect(() => replicasOf({ ...parts, PG_SLAVES })).toThrow(
      expect.objectContaining({ code: 'not_configured', message }),
    )
  })

  it.each([{}, { PG_SLAVES: '' }, { PG_SLAVES: 'one' }])('are none as %j without a primary or a name', (env) =>
    expect(replicasOf(env)).toEqual([]),
  )
})

const read = async ({ run }: { db: Db; run: (statement: ReturnType<typeof sql>) => unknown }) => run(sql`SELECT 1`)

describe.each(databases)('a read on $dialect', (database) => {
  it('goes to the primary if there is no replica', async () => {
    const seen = await readReplica(database, schema, async (store) => store)
    expect(seen).toBe(open(database, schema))
  })
})

describe.runIf(isFull)('a read from a replica', () => {
  const postgres = databases.find(({ dialect }) => dialect === 'Postgres')
  const { PG_SLAVES, ...primary } = { ...postgres!, PG_SLAVES: 'other.neon.tech' }
  const env = { ...primary, PG_SLAVES }

  it('goes to the replica', async () => {
    const seen = await readReplica(env, schema, async (store) => store)
    expect(seen).not.toBe(open(env, schema))
    await readReplica(env, schema, read)
  })

  it('goes to the primary if the replica fails', async () => {
    const seen: unknown[] = []
    const result = await readReplica(env, schema, async (store) => {
      seen.push(store)
      if (store !== open(env, schema)) throw new Error('The replica is down')
      return 'from the primary'
    })
    expect([result, seen.length]).toEqual(['from the primary', 2])
  })
})
