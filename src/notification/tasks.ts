import type * as z from 'zod'
import { Failure } from '#core/failure'
import { peer, publicTarget } from '#core/outgoing/peer'
import { peerFailed } from '#core/outgoing/peer-failed'
import type { NewTask } from '#queue/contract'
import type { queue } from '#queue/index'
import type { Env } from './bindings.ts'
import { failure } from './errors.ts'
import type { NotificationChannel } from './fields.ts'
import type { ChannelMessage } from './messages.ts'

type QueueApi = typeof queue
type Task = z.input<typeof NewTask>

/** Where the component of a channel takes a message; all of them take an `Idempotency-Key`. */
const paths: Record<NotificationChannel, string> = { email: '/smtp', sms: '/sms', feed: '/record' }

/** Repeats over some four hours: twice as long each time, up to an hour. Far less than the day for which keys are kept. */
const repeats = { retries: 12, retry_delay: 10 }

/** Seconds that a mail server may take. */
const timeout = 60

/** The task of a message. The key makes one of all repeats of it. 503 where its component has no address. */
export function taskOf(env: Env, channel: NotificationChannel, message: ChannelMessage, key: string): Task {
  const { url, credentials } = publicTarget({ ...env }, channel)
  return {
    worker: env.NOTIFICATION_QUEUE_WORKER || 'notification',
    // Flow key: a channel that is slow does not delay the others.
    key: channel,
    url: url + paths[channel],
    json: message,
    headers: { 'idempotency-key': key },
    secret_headers: credentials,
    confidential: true,
    timeout,
    ...repeats,
  }
}

/**
 * Gives a task to the queue, and gives its id. With a key it is there once: where that has come with another text before, that
 * one is, and its id is not known. 502 or 504 where the queue does not say that it has it.
 */
export async function enqueue(env: Env, task: Task, key?: string): Promise<string | undefined> {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  try {
    const taken = await peer<QueueApi>({ ...env }, 'queue')('POST /task', task, headers)
    return taken.task?.id
  } catch (error) {
    if (Failure.is(error) && error.code === 'idempotency_key_reused') return undefined
    if (Failure.is(error) && error.code === 'idempotency_key_in_use') throw late(error)
    throw peerFailed(error, 'queue', 'The queue did not take the message', { passed: [504] })
  }
}

/** The queue is still at an earlier call with the same key. */
const late = (cause: Failure) => failure('queue_timeout', undefined, { cause })
