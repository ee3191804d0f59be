// Durable object with the names of all indexes, so that `GET /indexes` does not wake the durable object of each index.
import { DurableObject } from 'cloudflare:workers'
import { migrate } from '#core/objects/migrate'

const createIndexes = `
  CREATE TABLE indexes (
    name TEXT PRIMARY KEY,
    -- Since when it is being created or deleted, in milliseconds; else null.
    pending INTEGER,
    is_there INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX pending_indexes ON indexes (pending) WHERE pending IS NOT NULL;`

/** Stores the names of the indexes. A deployment has one catalog object. */
export class Catalog extends DurableObject<unknown> {
  readonly #sql = this.ctx.storage.sql

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env)
    migrate(ctx.storage, [createIndexes])
  }

  /**
   * Records that the creation or deletion of an index begins. After a crash, the cron job finds the record and completes the
   * operation.
   */
  markPending(name: string) {
    const statement = `INSERT INTO indexes (name, pending, is_there) VALUES (?1, ?2, 0)
      ON CONFLICT (name) DO UPDATE SET pending = ?2`
    this.#sql.exec(statement, name, Date.now())
  }

  /** Records that the creation or deletion of an index has ended, and whether the index exists. */
  markSettled(name: string, exists: boolean) {
    if (!exists) return void this.#sql.exec('DELETE FROM indexes WHERE name = ?', name)
    const statement = `INSERT INTO indexes (name, is_there) VALUES (?, 1)
      ON CONFLICT (name) DO UPDATE SET pending = NULL, is_there = 1`
    this.#sql.exec(statement, name)
  }

  list(limit: number, offset: number): string[] {
    const statement = 'SELECT name FROM indexes WHERE is_there = 1 ORDER BY name LIMIT ? OFFSET ?'
    return this.#names(statement, limit, offset)
  }

  /** The name of the next index after a name; undefined if there is none. */
  next(after: string): string | undefined {
    const statement = 'SELECT name FROM indexes WHERE is_there = 1 AND name > ? ORDER BY name LIMIT 1'
    return this.#names(statement, after)[0]
  }

  count(): number {
    const statement = 'SELECT count(*) AS n FROM indexes WHERE is_there = 1'
    return this.#sql.exec<{ n: number }>(statement).one().n
  }

  /** Returns up to 1000 indexes whose creation or deletion has been pending for `minAgeMs`, oldest first. */
  pending(minAgeMs: number): string[] {
    const statement = 'SELECT name FROM indexes WHERE pending <= ? ORDER BY pending LIMIT 1000'
    return this.#names(statement, Date.now() - minAgeMs)
  }

  ping() {}

  #names(statement: string, ...bound: (number | string)[]): string[] {
    return this.#sql
      .exec<{ name: string }>(statement, ...bound)
      .toArray()
      .map(({ name }) => name)
  }
}
