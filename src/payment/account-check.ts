import { Failure } from '#core/failure'
import { requestIdHeaders } from '#core/http/request-id'
import { call } from '#core/outgoing/call'
import type { Env } from './bindings.ts'
import { type Code, codes } from './contract.ts'
import { checkUrlOf } from './env.ts'

/** Asks the merchant whether an account exists: only status 200 accepts it. No response refuses the payment. */
export async function checkAccount(env: Env, account: string): Promise<Code> {
  const checkUrl = checkUrlOf(env)
  if (!checkUrl) return codes.accepted
  const url = new URL(checkUrl)
  url.searchParams.set('account', account)
  try {
    const { status } = await call(
      env,
      { method: 'GET', url: url.href, headers: requestIdHeaders() },
      { most: 1_000, redirects: 'same' },
    )
    return status === 200 ? codes.accepted : codes.account
  } catch (error) {
    if (!Failure.is(error)) throw error
    return codes.refused
  }
}
