// One instance per state folder.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Takes the folder for this process, and returns what gives it back; refuses while another has it. The kernel holds the
 * lock, through SQLite, and lets go of it however the process ends; the pid beside it is for the message.
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
