// Applies pending migrations to a Postgres database, for `npm start` and `npm run deploy`.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Client } from 'pg'
import { type Postgres, type PostgresEnv, postgresOf, postgresOn } from '#core/db/postgres'

/**
 * Variables with the address of the database. `PG_REAL_HOST` is the server behind a connection pooler, which cannot
 * hold the lock of a migration.
 */
type MigratedEnv = PostgresEnv & { PG_REAL_HOST?: string }

/** The Postgres on which migrations run and to which tables are copied, if one is configured. */
export const migratedPostgres = (env: MigratedEnv): Postgres | undefined =>
  env.PG_REAL_HOST ? postgresOn(env.PG_REAL_HOST, env) : postgresOf(env)

const lock = 5_021_977_341

/**
 * Applies pending migrations of these components, from `<folder>/<component>/postgres`, each file as one transaction, and
 * returns their names.
 */
export async function migratePostgres(
  components: string[],
  env: MigratedEnv,
  folder = 'migrations',
): Promise<string[]> {
  const postgres = migratedPostgres(env)
  if (!postgres) throw new Error('Set DATABASE_URL, or PG_HOST, PG_DATABASE and PG_USER')
  const client = new Client({ connectionString: postgres.url, connectionTimeoutMillis: 15_000 })
  await client.connect()
  try {
    if (postgres.searchPath) {
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${postgres.searchPath}`)
      await client.query(`SET search_path TO ${postgres.searchPath}`)
    }
    await client.query('SELECT pg_advisory_lock($1)', [lock])
    await client.query(table)
    const applied: string[] = []
    for (const component of components)
      applied.push(...(await migrate(client, component, `${folder}/${component}/postgres`)))
    return applied
  } finally {
    await client.end()
  }
}

const table = `CREATE TABLE IF NOT EXISTS quartermaster_migrations (
  component text NOT NULL,
  name text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (component, name)
)`

async function migrate(client: Client, component: string, folder: string): Promise<string[]> {
  const { rows } = await client.query('SELECT name FROM quartermaster_migrations WHERE component = $1', [component])
  const known = new Set(rows.map(({ name }) => name))
  const files = globSync(`${folder}/*.sql`).sort()
  const pending = files.filter((file) => !known.has(basename(file)))
  for (const file of pending) {
    await client.query('BEGIN')
    try {
      await client.query(readFileSync(file, 'utf8'))
      await client.query('INSERT INTO quartermaster_migrations (component, name) VALUES ($1, $2)', [
        component,
        basename(file),
      ])
      await client.query('COMMIT')
    } catch (cause) {
      await client.query('ROLLBACK')
      throw new Error(`The migration ${file} failed: ${cause instanceof Error ? cause.message : cause}`, { cause })
    }
  }
  return pending
}
