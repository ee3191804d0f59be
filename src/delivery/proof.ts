import { Failure } from '#core/failure'
import { isSame } from '#core/http/access'
import type { Asked } from '#core/http/declaration'
import { parseObject } from '#core/http/json'
import { Callback } from './contract.ts'
import { type Env, secretOf } from './env.ts'

/** The header that has it. */
export const proofHeader = 'delivery-proof'

/** Lets the queue's own calls pass. */
export async function isQueue({ env, request, bytes }: Asked<Env>): Promise<true> {
  const which = Callback.safeParse(objectIn(bytes))
  const given = request.headers.get(proofHeader) ?? ''
  if (which.success && (await isSame(given, await proofOf(env, which.data.ledger)))) return true
  throw new Failure('unauthorized', 'Only the queue calls this, with a proof that it was given')
}

/** What nobody knows but who has the secret (RFC 2104). */
export async function proofOf(env: Env, ledger: string): Promise<string> {
  const secret = new TextEncoder().encode(`delivery callback ${secretOf(env)}`)
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(ledger))).toHex()
}

/** The JSON object of a body; nothing where it has none. */
function objectIn(bytes: Uint8Array): unknown {
  try {
    return parseObject(bytes)
  } catch (error) {
    if (Failure.is(error)) return undefined
    throw error
  }
}
