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
  /** The first attempt was interrupted, and may have had an effect. The caller gets 504 `outcome_unknown`. */
  | { state: 'lost' }
  | { state: 'kept'; reply: KeptReply }

interface Attempt {
  /**
   * Random id of the attempt, so that an interrupted attempt cannot store its reply for a later one with the same key.
   */
  id: string
  digest: string
  started: number
  /** The attempt has passed its point of no return: it may have had an effect. */
  isCommitted: boolean
  reply?: StoredReply
}

/** A stored reply. The body is stored in parts under separate keys; older versions stored it here in one piece. */
type StoredReply = Omit<KeptReply, 'body'> & ({ body: string } | { parts: number })

/** UTF-16 units per stored part of a body, below the 2 MB that a value in the object's storage may have. */
const partLength = 500_000

const partKey = (part: number) => `body/${part}`

/** Longer than any request runs. An attempt without a reply after this time was interrupted, and counts as crashed. */
const maxAttemptMs = 300_000

/**
 * The record of one idempotency key; Workers export this class as `FirstReply`. At most one attempt passes the point of
 * no return: a retry runs again only if the first attempt was interrupted before that point.
 */
export class IdempotencyRecord extends DurableObject<unknown> {
  /**
   * The attempt that runs now. It is only in memory: if the object restarts, the attempt is known to be interrupted.
   */
  private held: { attempt: string; end: () => void; over: Promise<void> } | undefined

  /**
   * Begins an attempt, or returns why none may begin. After `new`, call `hold`, then `keep` with the reply or `release`
   * without one.
   */
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

  /**
   * Resolves when the attempt ends. The pending call keeps this object in memory, where it remembers that the attempt
   * is running.
   */
  async hold(attempt: string): Promise<void> {
    if (this.held?.attempt === attempt) await this.held.over
  }

  /**
   * Marks the point of no return. Returns false if another attempt has begun meanwhile: then this attempt must not have
   * an effect.
   */
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

  /** Ends the attempt without a reply: the next request with the key runs again. */
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
