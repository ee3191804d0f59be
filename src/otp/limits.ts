import { eq, sql } from 'drizzle-orm'
import { open } from '#core/db/open'
import type { Env } from './bindings.ts'
import type { OtpChannel } from './channels.ts'
import { hasDefaultLimits } from './env.ts'
import { type Otp, schema } from './schema.ts'
import type { Rule } from './window.ts'

/** What sends of a channel are counted by. */
export type Subject = 'ip' | 'target'

export interface Limits extends Record<Subject, Rule[]> {
  /** The rules for IP addresses were set by the caller, so that a send must name one. */
  requiresIp: boolean
}

type Given = Record<Subject, Rule[] | undefined>

const dayMinutes = 24 * 60

/** The rules of a list that nobody has set. */
const defaultRules: Record<Subject, Rule[]> = {
  ip: [{ minutes: 60, rate: 100 }],
  target: [
    { minutes: 10, rate: 10 },
    { minutes: dayMinutes, rate: 30 },
  ],
}

/** Replaces the lists of rules that are given, all of them or none. */
export async function replaceLimits({ db, limits }: Otp, channel: OtpChannel, given: Given): Promise<void> {
  const { ip, target } = given
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

/** The rules in force on a channel, in the order in which they were given: a list that nobody has set has the default rules. */
export async function readLimits(env: Env, channel: OtpChannel): Promise<Limits> {
  const { db, limits } = open(env, schema)
  const { subject, rules } = limits
  const rows = await db.select({ subject, rules }).from(limits).where(eq(limits.channel, channel))
  const setRules = (subject: Subject) => {
    const row = rows.find((row) => row.subject === subject)
    return row && (JSON.parse(row.rules) as Rule[])
  }
  const defaults = hasDefaultLimits(env) ? defaultRules : { ip: [], target: [] }
  const ip = setRules('ip')
  return {
    ip: ip ?? defaults.ip,
    target: setRules('target') ?? defaults.target,
    requiresIp: ip !== undefined && ip.length > 0,
  }
}
