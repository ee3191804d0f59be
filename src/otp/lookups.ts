// Finds the target of a password, and the password of a target. Limits lookups of unknown passwords, so that nobody can guess
// one.
import { open } from '#core/db/open'
import type { Env } from './bindings.ts'
import { type OtpChannel, possibleTargets } from './channels.ts'
import { failure } from './errors.ts'
import { channelDigest, decryptFor } from './password-crypto.ts'
import { findEncrypted, findTarget } from './passwords.ts'
import { schema } from './schema.ts'

/** Limits of lookups of unknown passwords on a channel: per IP address, and for all requests without `ip` together. */
const missesPerIp = [{ minutes: 1, rate: 20 }]
const missesWithoutIp = [{ minutes: 1, rate: 200 }]

/**
 * Returns the target to which a password was sent last. Throws 404 if there is none, and 429 after too many unknown passwords,
 * so that passwords cannot be guessed.
 */
export async function targetOfPassword(
  env: Env,
  { channel, password, ip }: { channel: OtpChannel; password: string; ip?: string | undefined },
): Promise<string> {
  const digest = await channelDigest(env, channel, password)
  const limiter = env.LIMITER.getByName(ip === undefined ? `misses ${channel}` : `misses ${channel} ip ${ip}`)
  const slot = await limiter.reserveInTurn(ip === undefined ? missesWithoutIp : missesPerIp)
  if ('retryAfter' in slot) throw failure('target_limit', undefined, { retryAfter: slot.retryAfter })
  let isMiss = false
  try {
    const target = await findTarget(open(env, schema), digest, new Date())
    isMiss = target === undefined
    if (target !== undefined) return target
  } finally {
    await (isMiss ? limiter.keep(slot.id) : limiter.release(slot.id))
  }
  throw failure('target_not_found')
}

/** Returns the newest valid password of a target, on any channel. Throws 404 if there is none. */
export async function passwordOfTarget(env: Env, text: string): Promise<string> {
  const found = await findEncrypted(open(env, schema), possibleTargets(text), new Date())
  const password = found && (await decryptFor(env, found, found.sealed))
  if (password === undefined) throw failure('password_not_found')
  return password
}
