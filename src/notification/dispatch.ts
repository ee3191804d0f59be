// Sends a notification, `POST /notify`: one message by each channel that the template and the call have.
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
 * Renders a template for a recipient and creates a task of the queue per channel. Each task has an idempotency key that is
 * derived from the caller's, so a repeat of the call queues only the missing messages.
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
    // The queue stores keys, which costs more than the task. A call without a key cannot be repeated and needs none.
    return async () => queued(await enqueue(env, task, key === null ? undefined : taskKey))
  })
  return runAll(steps)
}

/** Queues the message of a channel, if there is one. */
type SendStep = () => Promise<ChannelOutcome>

const skipped = ({ reason }: { reason: ChannelOutcome['reason'] }): ChannelOutcome => ({ state: 'skipped', reason })
const queued = (task: string | undefined): ChannelOutcome => ({ state: 'queued', ...(task !== undefined && { task }) })

/** Runs all steps, including those after a failure. The error has the outcome of each channel. */
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

/** Prefix of the idempotency keys of a call: equal for a repeat, different for another call with the same key. */
async function keyPrefixOf(call: Notify, key: string | null): Promise<string> {
  if (key === null) return crypto.randomUUID()
  const text = new TextEncoder().encode(JSON.stringify([key, call]))
  return new Uint8Array(await crypto.subtle.digest('SHA-256', text)).toHex()
}
