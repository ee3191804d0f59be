import type { Duplex } from 'node:stream'
import { Client, type ClientConfig, types } from 'pg'
import { CloudflareSocket } from 'pg-cloudflare'

interface Shape {
  arrayMode?: boolean
}

interface Result {
  command: string
  fields: unknown[]
  rows: unknown[]
  rowCount: number | null
}

// Drizzle reads times from their text.
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

/** How long each step takes at the most, in milliseconds. */
const patience = { connect: 15_000, query: 30_000, end: 2_000 }

const settings: ClientConfig = {
  // pg loads it by itself, but not through every bundler. It is called with the settings, which its type does not say.
  stream: ((config: ClientConfig) => new CloudflareSocket(Boolean(config.ssl))) as () => Duplex,
}

/** A statement that is sent when it is awaited, or as a part of a transaction. */
class Statement implements PromiseLike<Result> {
  readonly sql: string
  readonly values: unknown[]
  readonly shape: Shape
  readonly #run: (statement: Statement) => Promise<Result>

  constructor(sql: string, values: unknown[], shape: Shape, run: (statement: Statement) => Promise<Result>) {
    this.sql = sql
    this.values = values
    this.shape = shape
    this.#run = run
  }

  // biome-ignore lint/suspicious/noThenProperty: being awaited is what it is for
  then<A = Result, B = never>(
    done?: ((result: Result) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ) {
    return this.#run(this).then(done, failed)
  }
}

const send = (client: Client, { sql, values, shape }: Statement): Promise<Result> =>
  client.query({
    text: sql,
    values,
    types: parsers,
    ...(shape.arrayMode && { rowMode: 'array' as const }),
  }) as Promise<Result>

/** What takes no longer than so many milliseconds: `pg` waits for its socket to close, which waits for who does not answer. */
async function inTime<T>(time: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The database did not answer within ${time} ms`)), time)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/**
 * A Postgres over TCP with the interface of Neon's HTTP client, so that Drizzle has one driver for both. A Worker must
 * not share a connection between requests: each statement, and each transaction, has its own, which Hyperdrive makes cheap.
 */
export function tcpClient({ url, searchPath }: { url: string; searchPath?: string }, within = patience) {
  async function connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ ...settings, connectionString: url, query_timeout: within.query })
    // What breaks while a statement runs rejects that; what breaks at the end concerns nobody.
    client.on('error', () => undefined)
    try {
      await inTime(within.connect, client.connect())
      return await work(client)
    } finally {
      await inTime(within.end, client.end()).catch(() => undefined)
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
        // The connection may be what failed; the error says more.
        await inTime(within.end, client.query('ROLLBACK')).catch(() => undefined)
        throw error
      }
    })

  // A pooler may give each transaction another session: a schema is set within the one that it is for.
  const single = (statement: Statement) =>
    searchPath ? transaction([statement]).then(([result]) => result!) : connected((client) => send(client, statement))

  const query = (sql: string, values: unknown[] = [], shape: Shape = {}) => new Statement(sql, values, shape, single)

  return Object.assign(query, { query, transaction })
}
