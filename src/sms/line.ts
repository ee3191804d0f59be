import { log } from '#core/http/log'
import type { Message, Outcome, Reason } from './providers/provider.ts'
import type { Provider } from './providers.ts'

/** Milliseconds that a provider has for one message. */
const patience = 15_000

/** So many troubles in a row that are the provider's own, and it is not asked again. */
const mostTroubles = 5

/** How often a provider that is busy is asked again for the same message, and how long at most it is waited for. */
const mostRepeats = 3
const longestWait = 10_000
const usualWait = 1_000

/** What the next message would meet too. A message that nobody answered for is one such trouble, whatever became of it. */
const own: ReadonlySet<Reason> = new Set(['credentials', 'balance', 'unavailable', 'unreachable'])

/** A provider during one request. */
export class Line {
  readonly provider: Provider
  #troubles = 0
  #busyUntil = 0

  constructor(provider: Provider) {
    this.provider = provider
  }

  /** Nothing but trouble was had of it. */
  get isBroken(): boolean {
    return this.#troubles >= mostTroubles
  }

  /**
   * What the provider does with a message; nothing where it was not asked. One that is busy is given the time that it
   * wants, by all who ask it, and is asked again. Nobody is asked at `until` or later.
   */
  async ask(message: Message, until: number): Promise<Outcome | undefined> {
    let last: Outcome | undefined
    for (let repeat = 0; repeat <= mostRepeats; repeat++) {
      if (!(await this.#isFree(until))) return last
      last = await this.#send(message)
      this.#note(last)
      const wait = waitOf(last)
      if (wait === undefined) return last
      this.#busyUntil = Math.max(this.#busyUntil, Date.now() + wait)
    }
    return last
  }

  /** Waits until the provider may be asked; false where it never may. */
  async #isFree(until: number): Promise<boolean> {
    for (let wait = this.#busyUntil - Date.now(); wait > 0; wait = this.#busyUntil - Date.now()) {
      if (Date.now() + wait >= until) return false
      await scheduler.wait(wait)
    }
    return !this.isBroken && Date.now() < until
  }

  async #send(message: Message): Promise<Outcome> {
    const { driver, account, code } = this.provider
    try {
      return await driver.send(account, message, patience)
    } catch (error) {
      log('error', { component: 'sms', route: 'driver', provider: code, ...framesOf(error) })
      return { state: 'unknown', reason: 'unreadable' }
    }
  }

  #note(outcome: Outcome) {
    const isTrouble = outcome.state === 'unknown' || (outcome.state === 'refused' && own.has(outcome.reason))
    this.#troubles = isTrouble ? this.#troubles + 1 : 0
  }
}

/** Milliseconds after which the provider wants to be asked again; nothing where it does not, or not soon. */
function waitOf(outcome: Outcome): number | undefined {
  if (outcome.state !== 'refused') return undefined
  const { reason, retryAfter } = outcome
  if (retryAfter === undefined) return reason === 'throttled' ? usualWait : undefined
  return retryAfter * 1_000 <= longestWait ? retryAfter * 1_000 : undefined
}

/** Where an error came from: what it says may have the message in it. */
const framesOf = (error: unknown) =>
  error instanceof Error
    ? { error: error.name, at: error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) }
    : { error: typeof error }
