import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import type { Env } from './bindings.ts'
import type { ChannelOutcome, Notify, Outcomes } from './contract.ts'
import { failure } from './errors.ts'
import { byChannel, channels } from './fields.ts'
import { planOf, type SendPlan } from './messages.ts'
import { findNotification } from './notifications.ts'
import { parseOnce } from './parsing.ts'
import { schema } from './schema.ts'
import { enqueue, taskOf } from './tasks.ts'

/**
 * Renders a template for somebody, and gives a message for each channel to the queue. Each has a key of its own made of the
 * caller's, so that all of it can be done again: what the queue has already is not queued twice.
 */
export async function notify(env: Env, call: Notify, key: string | null): Promise<{ channels: Outcomes }> {
  const store = open(env, schema)
  const template = await findNotification(store, { code: call.notification })
  const plan = await planOf(template, call, env.NOTIFY_DEFAULT_LOCALE ?? '', parseOnce(store.db, template))
  if (channels.every((channel) => 'reason' in plan[channel])) throw nothingToSend(plan)
  const root = await rootOf(call, key)
  const steps = byChannel((channel): Step => {
    const planned = plan[channel]
    if ('reason' in planned) return async () => skipped(planned)
    const own = `notification-${channel}-${root}`
    const task = taskOf(env, channel, planned.message, own)
    // The queue writes a key down, which takes it longer than the task: not where nobody can repeat the call.
    return async () => queued(await enqueue(env, task, key === null ? undefined : own))
  })
  return takeAll(steps)
}

/** Has a message queued, where there is one. */
type Step = () => Promise<ChannelOutcome>

const skipped = ({ reason }: { reason: ChannelOutcome['reason'] }): ChannelOutcome => ({ state: 'skipped', reason })
const queued = (task: string | undefined): ChannelOutcome => ({ state: 'queued', ...(task !== undefined && { task }) })

/** Takes all steps, whatever becomes of each; a failure says how far it got. */
async function takeAll(steps: Record<keyof Outcomes, Step>): Promise<{ channels: Outcomes }> {
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
  const first = failures.find((one) => !Failure.is(one)) ?? failures[0]
  if (!Failure.is(first)) throw first
  const { code, status, message, headers, cause } = first
  throw new Failure({ code, status }, message, { content, headers, cause })
}

const nothingToSend = (plan: SendPlan) => {
  const content = { channels: byChannel((channel) => ({ state: 'skipped', ...plan[channel] })) }
  return failure('nothing_to_send', undefined, { content })
}

/** What the keys of a call's messages begin with: the same for a repeat, and for nothing else that comes with the same key. */
async function rootOf(call: Notify, key: string | null): Promise<string> {
  if (key === null) return crypto.randomUUID()
  const text = new TextEncoder().encode(JSON.stringify([key, call]))
  return new Uint8Array(await crypto.subtle.digest('SHA-256', text)).toHex()
}
