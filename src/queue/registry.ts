// The registry of the workers: stores their settings, and when each of their durable objects must be woken.
import { DurableObject } from 'cloudflare:workers'
import { describe, log } from '#core/http/log'
import { migrate } from '#core/objects/migrate'
import type { WorkerSettings } from './contract/settings.ts'
import { presetsOf, type QueueVariables } from './env.ts'
import { failure, missing } from './errors.ts'
import { objectName, parseObjectName } from './settings.ts'

/** What the registry calls of a backlog. */
interface Member extends Rpc.DurableObjectBranded {
  configure(settings: WorkerSettings | null): void
  close(isForced: boolean): boolean
  destroy(): Promise<void>
  reset(): void
}

interface RegistryEnv extends QueueVariables {
  BACKLOG: DurableObjectNamespace<Member>
}

/** Tables of the registry. Append only. */
const migrations = [
  `
CREATE TABLE workers (
  name TEXT PRIMARY KEY,
  -- The settings as JSON; NULL for a worker with a preset only, of which other columns are needed.
  settings TEXT,
  -- The highest number of shards that the worker has had: each of its durable objects may still have tasks.
  objects INTEGER NOT NULL,
  -- Whether the durable objects must still get the settings, or with is_deleted delete their data.
  is_pending INTEGER NOT NULL,
  is_deleted INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX workers_pending ON workers (name) WHERE is_pending = 1;
CREATE TABLE objects (
  name TEXT PRIMARY KEY,
  worker TEXT NOT NULL,
  -- Milliseconds since 1970: when the object has something to do.
  wake_at INTEGER NOT NULL,
  -- What the object reported when it was last woken.
  depth INTEGER NOT NULL DEFAULT 0,
  running INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX objects_wake ON objects (wake_at);
`,
]

/** A worker that was stored by `PUT /worker`, or that has more than one durable object. */
export interface StoredWorker {
  name: string
  /** Null if the worker has its preset. */
  settings: WorkerSettings | null
  /** Number of durable objects that may have tasks. */
  objects: number
}

type WorkerRow = { name: string; settings: string | null; objects: number; is_pending: number; is_deleted: number }

/** The numbers that a durable object reports to the registry when it is woken. */
export interface ObjectReport {
  /** Milliseconds since 1970: when the object is to be woken next. */
  wakeAt: number
  depth: number
  running: number
}

/** Sums over all objects, and the workers with the most waiting tasks. */
interface Summary {
  workers: number
  depth: number
  running: number
  /** Names of workers. */
  deepest: string[]
}

/** Objects that one sweep wakes. */
const maxWoken = 200

/** An object moves its time of waking only if it becomes earlier by more than this, which saves writes. */
export const wakeToleranceMs = 60_000

/** Time after which an object is woken again if its last waking failed. */
const retryAfterMs = 300_000

/** Changes of workers that one sweep completes after a crash. */
const maxRepaired = 20

/** One durable object for all workers. Calls to the objects of one worker are made one after the other. */
export class WorkerRegistry extends DurableObject<RegistryEnv> {
  readonly #sql = this.ctx.storage.sql
  /** The last change of each worker that is being changed. */
  readonly #changes = new Map<string, Promise<unknown>>()

  constructor(ctx: DurableObjectState, env: RegistryEnv) {
    super(ctx, env)
    migrate(ctx.storage, migrations)
  }

  find(name: string): StoredWorker | undefined {
    const row = this.#row(name)
    return row && row.is_deleted === 0 ? storedOf(row) : undefined
  }

  /** The stored workers after a name, sorted by name. */
  list(after: string, limit: number): StoredWorker[] {
    return this.#sql
      .exec<WorkerRow>('SELECT * FROM workers WHERE name > ? AND is_deleted = 0 ORDER BY name LIMIT ?', after, limit)
      .toArray()
      .map(storedOf)
  }

