// Applies pending migrations to local D1 databases, and records them as `wrangler d1 migrations apply` does.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { D1Database } from '@cloudflare/workers-types'
import type { Database } from './components.ts'
import { splitStatements, startRuntime } from './platform.ts'

const table = `CREATE TABLE IF NOT EXISTS "d1_migrations"(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

/** Applies pending migrations, each file as one transaction, and returns their names. */
export async function migrateD1(databases: Database[], persist: string): Promise<string[]> {
  if (databases.length === 0) return []
  const runtime = startRuntime({
    modules: true,
    script: 'export default {}',
    compatibilityDate: '2026-11-01',
    d1Databases: Object.fromEntries(databases.map(({ id }) => [id, id])),
    resourcePersistencePath: persist,
    logRequests: false,
  })
  try {
    const applied = databases.map(async ({ id, migrations }) => migrate(await runtime.getD1Database(id), migrations))
    return (await Promise.all(applied)).flat()
  } finally {
    await runtime.dispose()
  }
}

async function migrate(db: D1Database, folder: string): Promise<string[]> {
  await db.prepare(table).run()
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>()
  const known = new Set(results.map(({ name }) => name))
  const pending = globSync(join(folder, '*.sql'))
    .sort()
    .filter((file) => !known.has(basename(file)))
  for (const file of pending) {
    const record = db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(basename(file))
    const statements = (await splitStatements(readFileSync(file, 'utf8'))).map((sql) => db.prepare(sql))
    await db.batch([...statements, record]).catch((cause: Error) => {
      throw new Error(`The migration ${file} failed: ${cause.message}`, { cause })
    })
  }
  return pending
}
