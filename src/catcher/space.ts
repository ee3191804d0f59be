// Durable object of one space: stores its caught requests, sends its canned reply, and serves waiting and streaming readers.
import { DurableObject } from 'cloudflare:workers'
import { formatTime } from '#core/http/time'
import { migrate } from '#core/objects/migrate'
import { mentionsPerson } from '#core/person/mentions'
import type { Person } from '#core/person/places'
import type { CannedAnswer } from './answer.ts'
import { createReplies, findReply, removeReply, replySetAt, setReply, takeReply } from './canned-reply.ts'
import type { CannedReply, NewReply } from './contract.ts'
import { retentionOf } from './env.ts'
import {
  type CapturedRow,
  createHistory,
  History,
  type HistoryPage,
  maxBytesPerSpace,
  type RequestSummary,
  sizeOf,
} from './history.ts'
import type { ReceivedRequest } from './received-request.ts'
import { matches, type RequestFilter } from './request-filter.ts'
import type { QuotaEnv } from './reservation.ts'
import { type AnonymousSender, type Reservation, release, reserve } from './reservation.ts'

/** Requests that one step of an erasure reads. A body has up to a megabyte. */
const requestsPerStep = 20

/** One object per space. Deletes requests after `CATCHER_RETENTION`, and the whole space after that time without a request. */
export class Space extends DurableObject<QuotaEnv> {
  readonly #waiters = new Waiters<CapturedRow>()
  #history: History | undefined
  #isArmed = false

  constructor(ctx: DurableObjectState, env: QuotaEnv) {
    super(ctx, env)
    void ctx.blockConcurrencyWhile(async () => {
      this.#isArmed = (await ctx.storage.getAlarm()) !== null
    })
  }

  /** Stores a request and returns its canned reply, if any. A sender without credentials gets 429 if the quota is used up. */
  async capture(received: ReceivedRequest, sender?: AnonymousSender): Promise<CannedAnswer | undefined> {
    if (sender) await this.#reserve(sizeOf(received), sender)
    const row = this.#open().add(received, Date.now())
    this.#waiters.resolve(row)
    this.#broadcast(requestEvent(row))
    return takeReply(this.ctx.storage.sql, received)
  }

  /** The newest request that matches, or the next one within `waitMs`. */
  async last(filter: RequestFilter, waitMs: number): Promise<CapturedRow | undefined> {
    return this.#open().last(filter) ?? (waitMs > 0 ? this.#waiters.next(filter, waitMs) : undefined)
  }

  find(id: number): CapturedRow | undefined {
    return this.#open().find(id)
  }

  list(filter: RequestFilter, limit: number, offset: number): HistoryPage {
    return this.#open().list(filter, limit, offset)
  }

  async clear() {
    this.#open().clear()
    this.#broadcast(clearedEvent)
    const reservation = this.#reservation
    if (!reservation) return
    this.ctx.storage.kv.delete('reservation')
    await this.#release(reservation)
  }

  /** Deletes the requests after an id that mention a person, in a bounded step. */
  erasePerson(person: Person, after: number): { erased: number; next?: number | undefined } {
    const { rows, next } = this.#mentions(person, after)
    if (rows.length > 0) this.#open().delete(rows.map(({ id }) => id))
    return { erased: rows.length, next }
  }

  /** The requests after an id that mention a person, without their headers. */
  exportPerson(person: Person, after: number) {
    return this.#mentions(person, after)
  }

