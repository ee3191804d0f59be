// Creates the task with which the queue sends a message by email, SMS or feed. The queue retries it while the channel is down.
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

/**
 * The path that sends a message, at the component of each channel. All of these paths accept an `Idempotency-Key`, so a retry
 * does not send twice.
 */
const paths: Record<NotificationChannel, string> = { email: '/smtp', sms: '/sms', feed: '/record' }

/**
 * Exponential backoff from 10 s up to an hour, about four hours in total. The channels keep idempotency keys for a day, which
 * is longer.
 */
const retryPolicy = { retries: 12, retry_delay: 10 }

/** Timeout of a request to a channel. It is long because the email component waits for a mail server. */
const requestTimeoutS = 60

/**
 * Builds the queue task that sends a message. `key` is the message's idempotency key at its channel. Throws 503 if the
 * channel's component has no address.
 */
export function taskOf(env: Env, channel: NotificationChannel, message: ChannelMessage, key: string): Task {
  const { url, credentials } = publicTarget({ ...env }, channel, 'queue')
  return {
    worker: env.NOTIFICATION_QUEUE_WORKER || 'notification',
    // The flow key limits concurrent requests per channel, so that a slow channel does not occupy all daemons.
    key: channel,
    url: url + paths[channel],
    json: message,
    headers: { 'idempotency-key': key },
    ...credentials,
    confidential: true,
    timeout: requestTimeoutS,
    ...retryPolicy,
  }
}

/**
 * Creates a task of the queue and returns its id. With the same `key` the queue creates the task only once. Returns undefined
 * if an earlier task with this key has another text: the queue keeps the earlier task, and does not tell its id. Throws 502 or
 * 504 if the queue does not confirm the task.
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

/** Whether the task exists is not known yet: the queue is still processing an earlier request with the same key. */
const queueTimeout = (cause: Failure) => failure('queue_timeout', undefined, { cause })
