// Keeps what `access` says about keys and tokens for some seconds, so that verifying a credential needs no call.
import { waitUntil } from 'cloudflare:workers'
import { LruCache } from '#core/lru-cache'
import { memoizeWeak } from '#core/memoize'
import { type AccessService, callTimeoutMs, inTime, type StoredKey, type Trust } from './access-service.ts'

/** An older value is read again. A request that finds it younger than `maxUnreadMs` does not wait for that. */
const maxAgeMs = 25_000

/** A request with an older value waits until it is read again: deleting a key ends its tokens within 30 s. */
const maxUnreadMs = 29_000

/** While `access` does not answer, known keys and tokens stay valid for this long. */
const maxStaleMs = 300_000

/** A request with a known value waits this long until it is read again, then uses the known one. */
const maxWaitMs = 1_000

/** Keys of an isolate. */
const maxKeys = 1_000

/** After a failed refresh, `access` is not called for this long. */
const pauseMs = 2_000

interface Entry<Value> {
  value: Value
  /** Unix time in milliseconds. */
  readAt: number
}

/** A call that reads a value. */
interface Refresh<Value> {
  startedAt: number
  value: Promise<Value>
  isOver: boolean
}

/**
 * Values that are read again when they are too old, by one call at a time for each. Requests share its result, each with a timeout,
 * since the call ends with the request that started it.
 */
class Cache<Value> {
  readonly #entries = new LruCache<Entry<Value>>(maxKeys)
  readonly #refreshes = new LruCache<Refresh<Value>>(maxKeys)
  #pausedUntil = 0
  /** The last call failed. Requests with a known value do not wait for the next one. */
  #isFailing = false

  /**
   * Reads a value, at most `maxAge` old. If `access` does not answer, an older one is returned. With a shorter `maxAge` than usual, the
   * value is read at most once in this time, so that forged tokens cause few calls.
   */
  async read(id: string, load: () => Promise<Value>, maxAge = maxAgeMs): Promise<Value> {
    const entry = this.#entries.get(id)
    const now = Date.now()
    const age = entry ? now - entry.readAt : Number.POSITIVE_INFINITY
    if (entry && age < maxAge) return entry.value
    const known = entry && age < maxStaleMs ? entry : undefined
    const refresh = this.#refreshOf(id, load, now, known && { maxAge })
    if (!refresh) return known!.value
    if (!known) return inTime(refresh.value)
    if (maxAge === maxAgeMs && (age < maxUnreadMs || this.#isFailing)) return known.value
    return inTime(refresh.value, maxWaitMs).catch(() => known.value)
  }

  /** The call that reads a value now. `undefined` if the known one suffices, since the last call was shortly before. */
  #refreshOf(id: string, load: () => Promise<Value>, now: number, known?: { maxAge: number }) {
    const last = this.#refreshes.get(id)
    // A call that takes longer belongs to a request that was cancelled.
    if (last && !last.isOver && now - last.startedAt < callTimeoutMs) return last
    if (known && now < this.#pausedUntil) return undefined
    if (known && last && now - last.startedAt < known.maxAge && known.maxAge < maxAgeMs) return undefined
    return this.#start(id, load, now)
  }

  #start(id: string, load: () => Promise<Value>, startedAt: number): Refresh<Value> {
    const value = inTime(load())
    const refresh = { startedAt, value, isOver: false }
    this.#refreshes.set(id, refresh)
    const settled = value.then(
      (value) => {
        this.#entries.set(id, { value, readAt: startedAt })
        this.#isFailing = false
      },
      () => {
        this.#isFailing = true
        this.#pausedUntil = Date.now() + pauseMs
      },
    )
    waitUntil(
      settled.finally(() => {
        refresh.isOver = true
      }),
    )
    return refresh
  }
}

/** Each environment has its own caches, since tests have several. */
const cachesOf = memoizeWeak((_: AccessService) => ({
  trust: new Cache<Trust>(),
  keys: new Cache<StoredKey | undefined>(),
}))

/** The public keys and deleted keys. With `maxAge` they are at most that many milliseconds old. */
export const trustOf = (service: AccessService, maxAge?: number): Promise<Trust> =>
  cachesOf(service).trust.read('trust', () => service.readTrust(), maxAge)

/** A key by its id. With `maxAge` it is at most that many milliseconds old. */
export const keyOf = (service: AccessService, id: string, maxAge?: number): Promise<StoredKey | undefined> =>
  cachesOf(service).keys.read(id, () => service.findKey(id), maxAge)
