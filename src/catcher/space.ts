// Durable object of one space: stores its caught requests and its stubs, and serves waiting and streaming readers.
import { DurableObject } from 'cloudflare:workers'
import { formatTime } from '#core/http/time'
import { migrate } from '#core/objects/migrate'
import { mentionsPerson } from '#core/person/mentions'
import type { Person } from '#core/person/places'
import { createReplies, findReply, removeReply, setReply } from './canned-reply.ts'
import type { CannedReply, NewReply, NewStub, RequestMatch, Stub } from './contract/stubs.ts'
import type { VerificationResult } from './contract/verification.ts'
import { retentionOf } from './env.ts'
import {
  addResponses,
  type CapturedRow,
  createHistory,
  History,
  type HistoryPage,
  maxBytesPerSpace,
  type RecordedResponse,
  type RequestSummary,
  sizeOf,
  sizeOfResponse,
} from './history.ts'
import type { ReceivedRequest } from './received-request.ts'
import { RequestFacts } from './request-facts.ts'
import { matches, type RequestFilter } from './request-filter.ts'
import { RequestMatcher } from './request-matcher.ts'
import type { QuotaEnv } from './reservation.ts'
import { type AnonymousSender, type Reservation, register, release, reserve } from './reservation.ts'
import { addForward, createStubs, type StubAnswer, Stubs } from './stubs.ts'
import { boundsOf, type Expectation, verify } from './verification.ts'
import { Waiters } from './waiters.ts'

/** Requests that one step of an erasure reads. A body has up to a megabyte. */
const requestsPerStep = 20

/** One object per space. Deletes requests after `CATCHER_RETENTION`, and the whole space after that time without a request. */
export class Space extends DurableObject<QuotaEnv> {
  readonly #waiters = new Waiters<CapturedRow>()
  readonly #stubs: Stubs
  #history: History | undefined
  #isArmed = false

  constructor(ctx: DurableObjectState, env: QuotaEnv) {
    super(ctx, env)
    this.#stubs = new Stubs(ctx.storage.sql)
    void ctx.blockConcurrencyWhile(async () => {
      this.#isArmed = (await ctx.storage.getAlarm()) !== null
    })
  }

  /**
   * Stores a request and returns the reply of a stub, if any matches. A sender without credentials gets 429 if the quota is used up. `name` is
   * the name of the space if it must be recorded.
   */
  async capture(
    received: ReceivedRequest,
    sender?: AnonymousSender,
    name?: string,
  ): Promise<(StubAnswer & { id: number }) | undefined> {
    if (sender) await this.#reserve(sizeOf(received), sender)
    else if (name !== undefined) await this.#register(name)
    const row = this.#open().add(received, Date.now())
    this.#waiters.resolve(row)
    this.#broadcast(requestEvent(row))
    const answer = this.#stubs.take(new RequestFacts(received))
    return answer && { ...answer, id: row.id }
  }

  /** Stores the response to a forwarded request. A sender without credentials gets 429 if the quota is used up. */
  async recordResponse(id: number, response: RecordedResponse, sender?: AnonymousSender) {
    if (sender) await this.#reserve(sizeOfResponse(response), sender)
    this.#open().addResponse(id, response)
    this.#broadcast(responseEvent(id, response))
  }

  /** The newest request that matches, or the next one within `waitMs`. */
  async last(filter: RequestFilter, waitMs: number): Promise<CapturedRow | undefined> {
    return (
      this.#open().last(filter) ?? (waitMs > 0 ? this.#waiters.next((row) => matches(filter, row), waitMs) : undefined)
    )
  }

