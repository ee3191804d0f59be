import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import type { Notify, Outcome, Outcomes } from './contract.ts'
import type { Env } from './env.ts'
import { type Channel, channels } from './fields.ts'
import { type Plan, planOf } from './messages.ts'
import { findNotification } from './notifications.ts'
import { parseOnce } from './parsing.ts'
import { schema } from './schema.ts'
import { enqueue } from './tasks.ts'

/**
 * Renders a template for somebody, and gives a message for each channel to the queue. Each has a key of its own made of the
 * caller's, so that all of it can be done again: what the queue has already is not queued twice.
 */
export async function notify(env: Env, call: Notify, key: string | null): Promise<{ channels: Outcomes }> {
  const store = open(env, schema)
  const template = await findNotification(store, { code: call.notification })
  const plan = await planOf(template, call, env.NOTIFY_DEFAULT_LOCALE ?? '', parseOnce(store.db, template))
  const root = await rootOf(call, key)
  const failures: Failure[] = []
  const outcomeOf = async (channel: Channel): Promise<Outcome> => {
    const planned = plan[channel]
    if ('reason' in planned) return { state: 'skipped', reason: planned.reason }
    try {
      const task = await enqueue(env, channel, planned.message, `notification-${channel}-${root}`)
      return { state: 'queued', ...(task !== undefined && { task }) }
    } catch (error) {
      if (!Failure.is(error)) throw error
      failures.push(error)
      return { state: 'failed' }
    }
  }
  if (isEmpty(plan)) throw nothingToSend(plan)
  const [email, sms, feed] = await Promise.all(channels.map(outcomeOf))
  const outcomes = { email: email!, sms: sms!, feed: feed! }
  const [failure] = failures
  if (!failure) return { channels: outcomes }
  const { refusal, message, code, headers, cause } = failure
  throw new Failure(refusal, message, { code, content: { channels: outcomes }, headers, cause })
}

const isEmpty = (plan: Plan) => Object.values(plan).every((planned) => 'reason' in planned)

const nothingToSend = (plan: Plan) => {
  const outcomes = Object.entries(plan).map(([channel, planned]) => [channel, { state: 'skipped', ...planned }])
  const message = 'There is no channel that the template has, that the call has a target for, and that has a text'
  return new Failure('invalid', message, {
    code: 'nothing_to_send',
    content: { channels: Object.fromEntries(outcomes) },
  })
}

/** What the keys of a call's messages begin with: the same for a repeat, and for nothing else that comes with the same key. */
async function rootOf(call: Notify, key: string | null): Promise<string> {
  if (key === null) return crypto.randomUUID()
  const text = new TextEncoder().encode(JSON.stringify([key, call]))
  return new Uint8Array(await crypto.subtle.digest('SHA-256', text)).toHex()
}
