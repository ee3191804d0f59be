// Unfinished uploads that the tus client keeps in localStorage, so that the user can resume them after a reload.
import type { PreviousUpload } from 'tus-js-client'
import { authorization } from '../../session.ts'

/** An upload that an earlier visit of the page did not finish. */
interface Unfinished {
  key: string
  name: string
  /** Size of the file in bytes. */
  size: number
}

const prefix = 'quartermaster'

/** Path of the API for resumable uploads. */
export const endpoint = '/media/tus'

/**
 * Returns the path of an upload on this origin. The API returns a URL under `BASE_URL`, which may be another origin that the
 * browser would block.
 */
export const sameOriginPath = (url: string) => (url === endpoint ? url : `${endpoint}/${url.split('/').at(-1)}`)

/** Returns a text that identifies a file, so that its upload is found again after a reload. */
export const fingerprintOf = ({ name, type, size, lastModified }: File, kind: string): string =>
  [prefix, kind, type, size, lastModified, name].join('-')

/** Returns the earlier uploads that can be resumed, newest first. */
export const resumable = (previous: PreviousUpload[]): PreviousUpload[] =>
  previous.filter(({ uploadUrl }) => uploadUrl).sort((a, b) => Date.parse(b.creationTime) - Date.parse(a.creationTime))

/** Removes the record of a file's upload, so that the next upload of the file starts from the beginning. */
export function forgetFile(file: File, kind: string) {
  const own = `tus::${fingerprintOf(file, kind)}::`
  for (const key of Object.keys(localStorage)) if (key.startsWith(own)) localStorage.removeItem(key)
}

/** Returns all unfinished uploads of this browser. */
export const unfinished = (): Unfinished[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(`tus::${prefix}-`))
    .flatMap((key) => {
      const upload = read(key)
      return upload ? [{ key, name: upload.metadata.filename ?? '', size: upload.size ?? 0 }] : []
    })

/** Deletes an unfinished upload: its record in this browser, and its bytes on the server. */
export async function forget(key: string): Promise<void> {
  const { uploadUrl } = read(key) ?? {}
  localStorage.removeItem(key)
  if (!uploadUrl) return
  const headers = { ...authorization(), 'tus-resumable': '1.0.0' }
  await fetch(sameOriginPath(uploadUrl), {
    method: 'DELETE',
    headers,
    credentials: 'omit',
    signal: AbortSignal.timeout(30_000),
  })
}

/** Reads a record that the tus client has stored; undefined if it is not valid. */
function read(key: string): PreviousUpload | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '') as PreviousUpload
  } catch {
    return undefined
  }
}
