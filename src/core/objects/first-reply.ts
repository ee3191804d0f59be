import { DurableObject } from 'cloudflare:workers'

/** A reply as it is kept. */
export interface KeptReply {
  status: number
  headers: Record<string, string>
  body: string
}

type Before = { state: 'new' | 'running' | 'other' } | { state: 'kept'; reply: KeptReply }

interface Attempt {
  digest: string
  started: number
  reply?: KeptReply
}

const day = 86_400_000

/** As long as a request can possibly run; one that has not replied by then was cut off by a crash. */
const patience = 300_000

const lost: KeptReply = {
  status: 504,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({
    status: false,
    status_code: 'outcome_unknown',
    message: 'The first request was cut off; whether it took effect is not known',
  }),
}

/** The first reply to one idempotency key, kept for a day. One object per key. */
export class FirstReply extends DurableObject<unknown> {
  /** Says whether the caller is the first; if so, it must `keep` a reply or `release` the key. */
  async begin(digest: string): Promise<Before> {
    const attempt = this.ctx.storage.kv.get<Attempt>('attempt')
    if (!attempt) {
      this.ctx.storage.kv.put('attempt', { digest, started: Date.now() } satisfies Attempt)
      await this.ctx.storage.setAlarm(Date.now() + day)
      return { state: 'new' }
    }
    if (attempt.digest !== digest) return { state: 'other' }
    if (attempt.reply) return { state: 'kept', reply: attempt.reply }
    return Date.now() - attempt.started < patience ? { state: 'running' } : { state: 'kept', reply: lost }
  }

  keep(reply: KeptReply) {
    const attempt = this.ctx.storage.kv.get<Attempt>('attempt')
    if (attempt) this.ctx.storage.kv.put('attempt', { ...attempt, reply } satisfies Attempt)
  }

  async release() {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  override async alarm() {
    await this.ctx.storage.deleteAll()
  }
}
