import { DurableObject } from 'cloudflare:workers'
import { open } from '#core/db/open'
import { type Env, isReusable, mostAttempts } from './env.ts'
import { isValid, type Sought, useUp } from './passwords.ts'
import { schema } from './schema.ts'

/** What became of a check; `locked` was not looked at. */
export type Verdict = 'right' | 'wrong' | 'locked'

interface Wrong {
  count: number
  /** When the last one was, in milliseconds. */
  at: number
}

/** After how long without a wrong password all is forgotten. */
const quiet = 15 * 60_000

/**
 * Checks the passwords of one channel and target, one after the other, so that no more of them are looked at than are
 * allowed. An attempt is written down as a wrong one before the database is asked, and taken back where it was right.
 */
export class Guard extends DurableObject<Env> {
  #last: Promise<unknown> = Promise.resolve()

  /** Whether there is such a password, which is used up by that. */
  check(sought: Sought): Promise<Verdict> {
    const checked = this.#last.then(() => this.#checkNext(sought))
    this.#last = checked.catch(() => undefined)
    return checked
  }

  override async alarm(): Promise<void> {
    const { at } = this.#wrong
    if (at + quiet > Date.now()) return this.ctx.storage.setAlarm(at + quiet)
    await this.ctx.storage.deleteAll()
  }

  async #checkNext(sought: Sought): Promise<Verdict> {
    const now = Date.now()
    const before = this.#wrong
    const count = before.at + quiet > now ? before.count : 0
    if (count >= mostAttempts(this.env)) return 'locked'
    await this.#write({ count: count + 1, at: now })
    try {
      if (!(await this.#isRight(sought))) return 'wrong'
    } catch (error) {
      // It says nothing about the password, as much as a right one does.
      this.#wrong = before
      throw error
    }
    this.#wrong = before
    return 'right'
  }

  #isRight(sought: Sought): Promise<boolean> {
    const otp = open(this.env, schema)
    return isReusable(this.env) ? isValid(otp, sought, new Date()) : useUp(otp, sought, new Date())
  }

  /** Resolves once a crash would not lose it. */
  async #write(wrong: Wrong): Promise<void> {
    this.#wrong = wrong
    void this.ctx.storage.setAlarm(wrong.at + quiet)
    await this.ctx.storage.sync()
  }

  get #wrong(): Wrong {
    return this.ctx.storage.kv.get<Wrong>('wrong') ?? { count: 0, at: 0 }
  }

  set #wrong(wrong: Wrong) {
    if (wrong.count === 0) this.ctx.storage.kv.delete('wrong')
    else this.ctx.storage.kv.put('wrong', wrong)
  }
}
