// The durable object `Guard`, one per channel and target: checks passwords, and locks its target after too many wrong ones.
// `limiter.ts` limits how often passwords are sent.
import { DurableObject } from 'cloudflare:workers'
import type { DatabaseEnv } from '#core/db/open'
import { open } from '#core/db/open'
import type { OtpVariables } from './env.ts'
import { isReusable, maxAttempts } from './env.ts'
import { classifyMismatch, consumePassword, hasValidPassword, type PasswordQuery } from './passwords.ts'
import { schema } from './schema.ts'

/**
 * Result of a check. `used`: the password was correct, but has been used before. `locked`: the target is locked, so the
 * password was not checked.
 */
export type Verdict = 'right' | 'wrong' | 'used' | 'locked'

interface Attempts {
  /** Number of wrong checks since the last correct one. A pause longer than `lockMs` resets it. */
  count: number
  /** Time of the last wrong check, in milliseconds since the epoch. */
  at: number
  /**
   * Number of consecutive wrong checks while the target had a valid password. Missing in records that earlier versions stored.
   */
  streak?: number
  /** Time of the last check, in milliseconds since the epoch. Updated at most once a minute while the target is locked. */
  checkedAt?: number
}

/** How long a target is locked after the last of too many wrong checks. */
const lockMs = 15 * 60_000

/** After this many consecutive wrong checks, a target stays locked until it is unlocked (NIST SP 800-63B, section 5.2.2). */
const maxStreak = 100

/** After this time without a check, the count of consecutive wrong checks starts again. */
const streakMs = 24 * 60 * 60_000

const minuteMs = 60_000

/**
 * Durable object: limits the wrong checks of one target on one channel. Checks run one at a time, so concurrent requests cannot
 * exceed the limit. Each check is stored as wrong before the database is queried, and corrected afterwards: a crash never gives
 * a free attempt.
 */
export class Guard extends DurableObject<DatabaseEnv & OtpVariables> {
  #last: Promise<unknown> = Promise.resolve()

  /** Checks a password. A correct password is used up, unless OTP_REUSABLE is set. */
  check(query: PasswordQuery): Promise<Verdict> {
    return this.#inTurn(() => this.#checkNext(query))
  }

  /** Deletes all counted wrong checks. */
  unlock(): Promise<void> {
    return this.#inTurn(async () => {
      this.#attempts = none
    })
  }

  /** Deletes the storage. Returns whether there was any. */
  forget(): Promise<boolean> {
    return this.#inTurn(async () => {
      const hadAttempts = this.#attempts !== none
      await this.ctx.storage.deleteAlarm()
      await this.ctx.storage.deleteAll()
      return hadAttempts
    })
  }

  override async alarm(): Promise<void> {
    const end = endOf(this.#attempts)
    if (end > Date.now()) return this.ctx.storage.setAlarm(end)
    await this.ctx.storage.deleteAll()
  }

  /**
   * Mutex: runs the work after all earlier work has ended. While a check waits for the database, other requests could otherwise
   * run.
   */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }

  async #checkNext(query: PasswordQuery): Promise<Verdict> {
    const now = Date.now()
    const before = this.#attempts
    const { at, checkedAt = 0 } = before
    const streak = checkedAt + streakMs > now ? (before.streak ?? 0) : 0
    const count = at + lockMs > now ? before.count : 0
    if (streak >= maxStreak || count >= maxAttempts(this.env)) {
      // A check of a locked target keeps the count of consecutive wrong checks alive. One write per minute is precise enough.
      if (checkedAt + minuteMs <= now) await this.#write({ ...before, checkedAt: now })
      return 'locked'
    }
    const failed = { count: count + 1, at: now, checkedAt: now }
    await this.#write({ ...failed, streak: streak + 1 })
    try {
      const { verdict, isLive } = await this.#find(query)
      if (verdict === 'right') this.#attempts = none
      if (verdict === 'used') this.#attempts = before
      if (verdict === 'wrong' && !isLive) this.#attempts = { ...failed, streak }
      return verdict
    } catch (error) {
      // A database error says nothing about the password, so the attempt does not count.
      this.#attempts = before
      throw error
    }
  }

  async #find(query: PasswordQuery): Promise<{ verdict: Verdict; isLive?: boolean }> {
    const otp = open(this.env, schema)
    const now = new Date()
    const isRight = await (isReusable(this.env) ? hasValidPassword(otp, query, now) : consumePassword(otp, query, now))
    if (isRight) return { verdict: 'right' }
    const { isUsed, isLive } = await classifyMismatch(otp, query, now)
    return { verdict: isUsed ? 'used' : 'wrong', isLive }
  }

  /** Stores the attempts. Resolves when they are on disk, so that they survive a crash. */
  async #write(attempts: Attempts): Promise<void> {
    this.#attempts = attempts
    void this.ctx.storage.setAlarm(endOf(attempts))
    await this.ctx.storage.sync()
  }

  get #attempts(): Attempts {
    return this.ctx.storage.kv.get<Attempts>('wrong') ?? none
  }

  set #attempts(attempts: Attempts) {
    if (attempts.count === 0 && !attempts.streak) this.ctx.storage.kv.delete('wrong')
    else this.ctx.storage.kv.put('wrong', attempts)
  }
}

const none: Attempts = { count: 0, at: 0 }

/** The time from which the stored attempts have no effect. The alarm deletes them then. */
const endOf = ({ at, streak, checkedAt = 0 }: Attempts) => Math.max(at + lockMs, streak ? checkedAt + streakMs : 0)
