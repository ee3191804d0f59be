import { open } from '#core/db/open'
import type { Env } from './bindings.ts'
import { type OtpChannel, readingsOf } from './channels.ts'
import { failure } from './errors.ts'
import { findSealed, findTarget } from './passwords.ts'
import { schema } from './schema.ts'
import { channelDigestOf, unseal } from './secrecy.ts'

/** How many passwords that nobody was sent may be asked about on a channel: for one IP address, and by all calls without one. */
const missesPerIp = [{ minutes: 1, rate: 20 }]
const missesWithoutIp = [{ minutes: 1, rate: 200 }]

/** The target that a password was sent to last; 404 where there is none, 429 after too many of those. */
export async function targetOfPassword(
  env: Env,
  { channel, password, ip }: { channel: OtpChannel; password: string; ip?: string | undefined },
): Promise<string> {
  const digest = await channelDigestOf(env, channel, password)
  const limiter = env.LIMITER.getByName(ip === undefined ? `misses ${channel}` : `misses ${channel} ip ${ip}`)
  const place = await limiter.reserveInTurn(ip === undefined ? missesWithoutIp : missesPerIp)
  if ('retryAfter' in place) throw failure('target_limit', undefined, { retryAfter: place.retryAfter })
  let isMiss = false
  try {
    const target = await findTarget(open(env, schema), digest, new Date())
    isMiss = target === undefined
    if (target !== undefined) return target
  } finally {
    await (isMiss ? limiter.keep(place.id) : limiter.release(place.id))
  }
  throw failure('target_not_found')
}

/** The newest valid password of a target, on any channel; 404 where there is none. */
export async function passwordOfTarget(env: Env, text: string): Promise<string> {
  const found = await findSealed(open(env, schema), readingsOf(text), new Date())
  const password = found && (await unseal(env, found, found.sealed))
  if (password === undefined) throw failure('password_not_found')
  return password
}
