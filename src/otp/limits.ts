import { eq, sql } from 'drizzle-orm'
import type { Channel } from './channels.ts'
import type { Otp } from './schema.ts'
import type { Rule } from './window.ts'

/** What sends of a channel are counted by. */
export type Subject = 'ip' | 'target'

export type Limits = Record<Subject, Rule[]>

type Given = Record<Subject, Rule[] | undefined>

/** Replaces the lists of rules that are given, all of them or none. */
export async function replaceLimits({ db, limits }: Otp, channel: Channel, given: Given): Promise<void> {
  const { ip, target } = given
  const rows = [ip && rowOf(channel, 'ip', ip), target && rowOf(channel, 'target', target)].filter((row) => !!row)
  if (rows.length === 0) return
  await db
    .insert(limits)
    .values(rows)
    .onConflictDoUpdate({ target: [limits.channel, limits.subject], set: { rules: sql`excluded.rules` } })
}

const rowOf = (channel: Channel, subject: Subject, rules: Rule[]) => ({
  channel,
  subject,
  rules: JSON.stringify(rules.map(({ minutes, rate }) => ({ minutes, rate }))),
})

/** The rules of a channel, in the order in which they were given. */
export async function readLimits({ db, limits }: Otp, channel: Channel): Promise<Limits> {
  const { subject, rules } = limits
  const rows = await db.select({ subject, rules }).from(limits).where(eq(limits.channel, channel))
  const of = (subject: Subject) => JSON.parse(rows.find((row) => row.subject === subject)?.rules ?? '[]') as Rule[]
  return { ip: of('ip'), target: of('target') }
}
