// Documents that callers store by name, in R2. Each has an empty marker object whose key begins with the Unix time of its
// expiry, so that the sweep finds expired documents at the beginning of a listing. If a document is replaced, the marker of the
// previous one stays until its own time.
import type { Env } from './bindings.ts'
import type { StoredDocument } from './contract.ts'
import { storeTtlOf } from './env.ts'
import { missing } from './errors.ts'
import type { PrintedPdf } from './print-client.ts'

type StoreEnv = Pick<Env, 'CACHE' | 'PDF_STORE_TTL'>

const markerPrefix = 'expires/'

const secondDigits = 12

const secondsNow = () => Math.floor(Date.now() / 1_000)

const documentKey = (digest: string) => `stored/${digest}`

const markerKey = (until: number, digest: string) =>
  `${markerPrefix}${String(until).padStart(secondDigits, '0')}/${digest}`

/** Digest of a name for its key: a name can be longer, in bytes, than an R2 key. */
const nameDigest = async (name: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name))).toHex()

/** Stores a document, and replaces the one with the same name. Writes the marker first, so that a crash leaves no document without one. */
export async function storeDocument(
  env: StoreEnv,
  { name, filename }: { name: string; filename: string },
  { body, size }: PrintedPdf,
): Promise<StoredDocument> {
  const until = secondsNow() + storeTtlOf(env)
  const digest = await nameDigest(name)
  await env.CACHE.put(markerKey(until, digest), '')
  await env.CACHE.put(documentKey(digest), body, {
    customMetadata: { filename: encodeURIComponent(filename), until: String(until) },
  })
  return { name, filename, size, expires_at: new Date(until * 1_000) }
}

interface StoredObject {
  object: R2ObjectBody
  filename: string
}

/** Finds a stored document. Throws `document_not_found` if no document has the name or it has expired. */
export async function findDocument({ CACHE }: StoreEnv, name: string): Promise<StoredObject> {
  const object = await CACHE.get(documentKey(await nameDigest(name)))
  if (object && expiryOf(object) > secondsNow())
    return { object, filename: decodeURIComponent(object.customMetadata?.filename ?? 'document.pdf') }
  await object?.body.cancel()
  throw missing('document', { name })
}

/** Deletes a stored document; the sweep deletes its marker later. Throws `document_not_found` if no document has the name. */
export async function deleteDocument({ CACHE }: StoreEnv, name: string): Promise<void> {
  const key = documentKey(await nameDigest(name))
  const object = await CACHE.head(key)
  if (!object) throw missing('document', { name })
  await CACHE.delete(key)
}

const expiryOf = (object: R2Object) => Number(object.customMetadata?.until ?? 0)

/** Maximum number of markers per sweep, which makes about one R2 operation for each. The platform allows an invocation 1 000. */
const maxSweptMarkers = 200

const sweepBatchSize = 20

/**
 * Deletes expired documents, the oldest first, at most 200 per sweep. Each batch deletes its documents and then their
 * markers, so that the next sweep continues after an interrupted one.
 */
export async function sweepStore({ CACHE }: StoreEnv): Promise<void> {
  const now = secondsNow()
  const { objects } = await CACHE.list({ prefix: markerPrefix, limit: maxSweptMarkers })
  const expired = objects
    .map(({ key }) => key)
    .filter((key) => Number(key.slice(markerPrefix.length).slice(0, secondDigits)) <= now)
  for (let at = 0; at < expired.length; at += sweepBatchSize) {
    const group = expired.slice(at, at + sweepBatchSize)
    const documents: string[] = []
    for (const marker of group) {
      const key = documentKey(marker.split('/').at(-1)!)
      const object = await CACHE.head(key)
      // If a document was stored later under the same name, it has not expired and has a later marker: delete only this marker.
      if (object && expiryOf(object) <= now) documents.push(key)
    }
    if (documents.length > 0) await CACHE.delete(documents)
    // Markers are deleted last, so that a crash leaves no document without one.
    await CACHE.delete(group)
  }
}
