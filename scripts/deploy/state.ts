import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { Stop } from './stop.ts'

/** What is known of an account. */
export const AccountState = z.object({
  /** Ids of D1 databases by name. */
  databases: z.record(z.string(), z.string()).default({}),
})
export type AccountState = z.infer<typeof AccountState>

/** The git-ignored folder of all that belongs to an account and not to the project. */
export const folder = '.deploy'

const fileOf = (root: string, account: string) => join(root, folder, `${account}.json`)

export function readState(root: string, account: string): AccountState {
  const file = fileOf(root, account)
  try {
    return AccountState.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return AccountState.parse({})
    throw new Stop(`${file} is not readable; remove it, and it is made again`)
  }
}

/** Whole or not at all, whenever it is cut off. */
export function writeState(root: string, account: string, state: AccountState): void {
  const file = fileOf(root, account)
  writePrivate(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`)
  renameSync(`${file}.new`, file)
}

/** Writes a file that no other user can read. */
export function writePrivate(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, text, { mode: 0o600 })
}
