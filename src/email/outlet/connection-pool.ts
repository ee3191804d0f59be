// Pool of SMTP connections that are kept open between messages, since a new connection with TLS and a login takes many times
// longer than a message.
import { SmtpFailure } from '../smtp/failure.ts'
import type { SmtpSession } from '../smtp/session.ts'

interface PoolLimits {
  /** A connection is closed with QUIT after this many messages: servers and load balancers expect that. */
  maxMessages: number
  /** A connection without a message for this time is closed with QUIT. */
  idleMs: number
  /** Maximum number of messages that wait for a connection. */
  maxWaiting: number
}

const defaultPoolLimits: PoolLimits = { maxMessages: 100, idleMs: 15_000, maxWaiting: 1_000 }

/** Opens a connection to the server and logs in. `key` identifies the server and the login. */
interface Dialer {
  key: string
  dial: () => Promise<SmtpSession>
}

/** Thrown if a message waits too long for a connection, or if too many messages wait. Nothing was sent. */
export class PoolBusy extends Error {
  override readonly name = 'PoolBusy'
}

interface KeptConnection {
  key: string
  session: SmtpSession
  messages: number
  timer: ReturnType<typeof setTimeout> | undefined
}

/**
 * A bounded pool of connections. A message that finds none free waits in order of arrival. A failed message gives its
 * connection back only if the server confirms RSET.
 */
export class ConnectionPool {
  readonly #limits: PoolLimits
  readonly #idle: KeptConnection[] = []
  readonly #waiting: (() => void)[] = []
  #used = 0

  constructor(limits = defaultPoolLimits) {
    this.#limits = limits
  }

  /** Number of messages that wait for a connection. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Number of open connections: those with a message, and the idle ones. */
  get connections(): number {
    return this.#used + this.#idle.length
  }

  /**
   * Runs `work` on a connection: an idle one, or a new one if there are less than `maxConnections`. If a kept connection fails
   * and `mayRepeat` allows it, runs `work` again on a new connection: the server may have closed the kept one.
   */
  async use<T>(
    { key, dial }: Dialer,
    { maxConnections, waitTimeoutMs }: { maxConnections: number; waitTimeoutMs: number },
    work: (session: SmtpSession) => Promise<T>,
    mayRepeat: (error: unknown) => boolean,
  ): Promise<T> {
    await this.#enter(maxConnections, waitTimeoutMs)
    try {
      const kept = this.#take(key)
      if (!kept) return await this.#run(await open(key, dial), work)
      try {
        return await this.#run(kept, work)
      } catch (error) {
        if (!mayRepeat(error)) throw error
      }
      return await this.#run(await open(key, dial), work)
    } finally {
      this.#leave()
    }
  }

  /** Closes all idle connections with QUIT. */
  closeIdle(): void {
    for (const kept of this.#idle.splice(0)) end(kept)
  }

  async #run<T>(kept: KeptConnection, work: (session: SmtpSession) => Promise<T>): Promise<T> {
    const { session } = kept
    try {
      const result = await work(session)
      kept.messages++
      this.#keep(kept)
      return result
    } catch (error) {
      kept.messages++
      if (isOrderly(error) && (await session.reset())) this.#keep(kept)
      else if (isOrderly(error)) await session.quit()
      else session.abort()
      throw error
    }
  }

  #take(key: string): KeptConnection | undefined {
    const kept = this.#idle.pop()
    if (!kept) return undefined
    clearTimeout(kept.timer)
    if (kept.key === key) {
      kept.session.resume()
      return kept
    }
    // The configuration was changed: the other idle connections are of the old server or login, too.
    end(kept)
    this.closeIdle()
    return undefined
  }

  #keep(kept: KeptConnection): void {
    if (kept.messages >= this.#limits.maxMessages) {
      kept.session.leave()
      return
    }
    const drop = () => {
      const position = this.#idle.indexOf(kept)
      if (position !== -1) this.#idle.splice(position, 1)
      end(kept)
    }
    kept.timer = setTimeout(drop, this.#limits.idleMs)
    kept.session.idle(drop)
    this.#idle.push(kept)
  }

  async #enter(maxConnections: number, waitTimeoutMs: number): Promise<void> {
    if (this.#used < maxConnections) {
      this.#used++
      return
    }
    if (this.#waiting.length >= this.#limits.maxWaiting) throw new PoolBusy()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(resolve), 1)
      reject(new PoolBusy())
    }, waitTimeoutMs)
    this.#waiting.push(resolve)
    await promise
    clearTimeout(timer)
  }

  /** Passes the slot of a message to the next one that waits. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#used--
  }
}

const open = async (key: string, dial: () => Promise<SmtpSession>): Promise<KeptConnection> => ({
  ...{ key, session: await dial(), messages: 0, timer: undefined },
})

function end({ session, timer }: KeptConnection): void {
  clearTimeout(timer)
  session.leave()
}

/** Whether the server rejected the message in an orderly way, so that the connection still works. 421 announces its end. */
const isOrderly = (error: unknown) =>
  error instanceof SmtpFailure &&
  (error.reason === 'unable' || (error.reason === 'refused' && error.reply?.code !== 421))
