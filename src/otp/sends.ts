// Sends a password on any channel: reserves a slot under the limits, stores the password and creates a task of the queue. Also
// lists recent sends.
import { desc, lt } from 'drizzle-orm'
import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import type { MarkPointOfNoReturn } from '#core/http/idempotency'
import { masked } from '#core/messages/phone'
import type { Env } from './bindings.ts'
import type { OtpChannel } from './channels.ts'
import type { SendsOf } from './contract.ts'
import { readLimits, releaseSlots, reserveSlots } from './limits.ts'
import { type Address, hashAndEncrypt } from './password-crypto.ts'
import { deletePassword, storePassword } from './passwords.ts'
import type { Otp } from './schema.ts'
import { schema } from './schema.ts'
import { type ConfidentialTask, enqueue } from './tasks.ts'

/** Parameters of a send that are the same on all channels. */
interface NewPassword {
  ip?: string | undefined
  password: string
  /** Lifetime of the password, in seconds. */
  lifetime: number
}

interface SendSteps {
  /** Creates the task that sends the password on its channel. */
  createTask: (expires_at: Date) => ConfidentialTask | Promise<ConfidentialTask>
  markPointOfNoReturn: MarkPointOfNoReturn
}

/**
 * Sends a password. If the message was certainly not sent, releases its slot and deletes the password, so that the send neither
 * counts nor can be checked.
 */
export async function sendPassword(
  env: Env,
  address: Address,
  { ip, password, lifetime }: NewPassword,
  { createTask, markPointOfNoReturn }: SendSteps,
): Promise<void> {
  const { channel, target } = address
  const otp = open(env, schema)
  const created_at = new Date()
  const expires_at = new Date(created_at.getTime() + lifetime * 1_000)
  const task = await createTask(expires_at)
  const issued = { ...address, ...(await hashAndEncrypt(env, address, password)), created_at, expires_at }
  const slots = await reserveSlots(env, channel, await readLimits(env, channel), { ip, target })
  try {
    await markPointOfNoReturn()
    const id = await storePassword(otp, issued)
    await enqueue(env, `otp-${crypto.randomUUID()}`, task, lifetime).catch(async (error: unknown) => {
      if (isNotSent(error)) await deletePassword(otp, id)
      throw error
    })
  } catch (error) {
    if (isNotSent(error)) await releaseSlots(env, slots)
    throw error
  }
}

/** Whether the queue has certainly not accepted the task, so that the send can be undone. */
const isNotSent = (error: unknown) =>
  !Failure.is(error) || error.undone === true || (error.status !== 502 && error.status !== 504)

/** Lists the sends before the cursor `id`, newest first. Targets are masked. */
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
    target: maskTarget(channel as OtpChannel, target),
    state: row.used_at !== null ? ('used' as const) : row.expires_at <= now ? ('expired' as const) : ('valid' as const),
  }))
}

/** Ids of chats with fewer characters are masked completely, since a part would reveal too much of them. */
const minPartialCharacters = 7

/**
 * Masks a target. The last three digits of a phone or of a chat's id remain, or the first letter and the domain of an email
 * address.
 */
export function maskTarget(channel: OtpChannel, target: string): string {
  if (channel === 'sms' || channel === 'call') return masked(target)
  const characters = [...target]
  if (channel === 'email') return `${characters[0]}***${target.slice(target.lastIndexOf('@'))}`
  const visible = characters.length < minPartialCharacters ? 0 : 3
  return '*'.repeat(characters.length - visible) + characters.slice(characters.length - visible).join('')
}
