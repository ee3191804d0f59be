// Stores the ids of a Cloudflare account's resources in the folder `.deploy`, so that later deployments need not look
// them up.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { Stop } from './stop.ts'

/** The stored ids of an account's resources. */
export const AccountState = z.object({
  /** Ids of D1 databases by name. */
  databases: z.record(z.string(), z.string()).default({}),
  /** Address of the gateway, as of its last deployment. */
  url: z.string().optional(),
  /** Workers of the queue that an interrupted deployment has paused, and that must be resumed. */
  paused: z.array(z.string()).default([]),
})
export type AccountState = z.infer<typeof AccountState>

/**
 * Folder of all files that belong to one Cloudflare account. Git ignores it, since it is different for each account.
 */
export const folder = '.deploy'

const fileOf = (root: string, account: string) => join(root, folder, `${account}.json`)

export function readState(root: string, account: string): AccountState {
  const file = fileOf(root, account)
  try {
    return AccountState.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return AccountState.parse({})
    throw new Stop(`${file} is not valid. Delete the file; the next deployment creates it again`)
  }
}

/** Writes the state atomically, so that an interrupted write leaves the old state. */
export function writeState(root: string, account: string, state: AccountState): void {
  const file = fileOf(root, account)
  writePrivate(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`)
  renameSync(`${file}.new`, file)
}

/** Writes a file that other users of the machine cannot read. */
export function writePrivate(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, text, { mode: 0o600 })
}
