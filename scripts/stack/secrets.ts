// Generates the secrets that a local start lacks, and stores them in the state folder.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns a value for each name, stored or new. `file` is the path of the file with the values, which only its owner
 * can read.
 */
export function secretsOf(names: string[], folder: string): { file: string; secrets: Record<string, string> } {
  const file = join(folder, 'secrets.json')
  const kept: Record<string, string> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const added = names.filter((name) => !(name in kept)).map((name) => [name, randomBytes(32).toString('base64url')])
  const all = { ...kept, ...Object.fromEntries(added) }
  if (added.length > 0) write(file, `${JSON.stringify(all, null, 2)}\n`)
  return { file, secrets: Object.fromEntries(names.map((name) => [name, all[name]!])) }
}

/** Writes the file atomically, so that a crash leaves the old secrets, without which data could not be decrypted. */
function write(file: string, text: string) {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
