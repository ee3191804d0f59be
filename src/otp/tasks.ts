import type { ErrorStatus } from '#core/errors'
import { Failure } from '#core/failure'
import { peer } from '#core/outgoing/peer'
import { peerFailed } from '#core/outgoing/peer-failed'
import type { queue } from '#queue/index'
import type { Env } from './bindings.ts'
import type { OtpChannel } from './channels.ts'

type QueueApi = typeof queue

/** What the queue delivers: a request whose body and secret headers it shows nobody. */
export interface SealedTask {
  channel: OtpChannel
  url: string
  json: Record<string, unknown>
  /** Credentials, or a proof. */
  secret_headers: Record<string, string>
}

/**
 * Seconds that a delivery may take, how often it is tried again, and how long the queue waits before, twice as long each time up
 * to an hour: longer than any password is valid, which is what ends it.
 */
const timeout = 30
const retries = 100
const firstPause = 2

/**
 * Gives a parcel to the queue. What is delivered under one key is so once, and not later than `lifetime` seconds from when it is
 * due. 502 where the queue has not taken it, unless the connection broke, and 504: then that is not known.
 */
export const enqueue = (env: Env, key: string, parcel: SealedTask, lifetime: number) =>
  post(env, taskOf(env, key, parcel, lifetime), {})

/** The same for what may be given twice: of one key the queue takes the first. */
export const enqueueOnce = (env: Env, key: string, parcel: SealedTask, lifetime: number) =>
  post(env, taskOf(env, key, parcel, lifetime), headerOf(key))

const headerOf = (key: string) => ({ 'idempotency-key': key })

const taskOf = (env: Env, key: string, { channel, url, json, secret_headers }: SealedTask, lifetime: number) => ({
  worker: env.OTP_QUEUE_WORKER || 'otp',
  // Flow key: a channel that is slow does not delay the others.
  key: channel,
  url,
  json,
  headers: headerOf(key),
  secret_headers,
  confidential: true,
  timeout,
  retries,
  retry_delay: firstPause,
  expires: lifetime,
})

async function post(env: Env, task: ReturnType<typeof taskOf>, headers: Record<string, string>): Promise<void> {
  try {
    await peer<QueueApi>({ ...env }, 'queue')('POST /task', task, headers)
  } catch (error) {
    const passed: ErrorStatus[] = [413, 504]
    throw peerFailed(error, 'queue', 'The queue did not take the message', { passed, undone: !isBroken(error) })
  }
}

/** Where the queue has said something the task is undone; where the connection broke it may have taken it. */
const isBroken = (error: unknown) => Failure.is(error) && error.status === 502 && error.cause !== undefined
