// Durable object that stores the metrics of a component: the sums of the counts that all isolates of its Worker send.
import { DurableObject } from 'cloudflare:workers'
import { migrate } from '#core/objects/migrate'
import { addTo, type Batch, maxSeries, type Series } from './registry.ts'

const steps = [
  `CREATE TABLE series (family TEXT NOT NULL, labels TEXT NOT NULL, counts TEXT NOT NULL, PRIMARY KEY (family, labels)) WITHOUT ROWID;
   CREATE TABLE senders (id TEXT PRIMARY KEY, number INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
   CREATE INDEX senders_at ON senders (at);`,
]

type Row = { family: string; labels: string; counts: string }

/** Time after which an isolate's last batch number is deleted. By then the isolate no longer retries the batch. */
const maxSenderAgeMs = 86_400_000

/** The meter of a component; each component has one object. Counts are durable once `add` has returned. */
export class Meter extends DurableObject<unknown> {
  readonly #sql: SqlStorage

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env)
    migrate(ctx.storage, steps)
    this.#sql = ctx.storage.sql
  }

  /**
   * Adds a batch once: a batch number that was already added is ignored. An isolate sends a batch only after the
   * previous one is confirmed, so the last number per isolate is enough.
   */
  add(sender: string, { number, series }: Batch, now = Date.now()): void {
    this.ctx.storage.transactionSync(() => {
      const isNew =
        'INSERT INTO senders (id, number, at) VALUES (?1, ?2, ?3) ON CONFLICT (id) DO UPDATE SET number = ?2, at = ?3'
      const taken = this.#sql.exec(`${isNew} WHERE senders.number < ?2 RETURNING 1`, sender, number, now).toArray()
      if (taken.length === 0) return
      this.#sql.exec('DELETE FROM senders WHERE at < ?', now - maxSenderAgeMs)
      for (const one of series) this.#addSeries(one)
    })
  }

  /** All counts since the component was deployed. */
  read(): Series[] {
    return this.#sql
      .exec<Row>('SELECT family, labels, counts FROM series ORDER BY family, labels')
      .toArray()
      .map(({ family, labels, counts }) => ({ family, labels, values: numbersIn(counts) }))
  }

  #addSeries({ family, labels, values }: Series): void {
    const find = 'SELECT family, labels, counts FROM series WHERE family = ? AND labels = ?'
    const [before] = this.#sql.exec<Row>(find, family, labels).toArray()
    if (!before && this.#size() >= maxSeries) return
    const sums = before ? numbersIn(before.counts) : []
    // If the number of a histogram's buckets has changed, its old sums do not fit: the series restarts from 0.
    const counts = sums.length === values.length ? sums : values.map(() => 0)
    addTo(counts, values)
    this.#sql.exec('INSERT OR REPLACE INTO series VALUES (?, ?, ?)', family, labels, JSON.stringify(counts))
  }

  #size(): number {
    return this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM series').one().n
  }
}

const numbersIn = (counts: string) => JSON.parse(counts) as number[]
