// A Postgres client over TCP for Workers, with the interface of Neon's HTTP client, so that one Drizzle driver serves both.
import type { Duplex } from 'node:stream'
import { Client, type ClientConfig, types } from 'pg'
import { CloudflareSocket } from 'pg-cloudflare'

/** Options of a query that Drizzle passes to Neon's client. */
interface QueryOptions {
  arrayMode?: boolean
}

interface Result {
  command: string
  fields: unknown[]
  rows: unknown[]
  rowCount: number | null
}

// Drizzle parses times itself.
const asText = new Set([
  types.builtins.TIMESTAMPTZ,
  types.builtins.TIMESTAMP,
  types.builtins.DATE,
  types.builtins.INTERVAL,
])
const parsers = {
  getTypeParser: (oid: number, format: 'text' | 'binary') =>
    asText.has(oid) ? (text: string) => text : types.getTypeParser(oid, format as 'text'),
} as typeof types

const defaultTimeoutsMs = { connect: 15_000, query: 30_000, end: 2_000 }

const settings: ClientConfig = {
  // pg loads this module by itself, but not with every bundler. pg passes the settings, which its type does not declare.
  stream: ((config: ClientConfig) => new CloudflareSocket(Boolean(config.ssl))) as () => Duplex,
}

/** A statement that is sent when it is awaited or with a transaction, as in Neon's client. */
class Statement implements PromiseLike<Result> {
  readonly sql: string
  readonly values: unknown[]
  readonly options: QueryOptions
  readonly #run: (statement: Statement) => Promise<Result>

  constructor(sql: string, values: unknown[], options: QueryOptions, run: (statement: Statement) => Promise<Result>) {
    this.sql = sql
    this.values = values
    this.options = options
    this.#run = run
  }

  // biome-ignore lint/suspicious/noThenProperty: statements are sent when they are awaited
  then<A = Result, B = never>(
    done?: ((result: Result) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ) {
    return this.#run(this).then(done, failed)
  }
}

const send = (client: Client, { sql, values, options }: Statement): Promise<Result> =>
  client.query({
    text: sql,
    values,
    types: parsers,
    ...(options.arrayMode && { rowMode: 'array' as const }),
  }) as Promise<Result>

/** Rejects after a timeout. `pg` alone would wait until its socket closes, which a silent server can prevent. */
async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The database did not answer within ${timeoutMs} ms`)), timeoutMs)
  })
  return Promise.race([work, timedOut]).finally(() => clearTimeout(timer))
}

/**
 * Makes a client. Each statement and each transaction opens a connection, since Workers cannot share one between requests.
 * Hyperdrive makes that cheap.
 */
export function tcpClient({ url, searchPath }: { url: string; searchPath?: string }, timeoutsMs = defaultTimeoutsMs) {
  async function connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ ...settings, connectionString: url, query_timeout: timeoutsMs.query })
    // An error during a statement rejects that statement; an error while closing can be ignored.
    client.on('error', () => undefined)
    try {
      await withTimeout(timeoutsMs.connect, client.connect())
      return await work(client)
    } finally {
      await withTimeout(timeoutsMs.end, client.end()).catch(() => undefined)
    }
  }

  const transaction = (statements: Statement[]) =>
    connected(async (client) => {
      await client.query('BEGIN')
      try {
        if (searchPath) await client.query("SELECT set_config('search_path', $1, true)", [searchPath])
        const results: Result[] = []
        for (const statement of statements) results.push(await send(client, statement))
        await client.query('COMMIT')
        return results
      } catch (error) {
        // The rollback fails too if the connection is lost. The first error has the cause.
        await withTimeout(timeoutsMs.end, client.query('ROLLBACK')).catch(() => undefined)
        throw error
      }
    })

  // A connection pooler may use another session for each transaction, so the search path is set within the transaction.
  const single = (statement: Statement) =>
    searchPath ? transaction([statement]).then(([result]) => result!) : connected((client) => send(client, statement))

  const query = (sql: string, values: unknown[] = [], options: QueryOptions = {}) =>
    new Statement(sql, values, options, single)

  return Object.assign(query, { query, transaction })
}
