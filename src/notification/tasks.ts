// Creates the queue task that sends a message by email, SMS or feed.
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

/** The path of each channel's component. All of them accept an `Idempotency-Key`. */
const paths: Record<NotificationChannel, string> = { email: '/smtp', sms: '/sms', feed: '/record' }

/** Exponential backoff up to an hour, four hours in total. Channels keep idempotency keys for a day. */
const retryPolicy = { retries: 12, retry_delay: 10 }

/** Mail servers may be slow. */
const requestTimeoutS = 60

/** The queue task of a message. `key` is its idempotency key. Throws 503 if the channel's component has no address. */
export function taskOf(env: Env, channel: NotificationChannel, message: ChannelMessage, key: string): Task {
  const { url, credentials } = publicTarget({ ...env }, channel)
  return {
    worker: env.NOTIFICATION_QUEUE_WORKER || 'notification',
    // Flow key: a slow channel does not delay the others.
    key: channel,
    url: url + paths[channel],
    json: message,
    headers: { 'idempotency-key': key },
    secret_headers: credentials,
    confidential: true,
    timeout: requestTimeoutS,
    ...retryPolicy,
  }
}

/**
 * Creates a task of the queue and returns its id. A key creates it once. Returns undefined if the key was used with another text
 * before: that task stays, and its id is unknown. Throws 502 or 504 if the queue does not confirm the task.
 */
export async function enqueue(env: Env, task: Task, key?: string): Promise<string | undefined> {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  try {
    const reply = await peer<QueueApi>({ ...env }, 'queue')('POST /task', task, headers)
    return reply.task?.id
  } catch (error) {
    if (Failure.is(error) && error.code === 'idempotency_key_reused') return undefined
    if (Failure.is(error) && error.code === 'idempotency_key_in_use') throw queueTimeout(error)
    throw peerFailed(error, 'queue', 'The queue did not accept the message', { passed: [504] })
  }
}

/** The queue is still processing an earlier call with the same key. */
const queueTimeout = (cause: Failure) => failure('queue_timeout', undefined, { cause })
