// Locks a state folder, so that only one stack at a time uses its databases.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Locks the folder for this process, and returns the function that unlocks it. Throws if another process has the lock. The lock
 * is a transaction of SQLite, which the kernel releases however the process ends. The pid in the file is only for the message.
 */
export function lock(folder: string): () => void {
  mkdirSync(folder, { recursive: true })
  const pid = join(folder, 'pid')
  const held = new DatabaseSync(join(folder, 'lock'), { timeout: 0 })
  try {
    held.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    held.close()
    throw new Error(`${folder} is in use by process ${readFileSync(pid, 'utf8')}; set STATE_DIR to another folder`, {
      cause,
    })
  }
  writeFileSync(pid, String(process.pid))
  return () => held.close()
}
