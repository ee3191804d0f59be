// Lists the contents of a stack's R2 bucket, so that media tests can check that nothing is left over.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Stack } from '../../../scripts/stack/stack.ts'

interface Bucket {
  keys: string[]
  /** Keys of multipart uploads that were neither completed nor aborted. */
  uploads: string[]
}

/** The objects and uploads in R2, only those of one digest if it is given. */
export function bucketOf({ stateDir }: Stack, digest = ''): Bucket {
  const files = globSync(join(stateDir, 'v3/r2/miniflare-R2BucketObject/*.sqlite')).filter(
    (file) => !file.endsWith('metadata.sqlite'),
  )
  const buckets = files.map((file) => read(file, `${digest}%`))
  return { keys: buckets.flatMap(({ keys }) => keys), uploads: buckets.flatMap(({ uploads }) => uploads) }
}

function read(file: string, like: string): Bucket {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    const keysIn = (table: string, where: string) =>
      db.prepare(`SELECT key FROM ${table} WHERE key LIKE ? AND ${where} ORDER BY key`).all(like)
    const [keys, uploads] = [keysIn('_mf_objects', 'true'), keysIn('_mf_multipart_uploads', 'state = 0')]
    return { keys: keys.map(({ key }) => String(key)), uploads: uploads.map(({ key }) => String(key)) }
  } finally {
    db.close()
  }
}
