import { DurableObject } from 'cloudflare:workers'
import { defaultRetentionMs } from '#core/http/retention'

/** A reply as it is kept. */
export interface KeptReply {
  status: number
  headers: Record<string, string>
  body: string
}

type Before =
  | { state: 'new'; attempt: string }
  | { state: 'running' }
  | { state: 'other' }
  /** The first attempt was cut off; whether it took effect is not known. */
  | { state: 'lost' }
  | { state: 'kept'; reply: KeptReply }

interface Attempt {
  /** Never the same again, so that one that was cut off is not taken for another when the key was free meanwhile. */
  id: string
  digest: string
  started: number
  /** It may have taken effect. */
  isCommitted: boolean
  reply?: StoredReply
}

/** A reply without its body, which is stored in parts. A version before this one stored the body with it. */
type StoredReply = Omit<KeptReply, 'body'> & ({ body: string } | { parts: number })

/** UTF-16 units of a part of a body: a value in an object's storage has at most 2 MB. */
const partLength = 500_000

const partKey = (part: number) => `body/${part}`

/** As long as a request can possibly run; one that has not replied by then was cut off by a crash. */
const patience = 300_000

/**
 * The first reply to one idempotency key, kept for a day unless the caller says otherwise. One object per key. Of several attempts one at most can commit:
 * what was cut off before that is begun anew, what was cut off after it never is.
 */
export class IdempotencyRecord extends DurableObject<unknown> {
  /** The attempt whose request holds this object in memory; an object that a crash took has none. */
  private held: { attempt: string; end: () => void; over: Promise<void> } | undefined

  /** Says whether the caller's attempt begins; if so, it must `hold` the object until it `keep`s a reply or `release`s the key. */
  async begin(digest: string, isCommitted: boolean, retentionMs = defaultRetentionMs): Promise<Before> {
    const before = this.attempt
    if (!before) await this.ctx.storage.setAlarm(Date.now() + retentionMs)
    else {
      if (before.digest !== digest) return { state: 'other' }
      if (before.reply) return { state: 'kept', reply: this.read(before.reply) }
      if (this.held?.attempt === before.id && Date.now() - before.started < patience) return { state: 'running' }
      if (before.isCommitted) return { state: 'lost' }
    }
    const attempt = crypto.randomUUID()
    this.attempt = { id: attempt, digest, started: Date.now(), isCommitted }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.held = { attempt, end: resolve, over: promise }
    return { state: 'new', attempt }
  }

  /** Resolves when the attempt is over, and keeps this object in memory until then. */
  async hold(attempt: string): Promise<void> {
    if (this.held?.attempt === attempt) await this.held.over
  }

  /** Whether the attempt may take effect: not where another one has begun since. */
  commit(attempt: string): boolean {
    const current = this.attempt
    if (current?.id !== attempt || current.reply) return false
    this.attempt = { ...current, isCommitted: true }
    return true
  }

  keep(attempt: string, reply: KeptReply) {
    const current = this.attempt
    if (current?.id === attempt) this.attempt = { ...current, reply: this.store(reply) }
    this.end(attempt)
  }

  async release(attempt: string) {
    if (this.attempt?.id === attempt) await this.forget()
    this.end(attempt)
  }

  override async alarm() {
    await this.forget()
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

  private async forget() {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  private end(attempt: string) {
    if (this.held?.attempt !== attempt) return
    this.held.end()
    this.held = undefined
  }
}
