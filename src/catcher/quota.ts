// Durable object that limits the stored bytes and the new spaces of all senders without credentials, and lists the spaces.
import { DurableObject } from 'cloudflare:workers'
import { migrate } from '#core/objects/migrate'
import { failure } from './errors.ts'
import { maxBytesPerSpace } from './history.ts'

/** Limit of all spaces of senders without credentials, in bytes. */
export const maxBytes = 1_000_000_000

/** Maximum number of new spaces that one IP address may open per hour without credentials. */
export const maxNewSpaces = 100

const hourMs = 3_600_000

/** A space counts as at least this number of bytes, so that many small spaces use up the quota too. */
const minBytes = 4_096

/** Maximum number of expired rows that one call deletes, so that no call takes long. */
const purgeBatch = 1_000

/** The request of a space for quota, on behalf of a sender without credentials. */
export interface SpaceDemand {
  space: string
  /** The sender's address, as `ipKeyOf` returns it. */
  address: string
  /** Whether the space does not exist yet. */
  isNew: boolean
  /** Bytes that the space will hold. */
  bytes: number
  /** Milliseconds after which the quota is released if the space does not ask again. */
  keepMs: number
}

/** Counts the bytes and the new spaces of all senders without credentials. One object, since the limits are for all spaces together. */
export class CaptureQuota extends DurableObject {
  readonly #sql: SqlStorage
  #total: number

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env as never)
    this.#sql = ctx.storage.sql
    migrate(ctx.storage, [createQuota, createNamedSpaces])
    this.#total = this.#sql.exec<{ bytes: number }>('SELECT coalesce(sum(bytes), 0) AS bytes FROM spaces').one().bytes
  }

  /** Grants a space the bytes that it asks for, and up to a quarter more, so that it rarely asks. Throws 429 above the limits. */
  reserve({ space, address, isNew, bytes, keepMs }: SpaceDemand): number {
    const now = Date.now()
    this.#purge(now)
    const [held] = this.#sql.exec<{ bytes: number }>('SELECT bytes FROM spaces WHERE name = ?', space)
    const isCounted = isNew && !held
    if (isCounted) this.#checkNewSpaces(address, now)
    const room = maxBytes - this.#total + (held?.bytes ?? 0)
    if (Math.max(bytes, minBytes) > room)
      throw captureLimit(`Senders without credentials store more than ${maxBytes} bytes`, hourMs)
    const granted = Math.min(withReserve(bytes), Math.max(maxBytesPerSpace, bytes), room)
    this.ctx.storage.transactionSync(() => {
      this.#sql.exec(
        'INSERT OR REPLACE INTO spaces (name, bytes, expires_at) VALUES (?, ?, ?)',
        space,
        granted,
        now + keepMs,
      )
      if (isCounted) this.#sql.exec('INSERT INTO new_spaces (address, created_at) VALUES (?, ?)', address, now)
    })
    this.#total += granted - (held?.bytes ?? 0)
    return granted
  }

  /** Releases the quota of a space whose requests were deleted. */
  release(space: string) {
    this.#remove('WHERE name = ?', space)
  }

  /** Records the name of a space without quota for `keepMs`. A separate object does this, so that no capture waits for the quota. */
  register(space: string, keepMs: number) {
    const now = Date.now()
    this.#purge(now)
    this.#sql.exec('INSERT OR REPLACE INTO named_spaces (name, expires_at) VALUES (?, ?)', space, now + keepMs)
  }

  /** The name of the next space after a name, without one. Undefined if there is none. */
  nextSpace(after: string, except: string): string | undefined {
    const found = this.#sql.exec<{ name: string }>(
      `SELECT name FROM (SELECT name FROM spaces UNION SELECT name FROM named_spaces)
       WHERE name > ? AND name <> ? ORDER BY name LIMIT 1`,
      ...[after, except],
    )
    return found.toArray()[0]?.name
  }

  #checkNewSpaces(address: string, now: number) {
    const [oldest] = this.#sql.exec<{ created_at: number }>(
      'SELECT created_at FROM new_spaces WHERE address = ? AND created_at > ? ORDER BY created_at DESC LIMIT 1 OFFSET ?',
      ...[address, now - hourMs, maxNewSpaces - 1],
    )
    if (oldest)
      throw captureLimit(
        `An IP address may open ${maxNewSpaces} spaces per hour without credentials`,
        oldest.created_at + hourMs - now,
      )
  }

  #purge(now: number) {
    this.#remove(`WHERE name IN (SELECT name FROM spaces WHERE expires_at <= ? LIMIT ${purgeBatch})`, now)
    this.#sql.exec(
      `DELETE FROM new_spaces WHERE rowid IN (SELECT rowid FROM new_spaces WHERE created_at <= ? LIMIT ${purgeBatch})`,
      now - hourMs,
    )
    this.#sql.exec(
      `DELETE FROM named_spaces WHERE name IN (SELECT name FROM named_spaces WHERE expires_at <= ? LIMIT ${purgeBatch})`,
      now,
    )
  }

  #remove(where: string, binding: string | number) {
    const removed = this.#sql.exec<{ bytes: number }>(`DELETE FROM spaces ${where} RETURNING bytes`, binding)
    for (const { bytes } of removed) this.#total -= bytes
  }
}

const createQuota = `
  CREATE TABLE spaces (name TEXT PRIMARY KEY, bytes INTEGER NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX spaces_by_expiry ON spaces (expires_at);
  CREATE TABLE new_spaces (address TEXT NOT NULL, created_at INTEGER NOT NULL);
  CREATE INDEX new_spaces_by_address ON new_spaces (address, created_at);
  CREATE INDEX new_spaces_by_age ON new_spaces (created_at)`

const createNamedSpaces = `
  CREATE TABLE named_spaces (name TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX named_spaces_by_expiry ON named_spaces (expires_at);`

/** Rounds up to the next eighth to quarter of the size, so that a space asks for quota only about 50 times until it is full. */
function withReserve(bytes: number): number {
  const step = Math.max(minBytes, 2 ** Math.floor(Math.log2(bytes)) / 4)
  return Math.ceil(bytes / step) * step
}

const captureLimit = (reason: string, waitMs: number) =>
  failure('capture_limit', `${reason}. Send credentials, use the default space, or retry later.`, {
    retryAfter: waitMs / 1000,
  })
