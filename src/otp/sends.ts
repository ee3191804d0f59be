import { desc, lt } from 'drizzle-orm'
import { masked } from '#core/messages/phone'
import type { OtpChannel } from './channels.ts'
import type { SendsOf } from './contract.ts'
import type { Otp } from './schema.ts'

/** What was sent lately and is not swept yet, the newest first, by a range of the primary key: to whom is told in part alone. */
export async function listSends({ db, passwords }: Otp, { id: before, limit }: SendsOf, now: Date) {
  const { id, channel, target, created_at, expires_at, used_at } = passwords
  const rows = await db
    .select({ id, channel, target, created_at, expires_at, used_at })
    .from(passwords)
    .where(before === undefined ? undefined : lt(id, before))
    .orderBy(desc(id))
    .limit(limit)
  return rows.map(({ channel, target, ...row }) => ({
    ...row,
    channel: channel as OtpChannel,
    target: inPart(channel as OtpChannel, target),
    state: row.used_at !== null ? ('used' as const) : row.expires_at <= now ? ('expired' as const) : ('valid' as const),
  }))
}

const shortest = 7

/** A target as an operator may see it: the last three digits of a phone, the first letter of an email address and its domain. */
export function inPart(channel: OtpChannel, target: string): string {
  if (channel === 'sms' || channel === 'call') return masked(target)
  const characters = [...target]
  if (channel === 'email') return `${characters[0]}***${target.slice(target.lastIndexOf('@'))}`
  const shown = characters.length < shortest ? 0 : 3
  return '*'.repeat(characters.length - shown) + characters.slice(characters.length - shown).join('')
}
