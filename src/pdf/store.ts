// Documents that callers store by name, in R2. A marker beside each has the second of its expiry first in its key, so that
// the sweep finds expired documents in the order of a listing.
import type { Env } from './bindings.ts'
import type { StoredDocument } from './contract.ts'
import { storeTtlOf } from './env.ts'
import { missing } from './errors.ts'
import type { Printed } from './printing.ts'

type StoreEnv = Pick<Env, 'CACHE' | 'PDF_STORE_TTL'>

const markers = 'expires/'

const secondDigits = 12

const secondsNow = () => Math.floor(Date.now() / 1_000)

const documentKey = (digest: string) => `stored/${digest}`

const markerKey = (until: number, digest: string) => `${markers}${String(until).padStart(secondDigits, '0')}/${digest}`

/** A name as a part of a key: a name may be longer, in bytes, than a key. */
const digestOf = async (name: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name))).toHex()

/** Stores a document in place of the one of the same name. The marker comes first, so that a crash leaves no document without one. */
export async function storeDocument(
  env: StoreEnv,
  { name, filename }: { name: string; filename: string },
  { body, size }: Printed,
): Promise<StoredDocument> {
  const until = secondsNow() + storeTtlOf(env)
  const digest = await digestOf(name)
  await env.CACHE.put(markerKey(until, digest), '')
  await env.CACHE.put(documentKey(digest), body, {
    customMetadata: { filename: encodeURIComponent(filename), until: String(until) },
  })
  return { name, filename, size, expires_at: new Date(until * 1_000) }
}

interface Stored {
  object: R2ObjectBody
  filename: string
}

/** A stored document; 404 if there is none of the name, or it has expired. */
export async function findDocument({ CACHE }: StoreEnv, name: string): Promise<Stored> {
  const object = await CACHE.get(documentKey(await digestOf(name)))
  if (object && expiryOf(object) > secondsNow())
    return { object, filename: decodeURIComponent(object.customMetadata?.filename ?? 'document.pdf') }
  await object?.body.cancel()
  throw missing('document', { name })
}

/** Deletes a stored document; 404 if there is none of the name. Its marker goes with the sweep. */
export async function deleteDocument({ CACHE }: StoreEnv, name: string): Promise<void> {
  const key = documentKey(await digestOf(name))
  const object = await CACHE.head(key)
  if (!object) throw missing('document', { name })
  await CACHE.delete(key)
}

const expiryOf = (object: R2Object) => Number(object.customMetadata?.until ?? 0)

/** A sweep takes about one R2 operation for each marker, and an invocation may make 1 000. */
const maxSweptMarkers = 200

const groupSize = 20

/**
 * Deletes expired documents, the oldest first, at most 200 at a time. The markers of each group are deleted with their
 * documents, so that a sweep that is cut off is continued by the next one.
 */
export async function sweepStored({ CACHE }: StoreEnv): Promise<void> {
  const now = secondsNow()
  const { objects } = await CACHE.list({ prefix: markers, limit: maxSweptMarkers })
  const expired = objects
    .map(({ key }) => key)
    .filter((key) => Number(key.slice(markers.length).slice(0, secondDigits)) <= now)
  for (let at = 0; at < expired.length; at += groupSize) {
    const group = expired.slice(at, at + groupSize)
    const documents: string[] = []
    for (const marker of group) {
      const key = documentKey(marker.split('/').at(-1)!)
      const object = await CACHE.head(key)
      // A document of the same name that was stored later has a marker of its own.
      if (object && expiryOf(object) <= now) documents.push(key)
    }
    if (documents.length > 0) await CACHE.delete(documents)
    // Last, so that a crash leaves no document without a marker.
    await CACHE.delete(group)
  }
}
