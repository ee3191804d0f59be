// Documents that were printed before, in R2. A key begins with the second in which all under it have expired, so that the
// oldest come first in a listing, whatever PDF_CACHE_TTL was when they were kept.
import type { Env } from './bindings.ts'
import type { Printed } from './printing.ts'

/** A document that is kept, until a second since 1970. */
export interface Kept {
  object: R2ObjectBody
  until: number
}

/** What is looked for: the digest of a job, and for how many seconds its document is kept. */
export interface CacheKey {
  digest: string
  ttl: number
}

/**
 * The document that was kept within the last `ttl` seconds; of two the first, since the same input gives the same bytes
 * for so long.
 */
export async function findKept({ CACHE }: Pick<Env, 'CACHE'>, { digest, ttl }: CacheKey): Promise<Kept | undefined> {
  const now = seconds(Date.now())
  const window = Math.floor(now / ttl)
  const found = await Promise.all([window - 1, window].map((at) => CACHE.get(keyOf(at, ttl, digest))))
  const all = found.flatMap((object) => (object ? [{ object, until: Number(object.customMetadata?.until) }] : []))
  const kept = all.find(({ until }) => until > now)
  await Promise.all(all.filter((other) => other !== kept).map(({ object }) => object.body.cancel()))
  return kept
}

/** Keeps a document, all of it or nothing, unless there is one of the same job. */
export async function keep({ CACHE }: Pick<Env, 'CACHE'>, { digest, ttl }: CacheKey, { body }: Printed): Promise<void> {
  const now = seconds(Date.now())
  const added = await CACHE.put(keyOf(Math.floor(now / ttl), ttl, digest), body, {
    onlyIf: new Headers({ 'if-none-match': '*' }),
    customMetadata: { until: String(now + ttl) },
  })
  if (!added && !body.locked) await body.cancel()
}

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1_000)

const digits = 12

/** What is kept in a window of `ttl` seconds has expired when the next one ends. */
const keyOf = (window: number, ttl: number, digest: string) =>
  `${String((window + 2) * ttl).padStart(digits, '0')}/${digest}`

const pages = 10

/** Removes what has expired, the oldest first, 10 000 documents at most. */
export async function sweepKept({ CACHE }: Pick<Env, 'CACHE'>): Promise<void> {
  const now = seconds(Date.now())
  for (let page = 0; page < pages; page++) {
    const { objects, truncated } = await CACHE.list()
    const expired = objects.map(({ key }) => key).filter((key) => Number(key.slice(0, digits)) <= now)
    if (expired.length > 0) await CACHE.delete(expired)
    if (!truncated || expired.length < objects.length) return
  }
}
