// Checks the passwords that users enter, and unlocks targets. The durable object `Guard` of a target counts its wrong checks.
import { invalid } from '#core/failure'
import { countLimitHit } from '#core/metrics/requests'
import type { Env } from './bindings.ts'
import { normalizeTarget } from './channels.ts'
import type { CheckReply, LockOf } from './contract.ts'
import type { Verdict } from './guard.ts'
import { type Address, passwordDigest } from './password-crypto.ts'

/** Checks a password of a target. A correct password is used up, unless OTP_REUSABLE is set. */
export async function checkPassword(env: Env, address: Address, password: string): Promise<CheckReply> {
  const digest = await passwordDigest(env, address, password)
  const verdict = await guardOf(env, address).check({ ...address, digest })
  if (verdict === 'locked') countLimitHit({ limit: 'attempts_exceeded' })
  return replies[verdict]
}

/** Unlocks a target: deletes its counted wrong checks. Throws 400 if the target is invalid for the channel. */
export async function unlockTarget(env: Env, { channel, target: text }: LockOf): Promise<void> {
  const target = normalizeTarget(channel, text)
  if (target === undefined)
    throw invalid('target', 'Must be a phone, an email address or the id of a chat, as the channel requires.')
  await guardOf(env, { channel, target }).unlock()
}

const guardOf = (env: Env, { channel, target }: Address) => env.GUARD.getByName(`${channel} ${target}`)

const replies: Record<Verdict, CheckReply> = {
  right: { status: true },
  wrong: {
    status: false,
    status_code: 'wrong_password',
    message: 'The password is wrong or has expired',
  },
  used: {
    status: false,
    status_code: 'already_used',
    message: 'The password was correct and has been used already. This check is not counted',
  },
  locked: {
    status: false,
    status_code: 'attempts_exceeded',
    message: 'The target is locked after too many wrong passwords. Try again later',
  },
}
