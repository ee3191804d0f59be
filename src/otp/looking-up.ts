import { open } from '#core/db/open'
import { Failure, missing } from '#core/failure'
import { type Channel, readingsOf } from './channels.ts'
import type { Env } from './env.ts'
import { findSealed, findTarget } from './passwords.ts'
import { schema } from './schema.ts'
import { channelDigestOf, unseal } from './secrecy.ts'

/** How many passwords that nobody was sent may be asked about, on each channel. */
const misses = [{ minutes: 1, rate: 20 }]

/** The target that a password was sent to last; 404 where there is none, 429 after too many of those. */
export async function targetOfPassword(env: Env, channel: Channel, password: string): Promise<string> {
  const digest = await channelDigestOf(env, channel, password)
  const limiter = env.LIMITER.getByName(`misses ${channel}`)
  const place = await limiter.reserveInTurn(misses)
  if ('retryAfter' in place) {
    const message = 'Too many passwords were asked for that nobody was sent; try again later'
    throw new Failure('limited', message, { code: 'target_limit', retryAfter: place.retryAfter })
  }
  let isMiss = false
  try {
    const target = await findTarget(open(env, schema), digest, new Date())
    isMiss = target === undefined
    if (target !== undefined) return target
  } finally {
    await (isMiss ? limiter.keep(place.id) : limiter.release(place.id))
  }
  throw missing('target')
}

/** The newest valid password of a target, on any channel; 404 where there is none. */
export async function passwordOfTarget(env: Env, text: string): Promise<string> {
  const found = await findSealed(open(env, schema), readingsOf(text), new Date())
  const password = found && (await unseal(env, found, found.sealed))
  if (password === undefined) throw missing('password')
  return password
}