  #mentions(person: Person, after: number) {
    const rows: { id: number; method: string; path: string; query: string; body: string; created_at: Date }[] = []
    // A space without requests is not created.
    if (!this.#isArmed) return { rows, next: undefined }
    let read = 0
    let last = after
    for (const { id, method, path, query, body, created_at } of this.#open().from(after, requestsPerStep)) {
      const text = new TextDecoder().decode(body)
      if (mentionsPerson(person, text) || mentionsPerson(person, query))
        rows.push({ id, method, path, query, body: text, created_at: new Date(created_at) })
      last = id
      read++
    }
    return { rows, next: read === requestsPerStep ? last : undefined }
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

  /** Opens a WebSocket that gets all requests after the id in `after`, then new ones, as server-sent events. */
  override fetch(request: Request): Response {
    const after = new URL(request.url).searchParams.get('after')
    const [client, server] = Object.values(new WebSocketPair())
    this.ctx.acceptWebSocket(server!)
    if (after !== null) for (const row of this.#open().after(Number(after))) server!.send(requestEvent(row))
    return new Response(null, { status: 101, webSocket: client! })
  }

  override async alarm() {
    const now = Date.now()
    const retentionMs = retentionOf(this.env)
    const due = this.#touchedAt() + retentionMs
    if (due > now) {
      const history = this.#open()
      history.removeBefore(now - retentionMs)
      const next = (history.oldestAt() ?? now) + retentionMs
      return this.ctx.storage.setAlarm(Math.min(Math.max(next, now + minAlarmMs), due))
    }
    this.#broadcast(clearedEvent)
    const reservation = this.#reservation
    // Awaits only storage until everything is deleted: while storage is awaited, the object handles no other event, so that no request
    // is captured in between and lost.
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    this.#history = undefined
    this.#isArmed = false
    if (reservation) await this.#release(reservation)
  }

  /** Creates the tables if necessary, and sets the alarm that deletes them. */
  #open(): History {
    if (this.#history) return this.#history
    migrate(this.ctx.storage, [createHistory, createReplies])
    if (!this.#isArmed) void this.ctx.storage.setAlarm(Date.now() + retentionOf(this.env))
    this.#isArmed = true
    this.#history = new History(this.ctx.storage.sql)
    return this.#history
  }

  /** Reserves quota for `size` more bytes. Checks again after each grant, since concurrent requests may have used it up meanwhile. */
  async #reserve(size: number, sender: AnonymousSender) {
    const { kv } = this.ctx.storage
    for (;;) {
      const isNew = !this.#isArmed
      const needed = Math.min((isNew ? 0 : this.#open().bytes) + size, maxBytesPerSpace)
      const reservation = this.#reservation
      if (reservation && reservation.bytes >= needed && reservation.until > Date.now()) return
      kv.put('reservation', await reserve(this.env, { ...sender, isNew, bytes: needed }))
    }
  }

  get #reservation() {
    return this.ctx.storage.kv.get<Reservation>('reservation')
  }

  /** Releases the quota of the space. Errors are ignored: a reservation that is not released expires. */
  async #release(reservation: Reservation) {
    await release(this.env, reservation).catch(() => undefined)
  }

  #touchedAt() {
    return Math.max(this.#open().newestAt(), replySetAt(this.ctx.storage.sql) ?? 0)
  }

  /** Sends an event to all streams, except to sockets that are closing: `send` would throw. */
  #broadcast(event: string) {
    for (const socket of this.ctx.getWebSockets()) if (socket.readyState === WebSocket.OPEN) socket.send(event)
  }
}

/** Time between two deletions, so that a busy space has no alarm for each request. */
const minAlarmMs = 60_000

/** A caught request as a server-sent event (WHATWG HTML, section 9.2). */
const requestEvent = ({ id, created_at, method, path, query, body_size }: RequestSummary) => {
  const outline = { id, created_at: formatTime(new Date(created_at)), method, path, query, body_size }
  return `event: request\nid: ${id}\ndata: ${JSON.stringify(outline)}\n\n`
}

/** All requests were deleted. The empty id resets `Last-Event-ID`, so that a client that reconnects starts from new requests. */
const clearedEvent = 'event: cleared\nid: \ndata: {}\n\n'

interface Waiter<T> {
  filter: RequestFilter
  take: (request: T | undefined) => void
}

/** Callers that wait for the next matching request. */
class Waiters<T extends { method: string; path: string }> {
  readonly #waiters = new Set<Waiter<T>>()

  /** The next request that matches; undefined after `waitMs`. */
  next(filter: RequestFilter, waitMs: number): Promise<T | undefined> {
    return new Promise((resolve) => {
      const take = (request: T | undefined) => {
        clearTimeout(timer)
        this.#waiters.delete(waiter)
        resolve(request)
      }
      const waiter = { filter, take }
      const timer = setTimeout(take, waitMs, undefined)
      this.#waiters.add(waiter)
    })
  }

  /** Resolves every waiter whose filter matches the request. */
  resolve(request: T) {
    for (const { filter, take } of this.#waiters) if (matches(filter, request)) take(request)
  }
}
