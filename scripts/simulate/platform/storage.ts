// The `storage` of a simulated durable object: the platform's interface, on a simulated disk.
import type { Disk } from './disk.ts'

/** Thrown by every use of the storage by a process that has crashed. */
export class Crashed extends Error {}

interface Hooks {
  /** Called before each operation. Throws `Crashed` if the process is dead, or dies now. */
  onOperation(): void
  /** Called after each write. */
  onWrite(): void
  /** Whether the process is dead. */
  isDead(): boolean
  /** Runs an output when all changes are durable. */
  output(send: () => void): void
}

/** Size of the database that the storage reports, in bytes. */
const databaseSize = 1_000_000

/** A cursor over rows that were all read at once. */
class Cursor {
  readonly #rows: Record<string, unknown>[]

  constructor(rows: Record<string, unknown>[]) {
    this.#rows = rows
  }

  get columnNames(): string[] {
    return Object.keys(this.#rows[0] ?? {})
  }

  [Symbol.iterator]() {
    return this.#rows[Symbol.iterator]()
  }

  toArray() {
    return this.#rows
  }

  one() {
    if (this.#rows.length !== 1) throw new Error(`Expected one row, got ${this.#rows.length}`)
    return this.#rows[0]
  }

  raw() {
    return this.#rows.map((row) => Object.values(row)).values()
  }
}

const isRead = /^\s*SELECT/i

/** The storage of one process. After the crash of the process, every operation throws. */
export function storageOf(disk: Disk, hooks: Hooks): DurableObjectStorage {
  const { onOperation, onWrite, isDead, output } = hooks
  const exec = (text: string, ...params: unknown[]) => {
    onOperation()
    const rows = disk.all(text, ...params)
    if (!isRead.test(text)) onWrite()
    return new Cursor(rows)
  }
  const transactionSync = <T>(act: () => T): T => {
    onOperation()
    disk.all('SAVEPOINT step')
    try {
      const result = act()
      disk.all('RELEASE step')
      return result
    } catch (error) {
      // A crash has rolled the whole transaction back.
      if (!isDead()) {
        disk.all('ROLLBACK TO step')
        disk.all('RELEASE step')
      }
      throw error
    }
  }
  const setAlarm = async (at: number | null) => {
    onOperation()
    disk.alarm = at
    onWrite()
  }
  const storage = {
    sql: { exec, databaseSize },
    kv: kvOf(disk, hooks),
    transactionSync,
    sync: () => new Promise<void>((resolve) => output(resolve)),
    setAlarm: (at: number | Date) => setAlarm(Number(at)),
    deleteAlarm: () => setAlarm(null),
    getAlarm: async () => disk.alarm,
  }
  return storage as unknown as DurableObjectStorage
}

/** The storage outside of any process: without crashes, and without an output gate. */
export const storageOutside = (disk: Disk): DurableObjectStorage =>
  storageOf(disk, {
    onOperation: () => undefined,
    onWrite: () => undefined,
    isDead: () => false,
    output: (send) => send(),
  })

const kvOf = (disk: Disk, { onOperation, onWrite }: Hooks) => ({
  get(key: string) {
    onOperation()
    const [row] = disk.all('SELECT value FROM simulated_kv WHERE key = ?', key)
    return row && JSON.parse(row.value as string)
  },
  put(key: string, value: unknown) {
    onOperation()
    disk.all('INSERT OR REPLACE INTO simulated_kv (key, value) VALUES (?, ?)', key, JSON.stringify(value))
    onWrite()
  },
  delete(key: string) {
    onOperation()
    onWrite()
    return disk.all('DELETE FROM simulated_kv WHERE key = ? RETURNING key', key).length > 0
  },
})
