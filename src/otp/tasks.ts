import { Failure } from '#core/failure'
import { peer } from '#core/outgoing/peer'
import type { queue } from '#queue/index'
import type { Env } from './env.ts'

type QueueApi = typeof queue

/** What the queue delivers: a request whose body and secret headers it shows nobody. */
export interface Parcel {
  url: string
  json: Record<string, unknown>
  /** Credentials, or a proof. */
  secret_headers: Record<string, string>
}

/** Seconds that a delivery may take, and how long the queue waits before it tries again, twice as long each time. */
const timeout = 20
const firstPause = 2
const mostRetries = 5

/**
 * Gives a parcel to the queue, once for each key, which also says there that repeats of the delivery are one. Nothing is
 * delivered later than `lifetime` seconds from when it is due. 502 where the queue certainly has not taken it, 504 where that
 * is not known.
 */
export async function enqueue(env: Env, key: string, { url, json, secret_headers }: Parcel, lifetime: number) {
  const task = {
    worker: env.OTP_QUEUE_WORKER || 'otp',
    url,
    json,
    headers: { 'idempotency-key': key },
    secret_headers,
    confidential: true,
    timeout,
    retries: retriesWithin(lifetime),
    retry_delay: firstPause,
  }
  const post = () => peer<QueueApi>({ ...env }, 'queue')('POST /task', task, { 'idempotency-key': key })
  try {
    // What broke may have been taken before it did: a repeat with the same key tells.
    await post().catch((error: unknown) => (isBroken(error) ? post() : Promise.reject(error)))
  } catch (error) {
    throw refusalOf(error)
  }
}

/** How many repeats all begin while the password is valid, whatever each attempt and each pause takes. */
export function retriesWithin(lifetime: number): number {
  let begins = 0
  for (let retries = 0; retries < mostRetries; retries++) {
    begins += timeout + firstPause * 2 ** retries
    if (begins >= lifetime) return retries
  }
  return mostRetries
}

const isBroken = (error: unknown) => Failure.is(error) && error.refusal === 'upstream_failed'

/** What the queue says of a task is not about anything that a caller has asked for, save that it is too large. */
function refusalOf(error: unknown): unknown {
  if (!Failure.is(error) || ['not_configured', 'too_large', 'upstream_timeout'].includes(error.refusal)) return error
  if (error.code === 'idempotency_key_in_use')
    return new Failure('upstream_timeout', 'The queue did not answer in time', { code: 'queue_timeout', cause: error })
  return new Failure('upstream_failed', 'The queue did not take the message', { code: 'queue_failed', cause: error })
}
