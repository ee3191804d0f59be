// Neon's SQL-over-HTTP in front of an in-process Postgres: tests use the real driver, and no server is needed.
import { PGlite, type Transaction, types } from '@electric-sql/pglite'
import { serve } from './server.ts'
import { textOf } from './text-of.ts'

interface Query {
  query: string
  params: unknown[]
}

// Neon answers every value as text; its driver does the parsing.
const parsers = Object.fromEntries(Object.values(types).map((oid) => [oid, (text: string) => text]))

async function run(tx: Transaction, { query, params }: Query) {
  const { fields, rows, affectedRows } = await tx.query(query, params, { rowMode: 'array' })
  return { command: query.split(' ', 1)[0], fields, rows, rowCount: affectedRows || rows.length, rowAsArray: true }
}

/** Serves `postgresql://_@db/<component>/<run>`; each run is a schema of its own, with the component's migrations applied. */
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