  /** Compares all stored requests with a condition. Waits up to `waitMs` until enough of them match. */
  async verify(match: RequestMatch, expectation: Expectation, waitMs: number): Promise<VerificationResult> {
    const matcher = new RequestMatcher(match)
    const run = () => verify(this.#open().all({ withBody: matcher.needsBody }), matcher, expectation)
    const result = run()
    const missing = boundsOf(expectation).least - result.count
    if (missing <= 0 || waitMs === 0) return result
    await this.#waiters.next((row) => matcher.matches(new RequestFacts(row)), waitMs, missing)
    return run()
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
    const rows: PersonalRow[] = []
    // A space without requests is not created.
    if (!this.#isArmed) return { rows, next: undefined }
    let read = 0
    let last = after
    for (const { id, method, path, query, headers, body, response, response_body, created_at } of this.#open().from(
      after,
      requestsPerStep,
    )) {
      const [text, answer] = [body, response_body ?? new Uint8Array()].map((bytes) => new TextDecoder().decode(bytes))
      if ([text, query, headers, response ?? '', answer].some((part) => mentionsPerson(person, part!)))
        rows.push({ id, method, path, query, body: text!, response: answer!, created_at: new Date(created_at) })
      last = id
      read++
    }
    return { rows, next: read === requestsPerStep ? last : undefined }
  }

  /** Adds a stub and returns its id. */
  addStub(stub: NewStub): number {
    this.#open()
    return this.#stubs.add(stub, Date.now())
  }

  listStubs(): Stub[] {
    this.#open()
    return this.#stubs.list()
  }

  /** Deletes a stub, or all without an id. Returns whether the stub existed. */
  removeStubs(id: number | undefined): boolean {
    this.#open()
    if (id !== undefined) return this.#stubs.remove(id)
    this.#stubs.clear()
    return true
  }

  setReply(reply: NewReply) {
    this.#open()
    setReply(this.#stubs, reply, Date.now())
  }

  findReply(): CannedReply | undefined {
    this.#open()
    return findReply(this.#stubs)
  }

  removeReply() {
    this.#open()
    removeReply(this.#stubs)
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
    this.#stubs.forget()
    this.#isArmed = false
    if (reservation) await this.#release(reservation)
  }

  /** Creates the tables if necessary, and sets the alarm that deletes them. */
  #open(): History {
    if (this.#history) return this.#history
    migrate(this.ctx.storage, [createHistory, createReplies, createStubs, addForward, addResponses])
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

  /** Records the name of the space, at most once a day. */
  async #register(name: string) {
    const { kv } = this.ctx.storage
    if ((kv.get<number>('registered_until') ?? 0) > Date.now()) return
    const until = await register(this.env, name)
    // The tables first: they have the alarm that deletes everything.
    this.#open()
    kv.put('registered_until', until)
  }

  get #reservation() {
    return this.ctx.storage.kv.get<Reservation>('reservation')
  }

  /** Releases the quota of the space. Errors are ignored: a reservation that is not released expires. */
  async #release(reservation: Reservation) {
    await release(this.env, reservation).catch(() => undefined)
  }

  #touchedAt() {
    return Math.max(this.#open().newestAt(), this.#stubs.newestAt())
  }

  /** Sends an event to all streams, except to sockets that are closing: `send` would throw. */
  #broadcast(event: string) {
    for (const socket of this.ctx.getWebSockets()) if (socket.readyState === WebSocket.OPEN) socket.send(event)
  }
}

/** A request that mentions a person, for an export. */
interface PersonalRow {
  id: number
  method: string
  path: string
  query: string
  body: string
  /** The response to a forwarded request; empty if there is none. */
  response: string
  created_at: Date
}

/** Time between two deletions, so that a busy space has no alarm for each request. */
const minAlarmMs = 60_000

/** A caught request as a server-sent event (WHATWG HTML, section 9.2). */
const requestEvent = ({ id, created_at, method, path, query, body_size }: RequestSummary) => {
  const outline = { id, created_at: formatTime(new Date(created_at)), method, path, query, body_size }
  return `event: request\nid: ${id}\ndata: ${JSON.stringify(outline)}\n\n`
}

/** A response was recorded. Without an id, so that `Last-Event-ID` stays that of the last request. */
const responseEvent = (id: number, { status, error }: RecordedResponse) =>
  `event: response\ndata: ${JSON.stringify({ id, status, error })}\n\n`

/** All requests were deleted. The empty id resets `Last-Event-ID`, so that a client that reconnects starts from new requests. */
const clearedEvent = 'event: cleared\nid: \ndata: {}\n\n'
