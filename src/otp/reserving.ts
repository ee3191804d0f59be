import { type Failure, invalid } from '#core/failure'
import { describe, log } from '#core/http/log'
import type { Env } from './bindings.ts'
import type { OtpChannel } from './channels.ts'
import { failure } from './errors.ts'
import type { Limits, Subject } from './limits.ts'

/** Whose sends are counted. */
type Subjects = Record<'target', string> & { ip: string | undefined }

/** A place that a send has among those that the rules of one key allow. */
interface Place {
  key: string
  id: number
}

/** Takes a place under every rule of the channel, or none: 429 with the time until there is one. */
export async function reserve(env: Env, channel: OtpChannel, limits: Limits, subjects: Subjects): Promise<Place[]> {
  if (limits.requiresIp && subjects.ip === undefined)
    throw invalid('ip', 'Is required: this channel has rules for IP addresses.')
  const places: Place[] = []
  for (const subject of ['ip', 'target'] as const) {
    if (limits[subject].length === 0 || subjects[subject] === undefined) continue
    const key = `${channel} ${subject} ${subjects[subject]}`
    try {
      const reserved = await env.LIMITER.getByName(key).reserve(limits[subject])
      if ('retryAfter' in reserved) throw limited(channel, subject, reserved.retryAfter)
      places.push({ key, id: reserved.id })
    } catch (error) {
      await release(env, places)
      throw error
    }
  }
  return places
}

/** Gives places back. One that cannot be given back counts: too many are refused then, not too few. */
export async function release(env: Env, places: Place[]): Promise<void> {
  const released = await Promise.allSettled(places.map(({ key, id }) => env.LIMITER.getByName(key).release(id)))
  for (const { status, reason } of released as { status: string; reason?: unknown }[])
    if (status === 'rejected') log('error', { component: 'otp', route: 'release', ...describe(reason) })
}

const codes = {
  sms: 'phone_limit',
  call: 'phone_limit',
  email: 'email_limit',
  chatapp: 'email_limit',
} as const satisfies Record<OtpChannel, string>

const names: Record<OtpChannel, string> = { sms: 'phone', call: 'phone', email: 'email address', chatapp: 'chat' }

function limited(channel: OtpChannel, subject: Subject, retryAfter: number): Failure {
  const [code, whose] =
    subject === 'ip' ? (['ip_limit', 'IP address'] as const) : ([codes[channel], names[channel]] as const)
  return failure(code, `Too many passwords were sent for this ${whose}. Retry later.`, { retryAfter })
}
