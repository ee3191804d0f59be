import { countLimitHit } from '#core/metrics/requests'
import type { CheckReply } from './contract.ts'
import type { Env } from './env.ts'
import type { Verdict } from './guard.ts'
import { type Address, digestOf } from './secrecy.ts'

/** Whether a password is valid for its target, which it is no more after that. */
export async function checkPassword(env: Env, address: Address, password: string): Promise<CheckReply> {
  const digest = await digestOf(env, address, password)
  const guard = env.GUARD.getByName(`${address.channel} ${address.target}`)
  const verdict = await guard.check({ target: address.target, digest })
  if (verdict === 'locked') countLimitHit({ limit: 'attempts_exceeded' })
  return replies[verdict]
}

const replies: Record<Verdict, CheckReply> = {
  right: { status: true },
  wrong: {
    status: false,
    status_code: 'wrong_password',
    message: 'The password is wrong, was used before, or has expired',
  },
  locked: {
    status: false,
    status_code: 'attempts_exceeded',
    message: 'There were too many wrong passwords; try again later',
  },
}
