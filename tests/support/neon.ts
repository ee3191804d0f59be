// Serves Neon's SQL-over-HTTP API with an in-process Postgres (PGlite), so that tests use the real driver without a
// server.
import { PGlite, type Transaction, types } from '@electric-sql/pglite'
import { serve } from './server.ts'
import { textOf } from './text-of.ts'

interface Query {
  query: string
  params: unknown[]
}

// Values stay text, since Neon returns every value as text and its driver parses them.
const parsers = Object.fromEntries(Object.values(types).map((oid) => [oid, (text: string) => text]))

async function run(tx: Transaction, { query, params }: Query) {
  const { fields, rows, affectedRows } = await tx.query(query, params, { rowMode: 'array' })
  return { command: query.split(' ', 1)[0], fields, rows, rowCount: affectedRows || rows.length, rowAsArray: true }
}

/**
 * Serves databases with the address `postgresql://_@db/<component>/<run>`. Each run gets its own schema, to which the
 * component's migrations are applied.
 */
export async function serveNeon(migrationsOf: (component: string) => string[]) {
  const pg = await PGlite.create({ parsers })
  const ready = new Map<string, Promise<unknown>>()

  const prepare = (component: string, run: string) => {
    const schema = `${component}_${run}`
    if (!ready.has(schema)) {
      const sql = [`CREATE SCHEMA "${schema}"`, `SET search_path = "${schema}"`, ...migrationsOf(component)]
      ready.set(schema, pg.exec(sql.join(';\n')))
    }
    return ready.get(schema)!.then(() => schema)
  }

  const server = await serve(async (request, response) => {
    response.setHeader('content-type', 'application/json')
    try {
      const body = JSON.parse(await textOf(request)) as Query | { queries: Query[] }
      const [component, run_] = new URL(request.headers['neon-connection-string'] as string).pathname
        .slice(1)
        .split('-')
      const schema = await prepare(component!, run_!)
      const results = await pg.transaction(async (tx) => {
        await tx.exec(`SET LOCAL search_path = "${schema}"`)
        const results = []
        for (const query of 'queries' in body ? body.queries : [body]) results.push(await run(tx, query))
        return results
      })
      response.end(JSON.stringify('queries' in body ? { results } : results[0]))
    } catch (error) {
      const { message, code, detail } = error as Error & { code?: string; detail?: string }
      response.writeHead(400).end(JSON.stringify({ message, code, detail }))
    }
  })

  return {
    port: server.port,
    close: async () => {
      server.close()
      await pg.close()
    },
  }
}
