// A Postgres client over TCP for Workers, with the interface of Neon's HTTP client, so that one Drizzle driver serves both.
import type { Duplex } from 'node:stream'
import { Client, type ClientConfig, types } from 'pg'
import { CloudflareSocket } from 'pg-cloudflare'

/** The options of a query that Drizzle's Neon driver passes to the client. */
interface QueryOptions {
  arrayMode?: boolean
}

interface Result {
  command: string
  fields: unknown[]
  rows: unknown[]
  rowCount: number | null
}

// Types whose values `pg` returns as text, since Drizzle parses times itself.
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
  // The socket is passed explicitly: `pg` would load `pg-cloudflare` by itself, but not with every bundler. The cast is
  // needed because `pg` calls `stream` with the settings, which its types do not declare.
  stream: ((config: ClientConfig) => new CloudflareSocket(Boolean(config.ssl))) as () => Duplex,
}

/** A statement that is sent when it is awaited or when its transaction runs, like the statements of Neon's client. */
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

  // biome-ignore lint/suspicious/noThenProperty: a statement must be awaitable, as in Neon's client
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

/**
 * Rejects if the work takes longer than the timeout. `pg` alone would wait until its socket closes, which a silent
 * server can prevent for ever.
 */
async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The database did not answer within ${timeoutMs} ms`)), timeoutMs)
  })
  return Promise.race([work, timedOut]).finally(() => clearTimeout(timer))
}

/**
 * Makes a Postgres client. Each statement and each transaction opens a connection, since Workers cannot share a
 * connection between requests. With Hyperdrive, opening one is cheap.
 */
export function tcpClient({ url, searchPath }: { url: string; searchPath?: string }, timeoutsMs = defaultTimeoutsMs) {
  async function connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ ...settings, connectionString: url, query_timeout: timeoutsMs.query })
    // Without a listener, an `error` event would be an uncaught exception. It needs no handling here: the statement
    // that failed rejects too, and errors while closing do no harm.
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
        // If the connection is lost, the rollback fails too. Its error is ignored, so that the first error, which has
        // the cause, is thrown.
        await withTimeout(timeoutsMs.end, client.query('ROLLBACK')).catch(() => undefined)
        throw error
      }
    })

  // Sets the search path inside the transaction of the statement: a connection pooler may use another session for each
  // transaction.
  const single = (statement: Statement) =>
    searchPath ? transaction([statement]).then(([result]) => result!) : connected((client) => send(client, statement))

  const query = (sql: string, values: unknown[] = [], options: QueryOptions = {}) =>
    new Statement(sql, values, options, single)

  return Object.assign(query, { query, transaction })
}
