import type { PreviousUpload } from 'tus-js-client'
import { authorization } from '../../session.ts'

/** An upload that another visit to the page began, and did not end. */
interface Unfinished {
  key: string
  name: string
  /** Bytes. */
  size: number
}

const prefix = 'quartermaster'

/** What tells a file from all others: the same one is found again after a reload. */
export const fingerprintOf = ({ name, type, size, lastModified }: File, kind: string): string =>
  [prefix, kind, type, size, lastModified, name].join('-')

/** Of what was begun earlier that which can be gone on with, the newest first. */
export const keptOf = (found: PreviousUpload[]): PreviousUpload[] =>
  found.filter(({ uploadUrl }) => uploadUrl).sort((a, b) => Date.parse(b.creationTime) - Date.parse(a.creationTime))

/** Takes a file for one that was never begun. */
export function forgetFile(file: File, kind: string) {
  const own = `tus::${fingerprintOf(file, kind)}::`
  for (const key of Object.keys(localStorage)) if (key.startsWith(own)) localStorage.removeItem(key)
}

/** What was begun and not ended in this browser. */
export const unfinished = (): Unfinished[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(`tus::${prefix}-`))
    .flatMap((key) => {
      const kept = read(key)
      return kept ? [{ key, name: kept.metadata.filename ?? '', size: kept.size ?? 0 }] : []
    })

/** Forgets such an upload, here and on the server. */
export async function forget(key: string): Promise<void> {
  const { uploadUrl } = read(key) ?? {}
  localStorage.removeItem(key)
  if (!uploadUrl) return
  const headers = { ...authorization(), 'tus-resumable': '1.0.0' }
  await fetch(uploadUrl, { method: 'DELETE', headers, credentials: 'omit', signal: AbortSignal.timeout(30_000) })
}

/** As the tus client keeps it. */
function read(key: string): PreviousUpload | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '') as PreviousUpload
  } catch {
    return undefined
  }
}
