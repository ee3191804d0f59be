// Stores the rules that limit the sends of each channel, and reserves a slot for each send in the durable objects `Limiter`.
import { eq, sql } from 'drizzle-orm'
import { open } from '#core/db/open'
import { type Failure, invalid } from '#core/failure'
import { describe, log } from '#core/http/log'
import type { Env } from './bindings.ts'
import type { OtpChannel } from './channels.ts'
import { areDefaultLimitsOn } from './env.ts'
import { failure } from './errors.ts'
import { type Otp, schema } from './schema.ts'
import type { Rule } from './sliding-window.ts'

/** The keys by which the sends of a channel are counted. */
type Subject = 'ip' | 'target'

interface Limits extends Record<Subject, Rule[]> {
  /**
   * Whether rules for IP addresses were set with `POST /limit`. If so, a send must have `ip`, or callers could avoid the rules.
   */
  requiresIp: boolean
}

type NewLimits = Record<Subject, Rule[] | undefined>

const dayMinutes = 24 * 60

/** The rules of a list that was never set, so that a new installation is not open to abuse. */
const defaultRules: Record<Subject, Rule[]> = {
  ip: [{ minutes: 60, rate: 100 }],
  target: [
    { minutes: 10, rate: 10 },
    { minutes: dayMinutes, rate: 30 },
  ],
}

/** Replaces the given lists of rules in one statement. Lists that are undefined stay unchanged. */
export async function replaceLimits({ db, limits }: Otp, channel: OtpChannel, lists: NewLimits): Promise<void> {
  const { ip, target } = lists
  const rows = [ip && rowOf(channel, 'ip', ip), target && rowOf(channel, 'target', target)].filter((row) => !!row)
  if (rows.length === 0) return
  await db
    .insert(limits)
    .values(rows)
    .onConflictDoUpdate({ target: [limits.channel, limits.subject], set: { rules: sql`excluded.rules` } })
}

const rowOf = (channel: OtpChannel, subject: Subject, rules: Rule[]) => ({
  channel,
  subject,
  rules: JSON.stringify(rules.map(({ minutes, rate }) => ({ minutes, rate }))),
})

/** Returns the rules in force on a channel: lists that were set, and the default rules for the others. */
export async function readLimits(env: Env, channel: OtpChannel): Promise<Limits> {
  const { db, limits } = open(env, schema)
  const { subject, rules } = limits
  const rows = await db.select({ subject, rules }).from(limits).where(eq(limits.channel, channel))
  const setRules = (subject: Subject) => {
    const row = rows.find((row) => row.subject === subject)
    return row && (JSON.parse(row.rules) as Rule[])
  }
  const defaults = areDefaultLimitsOn(env) ? defaultRules : { ip: [], target: [] }
  const ip = setRules('ip')
  return {
    ip: ip ?? defaults.ip,
    target: setRules('target') ?? defaults.target,
    requiresIp: ip !== undefined && ip.length > 0,
  }
}

/** The rules in force for phones, in the API's format. */
export async function readPhoneLimits(env: Env, channel: 'sms' | 'call') {
  const { ip: ips, target: phones } = await readLimits(env, channel)
  return { ips, phones }
}

/** The IP address and the target by which a send is counted. */
type Subjects = Record<'target', string> & { ip: string | undefined }

/** A slot that was reserved in a limiter, for its release. */
interface Slot {
  key: string
  id: number
}

/** Reserves a slot under all rules of the channel, or none at all. Throws 429 with `Retry-After` if a rule has no free slot. */
export async function reserveSlots(env: Env, channel: OtpChannel, limits: Limits, subjects: Subjects): Promise<Slot[]> {
  if (limits.requiresIp && subjects.ip === undefined)
    throw invalid('ip', 'Is required: this channel has rules for IP addresses.')
  const slots: Slot[] = []
  for (const subject of ['ip', 'target'] as const) {
    if (limits[subject].length === 0 || subjects[subject] === undefined) continue
    const key = `${channel} ${subject} ${subjects[subject]}`
    try {
      const reserved = await env.LIMITER.getByName(key).reserve(limits[subject])
      if ('retryAfter' in reserved) throw limited(channel, subject, reserved.retryAfter)
      slots.push({ key, id: reserved.id })
    } catch (error) {
      await releaseSlots(env, slots)
      throw error
    }
  }
  return slots
}

/**
 * Releases slots, because nothing was sent. If that fails, a slot stays counted: the limit then allows fewer sends, but never
 * too many.
 */
export async function releaseSlots(env: Env, slots: Slot[]): Promise<void> {
  const released = await Promise.allSettled(slots.map(({ key, id }) => env.LIMITER.getByName(key).release(id)))
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
