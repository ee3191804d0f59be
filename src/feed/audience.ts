// The durable object `Audience`, one per recipient and collection: notifies the recipient's open streams of new records and
// changes, and issues the tokens with which browsers open a stream. It stores no records.
import { DurableObject } from 'cloudflare:workers'
import { and, eq } from 'drizzle-orm'
import type { Validity } from '#core/access/still-valid'
import type { DatabaseEnv } from '#core/db/open'
import { open } from '#core/db/open'
import type { CoreEnv } from '#core/http/declaration'
import { schema } from './schema.ts'

/**
 * The notice of a write that subscribers get: the ids of new records, and of new rows in the change log. They read the rows from
 * the database.
 */
export interface FeedNotice {
  records: number[]
  changes: number[]
}

/** The recipient and the collection whose streams an object serves. */
interface StreamKey {
  collection_id: number
  recipient: string
}

/** Key under which an object stores its `StreamKey`. Existing objects have stored it, so the key cannot change. */
const streamKeyName = 'named'

const tokenLifetimeMs = 60_000

/** A token of a stream, stored under its hash. */
interface StoredToken {
  /** Unix time in milliseconds. */
  until: number
  /** The credential that requested the token. */
  issuer: Validity
}

const tokenPrefix = 'token:'

/** Number of tokens read at a time in the search for expired tokens. */
const tokensPerPage = 1_000

/**
 * The subscribers of one recipient of one collection: their WebSockets, and the tokens with which browsers subscribe. The
 * sockets hibernate, so an idle stream costs nothing. While there are subscribers, a row in `feed_listeners` exists; writers
 * skip the call of this object for all other recipients.
 */
export class Audience extends DurableObject<DatabaseEnv & CoreEnv> {
  /** Accepts a subscriber: a WebSocket that gets each `FeedNotice` as JSON. */
  override async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url)
    const key: StreamKey = {
      collection_id: Number(searchParams.get('collection_id')),
      recipient: searchParams.get('recipient')!,
    }
    this.ctx.storage.kv.put(streamKeyName, key)
    const [client, server] = Object.values(new WebSocketPair())
    this.ctx.acceptWebSocket(server!)
    const { db, listeners } = open(this.env, schema)
    await this.ctx.blockConcurrencyWhile(async () => {
      await db.insert(listeners).values(key).onConflictDoNothing()
    })
    return new Response(null, { status: 101, webSocket: client! })
  }

  /**
   * Sends a notice to all subscribers. If there are none, deletes the row in `feed_listeners`, so that writers call this object
   * no more.
   */
  async notify(key: StreamKey, notice: FeedNotice): Promise<void> {
    for (const socket of this.#openSockets()) socket.send(JSON.stringify(notice))
    await this.#unlistIfEmpty(key)
  }

  /** Issues a token that opens a stream for a minute, in place of the credential `issuer`. Only the SHA-256 hash of the token is stored. */
  async issue(issuer: Validity): Promise<string> {
    const token = crypto.getRandomValues(new Uint8Array(32)).toHex()
    const stored: StoredToken = { until: Date.now() + tokenLifetimeMs, issuer }
    this.ctx.storage.kv.put(`${tokenPrefix}${await digest(token)}`, stored)
    if ((await this.ctx.storage.getAlarm()) === null) await this.#scheduleExpiry()
    return token
  }

  /** The credential that requested a token. `undefined` if the token is not valid. */
  async issuerOf(token: string): Promise<Validity | undefined> {
    const stored = this.ctx.storage.kv.get<StoredToken>(`${tokenPrefix}${await digest(token)}`)
    return stored && stored.until > Date.now() ? stored.issuer : undefined
  }

  /** Closes all streams and deletes the storage, which has the name of the recipient. */
  async forget(): Promise<void> {
    for (const socket of this.#openSockets()) socket.close(1000)
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  override async webSocketClose(socket: WebSocket) {
    socket.close(1000)
    await this.#unlistIfEmpty()
  }

  override async webSocketError() {
    await this.#unlistIfEmpty()
  }

  readonly #openSockets = () => this.ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN)

  async #unlistIfEmpty(key = this.ctx.storage.kv.get<StreamKey>(streamKeyName)) {
    await this.ctx.blockConcurrencyWhile(async () => {
      if (!key || this.#openSockets().length > 0) return
      const { db, listeners } = open(this.env, schema)
      const { collection_id, recipient } = key
      await db
        .delete(listeners)
        .where(and(eq(listeners.collection_id, collection_id), eq(listeners.recipient, recipient)))
      this.ctx.storage.kv.delete(streamKeyName)
    })
  }

  /** Deletes expired tokens. Sets the alarm again while other tokens remain. */
  override async alarm() {
    if (this.#deleteExpiredTokens()) await this.#scheduleExpiry()
  }

  /** Deletes the expired tokens. Returns whether other tokens remain. */
  #deleteExpiredTokens(): boolean {
    const { kv } = this.ctx.storage
    const now = Date.now()
    let hasTokens = false
    let page = [...kv.list<StoredToken>({ prefix: tokenPrefix, limit: tokensPerPage })]
    while (page.length > 0) {
      for (const [key, { until }] of page) {
        if (until > now) hasTokens = true
        else kv.delete(key)
      }
      page = [...kv.list<StoredToken>({ prefix: tokenPrefix, limit: tokensPerPage, startAfter: page.at(-1)![0] })]
    }
    return hasTokens
  }

  readonly #scheduleExpiry = () => this.ctx.storage.setAlarm(Date.now() + tokenLifetimeMs)
}

const digest = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toHex()
