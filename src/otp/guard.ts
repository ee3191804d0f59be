import { DurableObject } from 'cloudflare:workers'
import type { DatabaseEnv } from '#core/db/open'
import { open } from '#core/db/open'
import type { OtpVariables } from './env.ts'
import { isReusable, mostAttempts } from './env.ts'
import { explainMiss, isValid, type Sought, useUp } from './passwords.ts'
import { schema } from './schema.ts'

/** What became of a check. `used` repeats a password that was right before; `locked` was not looked at. */
export type Verdict = 'right' | 'wrong' | 'used' | 'locked'

interface Attempts {
  /** Wrong checks since the last right one, each at most `lockMs` after the one before. */
  count: number
  /** When the last of them was, in milliseconds. */
  at: number
  /** Consecutive wrong checks while the target had a valid password; objects of earlier versions have none. */
  streak?: number
  /** When the last check was, in milliseconds, to the minute. */
  checkedAt?: number
}

/** How long a target is locked after too many wrong checks, counted from the last one. */
const lockMs = 15 * 60_000

/** Consecutive wrong checks of valid passwords after which a target stays locked (NIST SP 800-63B, section 5.2.2). */
const maxStreak = 100

/** Without a check for so long, a streak is forgotten. */
const streakMs = 24 * 60 * 60_000

const minuteMs = 60_000

/**
 * Checks the passwords of one channel and target, one after the other, so that no more of them are looked at than are
 * allowed. An attempt is written down as a wrong one before the database is asked, and corrected afterwards.
 */
export class Guard extends DurableObject<DatabaseEnv & OtpVariables> {
  #last: Promise<unknown> = Promise.resolve()

  /** Whether there is such a password, which is used up by that. */
  check(sought: Sought): Promise<Verdict> {
    return this.#inTurn(() => this.#checkNext(sought))
  }

  /** Forgets all wrong checks. */
  unlock(): Promise<void> {
    return this.#inTurn(async () => {
      this.#attempts = none
    })
  }

  override async alarm(): Promise<void> {
    const end = endOf(this.#attempts)
    if (end > Date.now()) return this.ctx.storage.setAlarm(end)
    await this.ctx.storage.deleteAll()
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }

  async #checkNext(sought: Sought): Promise<Verdict> {
    const now = Date.now()
    const before = this.#attempts
    const { at, checkedAt = 0 } = before
    const streak = checkedAt + streakMs > now ? (before.streak ?? 0) : 0
    const count = at + lockMs > now ? before.count : 0
    if (streak >= maxStreak || count >= mostAttempts(this.env)) {
      // A locked target that is still being checked stays locked; a row a minute is enough to know that.
      if (checkedAt + minuteMs <= now) await this.#write({ ...before, checkedAt: now })
      return 'locked'
    }
    const wrong = { count: count + 1, at: now, checkedAt: now }
    await this.#write({ ...wrong, streak: streak + 1 })
    try {
      const { verdict, isLive } = await this.#find(sought)
      if (verdict === 'right') this.#attempts = none
      if (verdict === 'used') this.#attempts = before
      if (verdict === 'wrong' && !isLive) this.#attempts = { ...wrong, streak }
      return verdict
    } catch (error) {
      // It says nothing about the password.
      this.#attempts = before
      throw error
    }
  }

  async #find(sought: Sought): Promise<{ verdict: Verdict; isLive?: boolean }> {
    const otp = open(this.env, schema)
    const now = new Date()
    const isRight = await (isReusable(this.env) ? isValid(otp, sought, now) : useUp(otp, sought, now))
    if (isRight) return { verdict: 'right' }
    const { isUsed, isLive } = await explainMiss(otp, sought, now)
    return { verdict: isUsed ? 'used' : 'wrong', isLive }
  }

  /** Resolves once a crash would not lose it. */
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

/** When nothing of the attempts counts any more. */
const endOf = ({ at, streak, checkedAt = 0 }: Attempts) => Math.max(at + lockMs, streak ? checkedAt + streakMs : 0)
