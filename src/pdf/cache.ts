// Cache of printed documents in R2. A key begins with the second in which its document has expired, so that a listing
// returns the oldest first, whatever PDF_CACHE_TTL was when the document was cached.
import type { Env } from './bindings.ts'
import type { PrintedPdf } from './print-client.ts'

/** A cached document. */
export interface CachedPdf {
  object: R2ObjectBody
  /** Expiry, in seconds since 1970. */
  until: number
}

export interface CacheKey {
  /** SHA-256 of the print job. */
  digest: string
  /** Time to live in seconds. */
  ttl: number
}

/**
 * The document that was cached within the last `ttl` seconds. Time is divided into windows of `ttl` seconds, each with a key per job:
 * the document has the key of this window or of the one before. If both exist, the older document is returned, so that the bytes do
 * not change before it expires.
 */
export async function findCached(
  { CACHE }: Pick<Env, 'CACHE'>,
  { digest, ttl }: CacheKey,
): Promise<CachedPdf | undefined> {
  const now = secondsOf(Date.now())
  const window = Math.floor(now / ttl)
  const objects = await Promise.all([window - 1, window].map((at) => CACHE.get(keyOf(at, ttl, digest))))
  const all = objects.flatMap((object) => (object ? [{ object, until: Number(object.customMetadata?.until) }] : []))
  const cached = all.find(({ until }) => until > now)
  await Promise.all(all.filter((other) => other !== cached).map(({ object }) => object.body.cancel()))
  return cached
}

/** Caches a document as one atomic write, unless the job has one in this window already. */
export async function putCached(
  { CACHE }: Pick<Env, 'CACHE'>,
  { digest, ttl }: CacheKey,
  { body }: PrintedPdf,
): Promise<void> {
  const now = secondsOf(Date.now())
  const added = await CACHE.put(keyOf(Math.floor(now / ttl), ttl, digest), body, {
    onlyIf: new Headers({ 'if-none-match': '*' }),
    customMetadata: { until: String(now + ttl) },
  })
  if (!added && !body.locked) await body.cancel()
}

const secondsOf = (ms: number) => Math.floor(ms / 1_000)

const secondDigits = 12

/** Key of a job in a window. Begins with the end of the next window, by which a document that was cached in this one has expired. */
const keyOf = (window: number, ttl: number, digest: string) =>
  `${String((window + 2) * ttl).padStart(secondDigits, '0')}/${digest}`

/** Listings per sweep, of up to 1 000 documents each. */
const maxSweepPages = 10

/** Deletes expired documents, the oldest first, at most 10 000. */
export async function sweepCache({ CACHE }: Pick<Env, 'CACHE'>): Promise<void> {
  const now = secondsOf(Date.now())
  for (let page = 0; page < maxSweepPages; page++) {
    const { objects, truncated } = await CACHE.list()
    const expired = objects.map(({ key }) => key).filter((key) => Number(key.slice(0, secondDigits)) <= now)
    if (expired.length > 0) await CACHE.delete(expired)
    if (!truncated || expired.length < objects.length) return
  }
}
