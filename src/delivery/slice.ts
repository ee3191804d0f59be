import type { Env } from './bindings.ts'
import type { SliceCall } from './contract/internal.ts'
import type { Claimed } from './ledger/claims.ts'
import type { Settled } from './ledger/settling.ts'
import { sliceSize, sliceTimeMs, sliceWaitMs } from './ledger/slices.ts'
import type { Turned } from './ledger/turn.ts'
import { countMessage } from './metrics.ts'
import { sendMessage } from './sending.ts'
import { type DeliveryTexts, keepTexts, knownTexts } from './texts.ts'

/** How many messages are under way at a time: an invocation has six connections. */
const width = 5

/** How often the ledger hears of those that are under way: well before their claims expire. */
const heartbeat = 10_000

/** What ends soon after one another is recorded together, since recording costs as much as sending: so many, or so long after the first. */
const together = { messages: 5, milliseconds: 10 }

/** How often the ledger is asked where it does not answer, and the pause after the first time, twice as long each time: it may be moving. */
const asks = 7
const pause = 200

/**
 * Sends some of the messages that are in line, and records what becomes of them. It ends when it has sent as many as a slice
 * has, when its time is over, or nothing is to be sent now: what is left, the ledger puts into other slices.
 */
export async function sendSlice(env: Env, { ledger, slice }: SliceCall): Promise<void> {
  await new Slice(env, ledger, slice).send()
  await env.LEDGER.getByName(ledger).endSlice(slice)
}

class Slice {
  readonly #env: Env
  readonly #ledger: string
  readonly #slice: number
  readonly #until = Date.now() + sliceTimeMs
  readonly #underWay = new Map<number, Claimed>()
  #texts: DeliveryTexts | undefined
  #settled: Settled[] = []
  #left = sliceSize
  /** When more may be claimed. */
  #nextAt = 0
  #beatAt = Date.now()
  #ended = Promise.withResolvers<void>()
  #gathered = Promise.withResolvers<void>()

  constructor(env: Env, ledger: string, slice: number) {
    this.#env = env
    this.#ledger = ledger
    this.#slice = slice
    this.#texts = knownTexts(ledger)
  }

  async send() {
    const beats = setInterval(() => this.#ended.resolve(), heartbeat)
    try {
      await this.#sendAll()
    } finally {
      clearInterval(beats)
    }
  }

  async #sendAll() {
    while (this.#isOpen || this.#underWay.size > 0 || this.#settled.length > 0) {
      const room = this.#room
      if (room > 0 || this.#settled.length > 0 || this.#isBeatDue) await this.#turn(room)
      await this.#rest()
    }
  }

  /** Whether more will be claimed. */
  get #isOpen(): boolean {
    return this.#left > 0 && this.#nextAt < this.#until && Date.now() < this.#until
  }

  get #room(): number {
    if (!this.#isOpen || Date.now() < this.#nextAt) return 0
    return Math.min(width - this.#underWay.size, this.#left)
  }

  /** A timer may be a little early. */
  get #isBeatDue(): boolean {
    return Date.now() - this.#beatAt >= heartbeat / 2
  }

  async #turn(room: number) {
    this.#ended = Promise.withResolvers()
    this.#gathered = Promise.withResolvers()
    const settled = this.#settled.splice(0)
    const turned = await this.#ask(settled, room)
    if (turned.definition) this.#texts = keepTexts(this.#ledger, turned.version, turned.definition)
    this.#left -= turned.messages.length
    if (turned.messages.length < room) this.#nextAt = timeAfter(turned.wait)
    for (const message of turned.messages) void this.#begin(message, this.#texts!)
  }

  /** A repeat does no harm: what is settled is settled once. */
  async #ask(settled: Settled[], most: number): Promise<Turned> {
    const held = this.#isBeatDue ? [...this.#underWay.values()].map(({ id, claim }) => ({ id, claim })) : []
    if (this.#isBeatDue) this.#beatAt = Date.now()
    const turn = { slice: this.#slice, settled, held, most, version: this.#texts?.version ?? 0 }
    for (let ask = 1; ; ask++) {
      try {
        return await this.#env.LEDGER.getByName(this.#ledger).turn(turn)
      } catch (error) {
        if (ask === asks) throw error
        await scheduler.wait(pause * 2 ** (ask - 1))
      }
    }
  }

  async #begin(message: Claimed, texts: DeliveryTexts) {
    const { id, claim } = message
    this.#underWay.set(id, message)
    const outcome = await sendMessage(this.#env, texts, message)
    this.#underWay.delete(id)
    countMessage({ channel: message.channel, outcome: outcome.state })
    this.#settled.push({ id, claim, ...outcome })
    this.#ended.resolve()
    if (this.#settled.length >= together.messages || this.#underWay.size === 0) this.#gathered.resolve()
  }

  /** Until messages are over, one may go, or the ledger is to hear of those under way. */
  async #rest() {
    const wait = this.#isOpen ? this.#nextAt - Date.now() : 0
    if (wait > 0) await within(wait, this.#ended)
    else if (this.#underWay.size > 0) await this.#ended.promise
    if (this.#settled.length > 0 && this.#underWay.size > 0) await within(together.milliseconds, this.#gathered)
  }
}

/** Until something has come about, or so many milliseconds are over. */
async function within(milliseconds: number, { promise, resolve }: PromiseWithResolvers<void>) {
  const timer = setTimeout(resolve, milliseconds)
  await promise
  clearTimeout(timer)
}

/** When it makes sense to ask again; never where there is nothing more, or it takes too long. */
const timeAfter = (wait: number | undefined): number =>
  wait === undefined || wait > sliceWaitMs ? Number.POSITIVE_INFINITY : Date.now() + wait
