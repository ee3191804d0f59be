// Keeps what `access` says about keys and tokens for some seconds, so that verifying a credential needs no call.
import { LruCache } from '#core/lru-cache'
import { type AccessService, inTime, type StoredKey, type Trust } from './access-service.ts'

/** Deleting a key ends its tokens within 30 s; the rest of the time is for the call. */
const maxAgeMs = 25_000

/** While `access` does not answer, known keys and tokens stay valid for this long. */
const maxStaleMs = 300_000

/** Keys of an isolate. */
const maxKeys = 1_000

/** After a failed refresh, `access` is not called for this long. */
const pauseMs = 2_000

interface Entry<Value> {
  value: Value
  /** Unix time in milliseconds. */
  readAt: number
  /** Unix time in milliseconds of the last attempt to read the value again. */
  triedAt: number
}

/** Values that are read again when they are too old. Each environment has its own, since tests have several. */
class Cache<Value> {
  readonly #entries = new LruCache<Entry<Value>>(maxKeys)
  #pausedUntil = 0

  /**
   * Reads a value, at most `maxAge` old. If reading fails, an older one is returned. With a shorter `maxAge` than usual, one
   * request reads again and the others get the known value, so that forged tokens cause few calls.
   */
  async read(id: string, load: () => Promise<Value>, maxAge = maxAgeMs): Promise<Value> {
    const entry = this.#entries.get(id)
    const now = Date.now()
    if (entry && now - entry.readAt < maxAge) return entry.value
    if (entry && now - entry.readAt < maxAgeMs && now - entry.triedAt < maxAge) return entry.value
    if (entry) entry.triedAt = now
    const canWait = entry && now - entry.readAt < maxStaleMs
    if (canWait && now < this.#pausedUntil) return entry.value
    try {
      const value = await inTime(load())
      this.#entries.set(id, { value, readAt: now, triedAt: now })
      return value
    } catch (error) {
      if (!canWait) throw error
      this.#pausedUntil = Date.now() + pauseMs
      return entry.value
    }
  }
}

interface Caches {
  trust: Cache<Trust>
  keys: Cache<StoredKey | undefined>
}

const caches = new WeakMap<AccessService, Caches>()

function cachesOf(service: AccessService): Caches {
  const known = caches.get(service)
  if (known) return known
  const made = { trust: new Cache<Trust>(), keys: new Cache<StoredKey | undefined>() }
  caches.set(service, made)
  return made
}

/** The public keys and deleted keys. With `maxAge` they are at most that many milliseconds old. */
export const trustOf = (service: AccessService, maxAge?: number): Promise<Trust> =>
  cachesOf(service).trust.read('trust', () => service.readTrust(), maxAge)

/** A key by its id. With `maxAge` it is at most that many milliseconds old. */
export const keyOf = (service: AccessService, id: string, maxAge?: number): Promise<StoredKey | undefined> =>
  cachesOf(service).keys.read(id, () => service.findKey(id), maxAge)
