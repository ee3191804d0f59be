// Durable object that stores the reply to one idempotency key, so that a retried request does not run again.
import { DurableObject } from 'cloudflare:workers'
import { defaultRetentionMs } from '#core/http/retention'

/** The stored reply to an idempotency key. */
export interface KeptReply {
  status: number
  headers: Record<string, string>
  body: string
}

type Before =
  | { state: 'new'; attempt: string }
  | { state: 'running' }
  | { state: 'other' }
  /** The first attempt was interrupted, and may have had an effect. */
  | { state: 'lost' }
  | { state: 'kept'; reply: KeptReply }

interface Attempt {
  /** Unique, so that an interrupted attempt cannot act for a later one with the same key. */
  id: string
  digest: string
  started: number
  /** The attempt has passed its point of no return: it may have had an effect. */
  isCommitted: boolean
  reply?: StoredReply
}

/** A reply without its body, which is stored in parts. Older versions stored the body in one piece. */
type StoredReply = Omit<KeptReply, 'body'> & ({ body: string } | { parts: number })

/** UTF-16 units per part of a body. A value in the object's storage has at most 2 MB. */
const partLength = 500_000

const partKey = (part: number) => `body/${part}`

/** Longer than any request runs. An attempt without a reply after this time was interrupted by a crash. */
const maxAttemptMs = 300_000

/**
 * There is one object for each key, exported by Workers as `FirstReply`. At most one attempt passes the point of no return: an
 * attempt that was interrupted before it runs again, one that was interrupted after it does not.
 */
export class IdempotencyRecord extends DurableObject<unknown> {
  /** The attempt that runs now. It is in memory only, so that it is lost if the object crashes. */
  private held: { attempt: string; end: () => void; over: Promise<void> } | undefined

  /** Begins an attempt or returns why not. After `new`, call `hold`, then `keep` with the reply or `release` without one. */
  async begin(digest: string, isCommitted: boolean, retentionMs = defaultRetentionMs): Promise<Before> {
    const before = this.attempt
    if (!before) await this.ctx.storage.setAlarm(Date.now() + retentionMs)
    else {
      if (before.digest !== digest) return { state: 'other' }
      if (before.reply) return { state: 'kept', reply: this.read(before.reply) }
      if (this.held?.attempt === before.id && Date.now() - before.started < maxAttemptMs) return { state: 'running' }
      if (before.isCommitted) return { state: 'lost' }
    }
    const attempt = crypto.randomUUID()
    this.attempt = { id: attempt, digest, started: Date.now(), isCommitted }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.held = { attempt, end: resolve, over: promise }
    return { state: 'new', attempt }
  }

  /** Keeps this object in memory until the attempt ends. */
  async hold(attempt: string): Promise<void> {
    if (this.held?.attempt === attempt) await this.held.over
  }

  /** Marks the point of no return. False if another attempt has begun meanwhile: this one must not have an effect. */
  commit(attempt: string): boolean {
    const current = this.attempt
    if (current?.id !== attempt || current.reply) return false
    this.attempt = { ...current, isCommitted: true }
    return true
  }

  /** Ends the attempt and stores its reply. */
  keep(attempt: string, reply: KeptReply) {
    const current = this.attempt
    if (current?.id === attempt) this.attempt = { ...current, reply: this.store(reply) }
    this.end(attempt)
  }

  /** Ends the attempt without a reply: the next one with the key runs again. */
  async release(attempt: string) {
    if (this.attempt?.id === attempt) await this.clear()
    this.end(attempt)
  }

  override async alarm() {
    await this.clear()
  }

  private get attempt(): Attempt | undefined {
    return this.ctx.storage.kv.get<Attempt>('attempt')
  }

  private set attempt(attempt: Attempt) {
    this.ctx.storage.kv.put('attempt', attempt)
  }

  private store({ body, ...reply }: KeptReply): StoredReply {
    const parts = Math.ceil(body.length / partLength)
    for (let part = 0; part < parts; part++)
      this.ctx.storage.kv.put(partKey(part), body.slice(part * partLength, (part + 1) * partLength))
    return { ...reply, parts }
  }

  private read(reply: StoredReply): KeptReply {
    if ('body' in reply) return reply
    const { parts, ...rest } = reply
    const texts = Array.from({ length: parts }, (_, part) => this.ctx.storage.kv.get<string>(partKey(part)) ?? '')
    return { ...rest, body: texts.join('') }
  }

  private async clear() {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  private end(attempt: string) {
    if (this.held?.attempt !== attempt) return
    this.held.end()
    this.held = undefined
  }
}
