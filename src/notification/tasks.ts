import { Failure } from '#core/failure'
import { peer, publicly } from '#core/outgoing/peer'
import type { queue } from '#queue/index'
import type { Env } from './env.ts'
import type { Channel } from './fields.ts'
import type { Message } from './messages.ts'

type QueueApi = typeof queue

/** Where the component of a channel takes a message; all of them take an `Idempotency-Key`. */
const paths: Record<Channel, string> = { email: '/smtp', sms: '/sms', feed: '/record' }

/** Repeats over some four hours: twice as long each time, up to an hour. Far less than the day for which keys are kept. */
const repeats = { retries: 12, retry_delay: 10 }

/** Seconds that a mail server may take. */
const timeout = 60

/**
 * Gives a message to the queue, and gives the id of its task. The key makes one of all repeats, of this call and of the
 * task. Where it has come with another text before, that one is queued; its task is not known. 502 or 504 where the queue
 * does not say that it has it.
 */
export async function enqueue(env: Env, channel: Channel, message: Message, key: string): Promise<string | undefined> {
  const { url, credentials } = publicly({ ...env }, channel)
  const task = {
    worker: env.NOTIFICATION_QUEUE_WORKER || 'notification',
    url: url + paths[channel],
    json: message,
    headers: { 'idempotency-key': key },
    secret_headers: credentials,
    confidential: true,
    timeout,
    ...repeats,
  }
  const post = () => peer<QueueApi>({ ...env }, 'queue')('POST /task', task, { 'idempotency-key': key })
  try {
    // What broke may have been taken before it did: a repeat with the same key tells.
    const taken = await post().catch((error: unknown) => (isBroken(error) ? post() : Promise.reject(error)))
    return taken.task?.id
  } catch (error) {
    if (Failure.is(error) && error.code === 'idempotency_key_reused') return undefined
    throw refusalOf(error)
  }
}

const isBroken = (error: unknown) => Failure.is(error) && error.refusal === 'upstream_failed'

/** What the queue says of a task is about nothing that a caller has asked for. */
function refusalOf(error: unknown): unknown {
  if (!Failure.is(error) || error.refusal === 'not_configured' || error.refusal === 'upstream_timeout') return error
  if (error.code === 'idempotency_key_in_use')
    return new Failure('upstream_timeout', 'The queue did not answer in time', { code: 'queue_timeout', cause: error })
  return new Failure('upstream_failed', 'The queue did not take the message', { code: 'queue_failed', cause: error })
}
