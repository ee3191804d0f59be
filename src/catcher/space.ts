import { DurableObject } from 'cloudflare:workers'
import { formatTime } from '#core/http/time'
import { migrate } from '#core/objects/migrate'
import type { CannedAnswer } from './answer.ts'
import { createReplies, findReply, removeReply, replySetAt, setReply, takeReply } from './canned.ts'
import type { CannedReply, NewReply } from './contract.ts'
import { retentionOf } from './env.ts'
import {
  type CapturedRow,
  createHistory,
  History,
  type HistoryPage,
  mostBytes,
  type Outline,
  sizeOf,
} from './history.ts'
import { matches, type RequestFilter } from './match.ts'
import type { QuotaEnv } from './reservation.ts'
import { type Anonymous, type Reservation, release, reserve } from './reservation.ts'
import type { Taken } from './taken.ts'

/**
 * What was caught in one space, its canned reply, and those who wait for or listen to what comes. One object per space.
 * It forgets all after it has been silent for as long as the configuration says.
 */
export class Space extends DurableObject<QuotaEnv> {
  readonly #waiting = new Waiting<CapturedRow>()
  #history: History | undefined
  #isArmed = false

  constructor(ctx: DurableObjectState, env: QuotaEnv) {
    super(ctx, env)
    void ctx.blockConcurrencyWhile(async () => {
      this.#isArmed = (await ctx.storage.getAlarm()) !== null
    })
  }

  /**
   * Keeps a request; returns what to answer it with, where that is not the usual. A sender without credentials gets 429 where
   * the quota is used up.
   */
  async capture(taken: Taken, sender?: Anonymous): Promise<CannedAnswer | undefined> {
    if (sender) await this.#reserve(sizeOf(taken), sender)
    const row = this.#open().add(taken, Date.now())
    this.#waiting.tell(row)
    this.#tell(requestEvent(row))
    return takeReply(this.ctx.storage.sql, taken)
  }

  /** The newest that matches, or the next one to come within so many milliseconds. */
  async last(wanted: RequestFilter, patience: number): Promise<CapturedRow | undefined> {
    return this.#open().last(wanted) ?? (patience > 0 ? this.#waiting.next(wanted, patience) : undefined)
  }

  find(id: number): CapturedRow | undefined {
    return this.#open().find(id)
  }

  list(wanted: RequestFilter, limit: number, offset: number): HistoryPage {
    return this.#open().list(wanted, limit, offset)
  }

  async clear() {
    this.#open().clear()
    this.#tell(clearedEvent)
    const held = this.#held
    if (!held) return
    this.ctx.storage.kv.delete('reservation')
    await this.#release(held)
  }

  setReply(reply: NewReply) {
    this.#open()
    setReply(this.ctx.storage.sql, reply, Date.now())
  }

  findReply(): CannedReply | undefined {
    this.#open()
    return findReply(this.ctx.storage.sql)
  }

  removeReply() {
    this.#open()
    removeReply(this.ctx.storage.sql)
  }

  ping() {}

  /** Takes a listener: a WebSocket that gets all after the id that `after` has, and then what comes, as server-sent events. */
  override fetch(request: Request): Response {
    const after = new URL(request.url).searchParams.get('after')
    const [client, server] = Object.values(new WebSocketPair())
    this.ctx.acceptWebSocket(server!)
    if (after !== null) for (const row of this.#open().after(Number(after))) server!.send(requestEvent(row))
    return new Response(null, { status: 101, webSocket: client! })
  }

  override async alarm() {
    const due = this.#touchedAt() + retentionOf(this.env)
    if (due > Date.now()) return this.ctx.storage.setAlarm(due)
    this.#tell(clearedEvent)
    const held = this.#held
    // Nothing but storage is awaited until all is deleted, so that no request is captured in between.
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    this.#history = undefined
    this.#isArmed = false
    if (held) await this.#release(held)
  }

  /** Makes the tables where there are none, and sees to it that they do not stay for ever. */
  #open(): History {
    if (this.#history) return this.#history
    migrate(this.ctx.storage, [createHistory, createReplies])
    if (!this.#isArmed) void this.ctx.storage.setAlarm(Date.now() + retentionOf(this.env))
    this.#isArmed = true
    this.#history = new History(this.ctx.storage.sql)
    return this.#history
  }

  /** Sees to it that the quota has so many more bytes for this space. Others may have used them up while it was asked. */
  async #reserve(size: number, sender: Anonymous) {
    const { kv } = this.ctx.storage
    for (;;) {
      const isNew = !this.#isArmed
      const needed = Math.min((isNew ? 0 : this.#open().bytes) + size, mostBytes)
      const held = this.#held
      if (held && held.bytes >= needed && held.until > Date.now()) return
      kv.put('reservation', await reserve(this.env, { ...sender, isNew, bytes: needed }))
    }
  }

  get #held() {
    return this.ctx.storage.kv.get<Reservation>('reservation')
  }

  /** A reservation that is not released expires. */
  async #release(held: Reservation) {
    await release(this.env, held).catch(() => undefined)
  }

  #touchedAt() {
    return Math.max(this.#open().newestAt(), replySetAt(this.ctx.storage.sql) ?? 0)
  }

  /** Who is about to leave gets nothing: sending would fail. */
  #tell(event: string) {
    for (const socket of this.ctx.getWebSockets()) if (socket.readyState === WebSocket.OPEN) socket.send(event)
  }
}

/** A caught request as a server-sent event (WHATWG HTML, section 9.2). */
const requestEvent = ({ id, created_at, method, path, query, body_size }: Outline) => {
  const outline = { id, created_at: formatTime(new Date(created_at)), method, path, query, body_size }
  return `event: request\nid: ${id}\ndata: ${JSON.stringify(outline)}\n\n`
}

/** All is gone; the empty id makes a listener that comes back start afresh. */
const clearedEvent = 'event: cleared\nid: \ndata: {}\n\n'

interface Waiter<T> {
  wanted: RequestFilter
  take: (found: T | undefined) => void
}

/** Those who wait for what is to come. */
class Waiting<T extends { method: string; path: string }> {
  readonly #waiters = new Set<Waiter<T>>()

  /** The next that matches, or nothing when none came within so many milliseconds. */
  next(wanted: RequestFilter, patience: number): Promise<T | undefined> {
    return new Promise((resolve) => {
      const take = (found: T | undefined) => {
        clearTimeout(timer)
        this.#waiters.delete(waiter)
        resolve(found)
      }
      const waiter = { wanted, take }
      const timer = setTimeout(take, patience, undefined)
      this.#waiters.add(waiter)
    })
  }

  /** Gives what came to all who wait for the like. */
  tell(found: T) {
    for (const { wanted, take } of this.#waiters) if (matches(wanted, found)) take(found)
  }
}
