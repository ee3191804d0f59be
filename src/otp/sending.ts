import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import type { MarkPointOfNoReturn } from '#core/http/idempotency'
import type { Env } from './bindings.ts'
import { readLimits } from './limits.ts'
import { removePassword, storePassword } from './passwords.ts'
import { release, reserve } from './reserving.ts'
import { schema } from './schema.ts'
import { type Address, secretsOf } from './secrecy.ts'
import { enqueue, type SealedTask } from './tasks.ts'

/** What a caller says of a password, besides where it goes. */
interface NewPassword {
  ip?: string | undefined
  password: string
  /** Seconds. */
  lifetime: number
}

/** Counts the send, stores the password and gives the parcel to the queue; where that fails for certain, nothing was. */
export async function sendPassword(
  env: Env,
  address: Address,
  { ip, password, lifetime }: NewPassword,
  parcelOf: (expires_at: Date) => SealedTask | Promise<SealedTask>,
  markPointOfNoReturn: MarkPointOfNoReturn,
): Promise<void> {
  const { channel, target } = address
  const otp = open(env, schema)
  const created_at = new Date()
  const expires_at = new Date(created_at.getTime() + lifetime * 1_000)
  const parcel = await parcelOf(expires_at)
  const issued = { ...address, ...(await secretsOf(env, address, password)), created_at, expires_at }
  const places = await reserve(env, channel, await readLimits(env, channel), { ip, target })
  try {
    await markPointOfNoReturn()
    const id = await storePassword(otp, issued)
    await enqueue(env, `otp-${crypto.randomUUID()}`, parcel, lifetime).catch(async (error: unknown) => {
      if (isCertain(error)) await removePassword(otp, id)
      throw error
    })
  } catch (error) {
    if (isCertain(error)) await release(env, places)
    throw error
  }
}

/** Whether the message is certainly not on its way. */
const isCertain = (error: unknown) =>
  !Failure.is(error) || error.undone === true || (error.status !== 502 && error.status !== 504)
