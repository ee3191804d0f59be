// Handles `POST /notify`: renders a template for one recipient, and queues one message for each of its channels that the call
// has a recipient for.
import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import type { Env } from './bindings.ts'
import type { ChannelOutcome, Notify, Outcomes } from './contract.ts'
import { failure } from './errors.ts'
import { byChannel, channels } from './fields.ts'
import { planOf, type SendPlan } from './messages.ts'
import { findNotification } from './notifications.ts'
import { schema } from './schema.ts'
import { enqueue, taskOf } from './tasks.ts'
import { parseCached } from './template-cache.ts'

/**
 * Renders a template for a recipient and creates a task of the queue for each channel. Each task has an idempotency key that is
 * derived from the caller's, so a repeat of the call queues only the messages that are missing.
 */
export async function notify(env: Env, call: Notify, key: string | null): Promise<{ channels: Outcomes }> {
  const store = open(env, schema)
  const template = await findNotification(store, { code: call.notification })
  const plan = await planOf(template, call, env.NOTIFY_DEFAULT_LOCALE ?? '', parseCached(store.db, template))
  if (channels.every((channel) => 'reason' in plan[channel])) throw nothingToSend(plan)
  const keyPrefix = await keyPrefixOf(call, key)
  const steps = byChannel((channel): SendStep => {
    const planned = plan[channel]
    if ('reason' in planned) return async () => skipped(planned)
    const taskKey = `notification-${channel}-${keyPrefix}`
    const task = taskOf(env, channel, planned.message, taskKey)
    // The queue gets the task's key only if the caller passed a key: the queue would store the key, at a higher cost than the
    // task, and a call without a key cannot be recognized as a repeat.
    return async () => queued(await enqueue(env, task, key === null ? undefined : taskKey))
  })
  return runAll(steps)
}

/** Queues the message of one channel, or only returns the outcome `skipped` if the channel has no message. */
type SendStep = () => Promise<ChannelOutcome>

const skipped = ({ reason }: { reason: ChannelOutcome['reason'] }): ChannelOutcome => ({ state: 'skipped', reason })
const queued = (task: string | undefined): ChannelOutcome => ({ state: 'queued', ...(task !== undefined && { task }) })

/**
 * Runs the steps of all channels, so that one channel's failure does not keep the others from being queued. If a step failed,
 * throws its error with the outcome of every channel.
 */
async function runAll(steps: Record<keyof Outcomes, SendStep>): Promise<{ channels: Outcomes }> {
  const failures: unknown[] = []
  const outcomes = await Promise.all(
    channels.map((channel) =>
      steps[channel]().catch((error: unknown): ChannelOutcome => {
        failures.push(error)
        return { state: 'failed' }
      }),
    ),
  )
  const content = { channels: byChannel((channel) => outcomes[channels.indexOf(channel)]!) }
  if (failures.length === 0) return content
  const first = failures.find((failure) => !Failure.is(failure)) ?? failures[0]
  if (!Failure.is(first)) throw first
  const { code, status, message, headers, cause } = first
  throw new Failure({ code, status }, message, { content, headers, cause })
}

const nothingToSend = (plan: SendPlan) => {
  const content = { channels: byChannel((channel) => ({ state: 'skipped', ...plan[channel] })) }
  return failure('nothing_to_send', undefined, { content })
}

/**
 * Prefix of the idempotency keys of a call's tasks. The prefix contains a hash of the call: a repeat gets the same keys, and
 * another call under the same caller's key gets different ones.
 */
async function keyPrefixOf(call: Notify, key: string | null): Promise<string> {
  if (key === null) return crypto.randomUUID()
  const text = new TextEncoder().encode(JSON.stringify([key, call]))
  return new Uint8Array(await crypto.subtle.digest('SHA-256', text)).toHex()
}
