import { DurableObject } from 'cloudflare:workers'
import { and, eq } from 'drizzle-orm'
import type { DatabaseEnv } from '#core/db/open'
import { open } from '#core/db/open'
import type { CoreEnv } from '#core/http/declaration'
import { schema } from './schema.ts'

/** What has been written for a recipient, by ids; what it is, listeners read. */
export interface Told {
  records: number[]
  changes: number[]
}

/** A recipient of a collection. */
interface Named {
  collection_id: number
  recipient: string
}

const lifetime = 60_000
const prefix = 'token:'

/** How many tokens are read at a time when they are looked through. */
const atOnce = 1_000

/**
 * Those who listen to one recipient of one collection. It sleeps while nothing happens, its sockets open. One object per
 * recipient; a row in `feed_listeners` tells writers that it is worth calling.
 */
export class Audience extends DurableObject<DatabaseEnv & CoreEnv> {
  /** Takes a listener: a WebSocket that gets each `Told` as JSON. */
  override async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url)
    const named: Named = {
      collection_id: Number(searchParams.get('collection_id')),
      recipient: searchParams.get('recipient')!,
    }
    this.ctx.storage.kv.put('named', named)
    const [client, server] = Object.values(new WebSocketPair())
    this.ctx.acceptWebSocket(server!)
    const { db, listeners } = open(this.env, schema)
    await this.ctx.blockConcurrencyWhile(async () => {
      await db.insert(listeners).values(named).onConflictDoNothing()
    })
    return new Response(null, { status: 101, webSocket: client! })
  }

  /** Tells everybody who listens; where nobody does, writers learn of it. */
  async tell(named: Named, told: Told): Promise<void> {
    for (const socket of this.#listeners()) socket.send(JSON.stringify(told))
    await this.#leave(named)
  }

  /** A secret that lets its holder listen for a minute, in place of credentials. */
  async issue(): Promise<string> {
    const token = crypto.getRandomValues(new Uint8Array(32)).toHex()
    this.ctx.storage.kv.put(`${prefix}${await digest(token)}`, Date.now() + lifetime)
    if ((await this.ctx.storage.getAlarm()) === null) await this.#wakeLater()
    return token
  }

  async accepts(token: string): Promise<boolean> {
    return (this.ctx.storage.kv.get<number>(`${prefix}${await digest(token)}`) ?? 0) > Date.now()
  }

  override async webSocketClose(socket: WebSocket) {
    socket.close(1000)
    await this.#leave()
  }

  override async webSocketError() {
    await this.#leave()
  }

  readonly #listeners = () => this.ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN)

  /** Nobody left: writers need not call any more. */
  async #leave(named = this.ctx.storage.kv.get<Named>('named')) {
    await this.ctx.blockConcurrencyWhile(async () => {
      if (!named || this.#listeners().length > 0) return
      const { db, listeners } = open(this.env, schema)
      const { collection_id, recipient } = named
      await db
        .delete(listeners)
        .where(and(eq(listeners.collection_id, collection_id), eq(listeners.recipient, recipient)))
      this.ctx.storage.kv.delete('named')
    })
  }

  /** Forgets tokens that have expired, and comes again while there are others. */
  override async alarm() {
    if (this.#forgetExpired()) await this.#wakeLater()
  }

  /** Whether tokens are left. */
  #forgetExpired(): boolean {
    const { kv } = this.ctx.storage
    const now = Date.now()
    let areLeft = false
    let page = [...kv.list<number>({ prefix, limit: atOnce })]
    while (page.length > 0) {
      for (const [key, expires] of page) {
        if (expires <= now) kv.delete(key)
        else areLeft = true
      }
      page = [...kv.list<number>({ prefix, limit: atOnce, startAfter: page.at(-1)![0] })]
    }
    return areLeft
  }

  readonly #wakeLater = () => this.ctx.storage.setAlarm(Date.now() + lifetime)
}

const digest = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toHex()
