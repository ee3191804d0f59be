// npm run move -- feed feed.sql: copies the rows of a component's D1 database to the Postgres database of DATABASE_URL or PG_*.
import { Client } from 'pg'
import { createCollectionTables } from './move/collection-tables.ts'
import { copyTables } from './move/copy.ts'
import { openSource } from './move/source.ts'
import { migratedPostgres, migratePostgres } from './stack/postgres.ts'

const usage = `npm run move -- component file

Copies all rows of a component from a D1 database into a Postgres, whose tables it makes, and which has none of its rows
yet. The file is what npx wrangler d1 export wrote, or the folder of a local start, .state.

DATABASE_URL, or PG_HOST, PG_DATABASE, PG_USER and so on, name the Postgres, as they do for the component.`

const [component, file] = process.argv.slice(2)

try {
  if (!component || !file || component.startsWith('-')) console.log(usage)
  else await move(component, file)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** Copies all rows of a component in one transaction, so that a failed copy leaves nothing. */
async function move(component: string, file: string): Promise<void> {
  const source = openSource(file, component)
  await migratePostgres([component], process.env)
  const postgres = migratedPostgres(process.env)!
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  try {
    if (postgres.searchPath) await client.query(`SET search_path TO ${postgres.searchPath}`)
    await client.query('BEGIN')
    await createCollectionTables(component, source, client)
    for (const [table, rows] of await copyTables(source, client)) console.log(`${table}: ${rows}`)
    await client.query('COMMIT')
  } finally {
    await client.end()
    source.close()
  }
}
