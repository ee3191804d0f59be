// Tests how a start applies pending migrations to D1 and to Postgres.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { migrateD1 } from '../../../scripts/stack/d1.ts'
import { freePort } from '../../../scripts/stack/port.ts'
import { migratePostgres } from '../../../scripts/stack/postgres.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quartermaster-migrations-'))
  return () => rmSync(folder, { recursive: true })
})

function write(path: string, sql: string) {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, sql)
}

const broken = "CREATE TABLE b (x text);\nINSERT INTO a VALUES ('2');\nINSERT INTO nowhere VALUES (1);"

describe('D1', () => {
  const migrate = () => migrateD1([{ id: 'one', migrations: join(folder, 'd1') }], join(folder, 'state'))

  async function query(sql: string) {
    const runtime = new Miniflare(
      convertV4MiniflareOptions({
        modules: true,
        script: 'export default {}',
        d1Databases: { one: 'one' },
        resourcePersistencePath: join(folder, 'state'),
        cf: false,
      }),
    )
    const { results } = await (await runtime.getD1Database('one')).prepare(sql).all()
    await runtime.dispose()
    return results
  }

  it('applies each pending file once, and records it as wrangler does', async () => {
    write('d1/0001_init.sql', "CREATE TABLE a (x text);\nINSERT INTO a VALUES ('a;\nb');")
    expect(await migrate()).toHaveLength(1)
    write('d1/0002_more.sql', 'CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; SELECT 2; END;')
    expect(await migrate()).toHaveLength(1)
    expect(await migrate()).toEqual([])
    expect(await query('SELECT * FROM a')).toEqual([{ x: 'a;\nb' }])
    expect(await query('SELECT * FROM d1_migrations')).toEqual([
      { id: 1, name: '0001_init.sql', applied_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) },
      { id: 2, name: '0002_more.sql', applied_at: expect.any(String) },
    ])
  })

  it('rolls back a file that fails', async () => {
    write('d1/0001_init.sql', 'CREATE TABLE a (x text);')
    write('d1/0002_broken.sql', broken)
    await expect(migrate()).rejects.toThrow(/0002_broken\.sql.*no such table: nowhere/)
    expect(await query('SELECT * FROM a')).toEqual([])
    expect(await query('SELECT name FROM d1_migrations')).toEqual([{ name: '0001_init.sql' }])
    write('d1/0002_broken.sql', 'CREATE TABLE b (x text);')
    expect(await migrate()).toHaveLength(1)
  })
})

describe('Postgres', () => {
  let pg: PGlite
  let server: PGLiteSocketServer
  let url: string

  beforeAll(async () => {
    const port = await freePort(0)
    pg = await PGlite.create()
    server = new PGLiteSocketServer({ db: pg, port, host: '127.0.0.1' })
    await server.start()
    url = `postgresql://postgres@127.0.0.1:${port}/postgres`
  })

  afterAll(async () => {
    await server.stop()
    await pg.close()
  })

  const migrate = (components: string[], env: object = {}) =>
    migratePostgres(components, { DATABASE_URL: url, PG_SCHEMA: 'own', ...env }, folder)

  const query = async (sql: string) => (await pg.query(sql)).rows

  it('applies each pending file once, in the given schema', async () => {
    write('one/postgres/0001_init.sql', 'CREATE TABLE a (x text);')
    write('two/postgres/0001_init.sql', 'CREATE TABLE c (x text);')
    expect(await migrate(['one', 'two'])).toHaveLength(2)
    expect(await migrate(['one', 'two'])).toEqual([])
    expect(await query('SELECT * FROM own.a')).toEqual([])
    expect(await query('SELECT component, name FROM own.quartermaster_migrations ORDER BY component')).toEqual([
      { component: 'one', name: '0001_init.sql' },
      { component: 'two', name: '0001_init.sql' },
    ])
  })

  it('rolls back a file that fails', async () => {
    write('one/postgres/0002_broken.sql', broken)
    await expect(migrate(['one'])).rejects.toThrow(/0002_broken\.sql failed: relation "nowhere" does not exist/)
    expect(await query('SELECT * FROM own.a')).toEqual([])
    expect(await query("SELECT name FROM own.quartermaster_migrations WHERE component = 'one'")).toHaveLength(1)
  })

  it('connects to PG_REAL_HOST', async () => {
    const PG_REAL_HOST = new URL(url).host
    write('three/postgres/0001_init.sql', 'CREATE TABLE d (x text);')
    const behindPooler = { DATABASE_URL: 'postgresql://postgres@pooler.invalid:1/postgres', PG_REAL_HOST }
    expect(await migrate(['three'], behindPooler)).toHaveLength(1)
  })
})