  /** Stores the settings of a worker, and applies them. Throws 409 `worker_not_empty` if another number of shards needs it empty. */
  put(name: string, settings: WorkerSettings): Promise<StoredWorker> {
    return this.#change(name, async () => {
      await this.#apply(name)
      await this.#setSettings(name, settings)
      return this.find(name)!
    })
  }

  /**
   * Deletes a worker with its tasks. A worker with a preset gets its preset again, and keeps its tasks. Without `isForced`, throws
   * 409 `worker_not_empty` if tasks wait or run, or there is a schedule.
   */
  delete(name: string, isForced: boolean): Promise<void> {
    return this.#change(name, async () => {
      await this.#apply(name)
      const row = this.#row(name)
      const preset = presetsOf(this.env).get(name)
      if (preset && !row?.settings) throw failure('worker_built_in')
      if (!row) throw missing('worker', { name })
      if (preset) return this.#setSettings(name, null)
      // Written first: if this is interrupted, the sweep lets the objects accept tasks again.
      this.#write(row)
      const closed = await this.#closeAll(name, row.objects, isForced)
      if (!closed) {
        await this.#apply(name)
        throw failure('worker_not_empty')
      }
      this.#sql.exec('UPDATE workers SET is_deleted = 1, is_pending = 1 WHERE name = ?', name)
      await this.#apply(name)
    })
  }

  /** Notes that an object has something to do at a time, unless it is known for about that time. Returns the known time. */
  noteWake(object: string, at: number): number {
    const [known] = this.#sql.exec<{ wake_at: number }>('SELECT wake_at FROM objects WHERE name = ?', object)
    if (known && known.wake_at - wakeToleranceMs <= at) return known.wake_at
    this.#setWake(object, at)
    return at
  }

  /** Stores the report of an object that was woken. */
  report(object: string, { wakeAt, depth, running }: ObjectReport): void {
    this.#setWake(object, wakeAt)
    this.#sql.exec('UPDATE objects SET depth = ?, running = ? WHERE name = ?', depth, running, object)
  }

  /** The objects that are to be woken, the longest overdue first. They are due again in some minutes if none of them reports. */
  takeOverdue(now: number): string[] {
    for (const name of presetsOf(this.env).keys())
      this.#sql.exec('INSERT OR IGNORE INTO objects (name, worker, wake_at) VALUES (?1, ?1, ?2)', name, now)
    const overdue = this.#sql
      .exec<{ name: string }>('SELECT name FROM objects WHERE wake_at <= ? ORDER BY wake_at LIMIT ?', now, maxWoken)
      .toArray()
      .map(({ name }) => name)
    const names = 'SELECT value FROM json_each(?)'
    const next = now + retryAfterMs
    this.#sql.exec(`UPDATE objects SET wake_at = ? WHERE name IN (${names})`, next, JSON.stringify(overdue))
    return overdue
  }

  /** The overdue objects, and whether `repair` has work: one call for each sweep. */
  sweep(now: number): { overdue: string[]; needsRepair: boolean } {
    const pending = this.#sql.exec('SELECT 1 FROM workers WHERE is_pending = 1 LIMIT 1').toArray()
    return { overdue: this.takeOverdue(now), needsRepair: pending.length > 0 }
  }

  /** Completes the changes of workers that a crash or an error interrupted. */
  async repair(): Promise<void> {
    const rows = this.#sql
      .exec<{ name: string }>('SELECT name FROM workers WHERE is_pending = 1 ORDER BY name LIMIT ?', maxRepaired)
      .toArray()
    for (const { name } of rows)
      await this.#change(name, () => this.#apply(name)).catch((error: unknown) =>
        log('error', { component: 'queue', route: 'repair', worker: name, ...describe(error) }),
      )
  }

  /** Sums over all objects as of their last report, and the workers with the most waiting tasks. */
  summary(limit: number): Summary {
    const sums = `count(DISTINCT worker) AS workers, coalesce(sum(depth), 0) AS depth, coalesce(sum(running), 0) AS running`
    const deepest = this.#sql.exec<{ worker: string }>(
      'SELECT worker FROM objects GROUP BY worker ORDER BY sum(depth) DESC, worker LIMIT ?',
      limit,
    )
    return {
      ...this.#sql.exec<Omit<Summary, 'deepest'>>(`SELECT ${sums} FROM objects`).one(),
      deepest: deepest.toArray().map(({ worker }) => worker),
    }
  }

  /** Runs a change after the earlier ones of the same worker. */
  #change<Result>(name: string, change: () => Promise<Result>): Promise<Result> {
    const last = this.#changes.get(name) ?? Promise.resolve()
    const next = last.then(change, change)
    this.#changes.set(name, next)
    const forget = () => {
      if (this.#changes.get(name) === next) this.#changes.delete(name)
    }
    next.then(forget, forget)
    return next
  }

  /** Sets the settings of a worker, `null` for its preset, and applies them. */
  async #setSettings(name: string, settings: WorkerSettings | null): Promise<void> {
    const row = this.#row(name)
    const preset = presetsOf(this.env).get(name)?.settings
    const old = (row && storedOf(row).settings) ?? preset
    const shards = (settings ?? preset)?.shards ?? 1
    const objects = Math.max(row?.objects ?? 1, shards)
    if (old && shards !== old.shards) {
      // Written first: if this is interrupted, the sweep tells the objects the old settings again.
      this.#write({ name, settings: row?.settings ?? null, objects })
      if (!(await this.#closeAll(name, row?.objects ?? 1, false))) {
        await this.#apply(name)
        throw failure('worker_not_empty', 'The number of shards can be changed only while the worker is empty.')
      }
    }
    this.#write({ name, settings: settings && JSON.stringify(settings), objects })
    await this.#apply(name)
  }

  #write({ name, settings, objects }: Pick<WorkerRow, 'name' | 'settings' | 'objects'>): void {
    this.#sql.exec('INSERT OR REPLACE INTO workers VALUES (?, ?, ?, 1, 0)', name, settings, objects)
  }

  /** Makes the objects of a worker do what its row says. */
  async #apply(name: string): Promise<void> {
    const row = this.#row(name)
    if (!row || row.is_pending === 0) return
    const { settings } = storedOf(row)
    for (const stub of this.#objectsOf(name, row.objects)) {
      if (!row.is_deleted) await stub.configure(settings)
      else {
        await stub.destroy()
        // The call always fails, since it ends the process of the object.
        await stub.reset().catch(() => undefined)
      }
    }
    if (row.is_deleted) {
      this.#sql.exec('DELETE FROM workers WHERE name = ?', name)
      this.#sql.exec('DELETE FROM objects WHERE worker = ?', name)
    } else this.#sql.exec('UPDATE workers SET is_pending = 0 WHERE name = ?', name)
  }

  /** Lets no object of a worker accept tasks until its settings are applied. False if one is not empty. */
  async #closeAll(name: string, objects: number, isForced: boolean): Promise<boolean> {
    for (const stub of this.#objectsOf(name, objects)) if (!(await stub.close(isForced))) return false
    return true
  }

  #objectsOf(worker: string, objects: number): DurableObjectStub<Member>[] {
    return Array.from({ length: objects }, (_, shard) => this.env.BACKLOG.getByName(objectName({ worker, shard })))
  }

  #row(name: string): WorkerRow | undefined {
    return this.#sql.exec<WorkerRow>('SELECT * FROM workers WHERE name = ?', name).toArray()[0]
  }

  #setWake(object: string, at: number): void {
    const { worker } = parseObjectName(object)
    const insert = 'INSERT INTO objects (name, worker, wake_at) VALUES (?, ?, ?)'
    this.#sql.exec(`${insert} ON CONFLICT (name) DO UPDATE SET wake_at = excluded.wake_at`, object, worker, at)
  }
}

const storedOf = ({ name, settings, objects }: WorkerRow): StoredWorker => ({
  name,
  settings: settings === null ? null : (JSON.parse(settings) as WorkerSettings),
  objects,
})
