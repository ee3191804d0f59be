// Builds the tasks that send passwords by SMS, call, email and bot, and creates them in the queue, which retries them.
import type { ErrorStatus } from '#core/errors'
import { Failure } from '#core/failure'
import { peer, publicTarget, type TaskCredentials } from '#core/outgoing/peer'
import { peerFailed } from '#core/outgoing/peer-failed'
import type { queue } from '#queue/index'
import type { Env } from './bindings.ts'
import type { OtpChannel } from './channels.ts'
import type { NewCall, NewChatMessage, NewEmail, NewSms } from './contract.ts'
import { checkBot, selfUrl } from './env.ts'
import { proofHeader, proofOf } from './proof.ts'

type QueueApi = typeof queue

/** A request that the queue makes to send a password. The queue shows neither its body nor its secret headers in its API. */
export interface ConfidentialTask {
  channel: OtpChannel
  url: string
  json: Record<string, unknown>
  /** A service token, or headers with credentials or with the signature of a message of the bot. */
  credentials: TaskCredentials
}

/**
 * Timeout of one attempt in seconds, number of retries, and initial retry delay in seconds. The delay doubles up to an hour.
 * The retries would last longer than any password is valid, so that the task ends when the password expires.
 */
const timeout = 30
const retries = 100
const firstRetryDelay = 2

/**
 * Creates a task in the queue, which expires after `lifetime` seconds. The receiver gets `key` as `Idempotency-Key`, so that
 * retries do not send the message twice. Throws 502 `queue_failed` if the queue did not accept the task, or, without `undone`,
 * if the connection broke; 504 `queue_timeout` if the queue did not reply in time.
 */
export const enqueue = (env: Env, key: string, task: ConfidentialTask, lifetime: number) =>
  post(env, taskOf(env, key, task, lifetime), {})

/** Like `enqueue`, for a call that may be repeated: the queue creates only one task per key. */
export const enqueueIdempotent = (env: Env, key: string, task: ConfidentialTask, lifetime: number) =>
  post(env, taskOf(env, key, task, lifetime), headerOf(key))

const headerOf = (key: string) => ({ 'idempotency-key': key })

const taskOf = (env: Env, key: string, { channel, url, json, credentials }: ConfidentialTask, lifetime: number) => ({
  worker: env.OTP_QUEUE_WORKER || 'otp',
  // The flow key limits concurrent requests per channel, so that a slow channel does not occupy all daemons.
  key: channel,
  url,
  json,
  headers: headerOf(key),
  ...credentials,
  confidential: true,
  timeout,
  retries,
  retry_delay: firstRetryDelay,
  expires: lifetime,
})

async function post(env: Env, task: ReturnType<typeof taskOf>, headers: Record<string, string>): Promise<void> {
  try {
    await peer<QueueApi>({ ...env }, 'queue')('POST /task', task, headers)
  } catch (error) {
    const relayed: ErrorStatus[] = [413, 504]
    throw peerFailed(error, 'queue', 'The queue did not take the message', {
      passed: relayed,
      undone: !isBroken(error),
    })
  }
}

/** Whether the connection to the queue broke, so that the queue may have accepted the task. */
const isBroken = (error: unknown) => Failure.is(error) && error.status === 502 && error.cause !== undefined

/**
 * Options of the SMS: also to blacklisted phones, because users themselves ask for passwords, and repeated if the outcome is
 * unknown, because a missing password is worse than a duplicate.
 */
const smsOptions = { force: true, allow_duplicates: true }

/** The task that sends a password by SMS, through the SMS component. */
export const smsTask = (env: Env, { phone, message }: NewSms): ConfidentialTask =>
  to(env, { channel: 'sms', component: 'sms', path: '/sms' }, { phones: phone, message, ...smsOptions })

/** The task that calls a phone and reads the characters of a password aloud one by one, which the commas cause. */
export const callTask = (env: Env, { phone, password }: NewCall): ConfidentialTask => {
  const message = [...password].join(', ')
  return to(
    env,
    { channel: 'call', component: 'sms', path: '/call' },
    { phones: phone, message, ...smsOptions, provider: 'provider_a' },
  )
}

export const emailTask = (env: Env, { email, subject, text, html }: NewEmail): ConfidentialTask =>
  to(
    env,
    { channel: 'email', component: 'email', path: '/smtp' },
    { to: email, subject, ...(text && { text }), ...(html && { html }) },
  )

/**
 * The task that sends a message through the bot. The queue calls this component back, which sends the message unless its
 * password has expired.
 */
export async function chatTask(
  env: Env,
  { chat_id, message }: Pick<NewChatMessage, 'chat_id' | 'message'>,
  expires_at: Date,
): Promise<ConfidentialTask> {
  // Rejects the request now if no bot is configured, and not only when the queue calls back.
  checkBot(env)
  const json = { chat_id, text: message, expires_at: expires_at.getTime() }
  const credentials = { secret_headers: { [proofHeader]: await proofOf(env, json) } }
  return { channel: 'chatapp', url: `${selfUrl(env)}/chatapp/delivery`, json, credentials }
}

interface Destination {
  channel: OtpChannel
  component: 'sms' | 'email'
  path: string
}

function to(env: Env, { channel, component, path }: Destination, json: Record<string, unknown>): ConfidentialTask {
  const { url, credentials } = publicTarget({ ...env }, component, 'queue')
  return { channel, url: url + path, json, credentials }
}
