// Durable object with the audit log of one component and UTC day. SHA-256 chains the batches, so that changed and removed rows are
// found.

import { DurableObject } from 'cloudflare:workers'
import { createHash } from 'node:crypto'
import type { AuditBatch, AuditRow } from '#core/access/access-service'
import { migrate } from '#core/objects/migrate'

const steps = [
  `CREATE TABLE batches (seq INTEGER PRIMARY KEY, sender TEXT NOT NULL, number INTEGER NOT NULL, row_count INTEGER NOT NULL, rows TEXT NOT NULL, hash TEXT NOT NULL);
   CREATE UNIQUE INDEX batches_number ON batches (sender, number);`,
  `ALTER TABLE batches ADD COLUMN numbered INTEGER;`,
]

/** A stored batch. `rows` is JSON; `hash` covers the batch and the hash of the previous one. */
type StoredBatch = {
  seq: number
  sender: string
  number: number
  row_count: number
  rows: string
  hash: string
  /** The highest number that the sender had given to a batch. Null in batches of earlier versions. */
  numbered: number | null
}

/** The end of a part of the chain. */
export interface ChainLink {
  seq: number
  hash: string
}

/** A row's place: rows before it are older. */
interface RowPosition {
  seq: number
  index: number
}

interface RowQuery {
  /** Exclusive. Default: the newest row. */
  before?: RowPosition | undefined
  /** Unix time in milliseconds, inclusive. */
  from?: number | undefined
  /** Unix time in milliseconds, exclusive. */
  to?: number | undefined
  key?: string | undefined
  operation?: string | undefined
  limit: number
}

interface RowPage {
  rows: AuditRow[]
  /** Unset if there are no older rows. */
  next?: RowPosition
}

/** The result of checking a part of the chain. */
export type ChainCheck = { next: ChainLink } | { result: AuditResult }

export interface AuditResult {
  rows: number
  /** Number of missing batches. */
  gaps: number
  valid: boolean
}

const maxBatchesPerRead = 200
const maxBatchesPerCheck = 1_000

export class AuditDay extends DurableObject<unknown> {
  readonly #sql = this.ctx.storage.sql

  /**
   * Appends a batch, and returns the end of the chain. Ignores a batch that is stored already. `name` begins the chain, so that it
   * belongs to one day.
   */
  add(name: string, { sender, number, numbered = number, rows }: AuditBatch): ChainLink {
    const { storage } = this.ctx
    migrate(storage, steps)
    return storage.transactionSync(() => {
      const last = this.#head() ?? { seq: 0, hash: name }
      const batch = { sender, number, numbered, row_count: rows.length, rows: JSON.stringify(rows) }
      const head = { seq: last.seq + 1, hash: hashOf(last.hash, batch) }
      const added = this.#sql.exec(
        'INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sender, number) DO NOTHING RETURNING 1',
        ...[head.seq, sender, number, batch.row_count, batch.rows, head.hash, numbered],
      )
      if (added.toArray().length === 0) return last
      // The end of the chain is stored apart, so that removing the last batch is found too.
      storage.kv.put('head', head)
      return head
    })
  }

  /** A page of the rows, newest first. Reads a limited number of batches, so that a page may be short. */
  read({ before, limit, ...filter }: RowQuery): RowPage {
    if (!this.#isMigrated()) return { rows: [] }
    const rows: AuditRow[] = []
    const newest = before?.seq ?? Number.MAX_SAFE_INTEGER
    const batches = this.#sql
      .exec<StoredBatch>('SELECT * FROM batches WHERE seq <= ? ORDER BY seq DESC LIMIT ?', newest, maxBatchesPerRead)
      .toArray()
    for (const { seq, rows: text } of batches) {
      const ofBatch = JSON.parse(text) as AuditRow[]
      const end = seq === before?.seq ? before.index : ofBatch.length
      for (let index = end - 1; index >= 0; index--) {
        const row = ofBatch[index]!
        if (matches(row, filter)) rows.push(row)
        if (rows.length === limit) return { rows, next: { seq, index } }
      }
    }
    const oldest = batches.at(-1)
    return oldest && batches.length === maxBatchesPerRead ? { rows, next: { seq: oldest.seq, index: 0 } } : { rows }
  }

  /** The end of the chain. `undefined` if no batch was ever added. */
  head(): ChainLink | undefined {
    return this.#head()
  }

  /** Whether the chain has a batch. */
  has({ seq, hash }: ChainLink): boolean {
    if (!this.#isMigrated()) return false
    const [stored] = this.#sql.exec<{ hash: string }>('SELECT hash FROM batches WHERE seq = ?', seq)
    return stored?.hash === hash
  }

  /**
   * Checks a part of the chain after `from`, and the whole log once the end of the chain is reached. It must have the batch `anchor`,
   * which it had before.
   */
  check(name: string, anchor: ChainLink | undefined, from: ChainLink = { seq: 0, hash: name }): ChainCheck {
    const head = this.#head()
    if (!this.#isMigrated()) return { result: { rows: 0, gaps: 0, valid: head === undefined } }
    migrate(this.ctx.storage, steps)
    const batches = this.#sql.exec<StoredBatch>(
      'SELECT * FROM batches WHERE seq > ? ORDER BY seq LIMIT ?',
      from.seq,
      maxBatchesPerCheck,
    )
    let { seq, hash } = from
    let checked = 0
    for (const batch of batches) {
      if (batch.hash !== hashOf(hash, batch)) return { result: this.#result(false) }
      seq = batch.seq
      hash = batch.hash
      checked++
    }
    if (checked === maxBatchesPerCheck) return { next: { seq, hash } }
    return { result: this.#result(head?.seq === seq && head.hash === hash && (!anchor || this.has(anchor))) }
  }

  /** Deletes everything. */
  async clear(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }

  #result(valid: boolean): AuditResult {
    const count =
      'SELECT coalesce(sum(found), 0) AS found, coalesce(sum(last - batches), 0) AS gaps FROM (SELECT sum(row_count) AS found, max(max(number, coalesce(numbered, number))) AS last, count(*) AS batches FROM batches GROUP BY sender)'
    const { found, gaps } = this.#sql.exec<{ found: number; gaps: number }>(count).one()
    return { rows: found, gaps, valid }
  }

  #head(): ChainLink | undefined {
    return this.ctx.storage.kv.get<ChainLink>('head')
  }

  /** Whether a batch was ever added. Reading an object that does not exist writes nothing. */
  #isMigrated(): boolean {
    return this.ctx.storage.kv.get('schema') !== undefined
  }
}

function matches({ at, key, operation }: AuditRow, filter: Omit<RowQuery, 'before' | 'limit'>): boolean {
  return (
    (filter.from === undefined || at >= filter.from) &&
    (filter.to === undefined || at < filter.to) &&
    (filter.key === undefined || key === filter.key) &&
    (filter.operation === undefined || operation === filter.operation)
  )
}

function hashOf(previous: string, batch: Omit<StoredBatch, 'seq' | 'hash'>): string {
  const { sender, number, row_count, rows, numbered } = batch
  const texts = [previous, sender, number, row_count, rows, ...(numbered === null ? [] : [numbered])]
  return createHash('sha256').update(texts.join('\n')).digest('hex')
}
