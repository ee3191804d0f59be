// The account check: asks the merchant at PAYMENT_CHECK_URL whether the account of a payment exists.
import { Failure } from '#core/failure'
import { requestIdHeaders } from '#core/http/request-id'
import { call } from '#core/outgoing/call'
import type { Env } from './bindings.ts'
import { type Code, codes } from './contract.ts'
import { checkUrlOf } from './env.ts'

/** The reply code for an account: 0 if the merchant responds with 200 or no URL is set, 11 for another status, 13 without a response. */
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
