import type * as z from 'zod'
import { isSame } from '#core/access/constant-time'
import { failure } from '#core/failure'
import type { UnvalidatedRequest } from './declaration.ts'
import { objectIn } from './json.ts'

// Signed callbacks: a component creates a queue task that calls the component back, with an HMAC signature in a secret header.

/** How a component signs and checks the callbacks that it gets from the queue. */
interface Callback<Env, Body> {
  /** Name of the header with the signature, the proof. */
  header: string
  /** Schema of the part of the JSON body that is signed. */
  body: z.ZodType<Body>
  proofOf(env: Env, body: Body): Promise<string>
}

/** Documents an endpoint whose proof is `requireQueueProof`. */
export const callbackOnly = { provenBy: 'the signed header of a callback', onlyProven: true } as const

/**
 * Makes the `proof` function of an endpoint that only the queue may call: it passes requests with a valid signature,
 * and throws 401 for others.
 */
export const requireQueueProof =
  <Env, Body>({ header, body, proofOf }: Callback<Env, Body>) =>
  async ({ env, request, bytes }: UnvalidatedRequest<Env>): Promise<true> => {
    const signed = body.safeParse(objectIn(bytes))
    const proof = request.headers.get(header) ?? ''
    if (signed.success && (await isSame(proof, await proofOf(env, signed.data)))) return true
    throw failure('unauthorized', 'Only the queue may call this operation: the callback signature is missing or wrong.')
  }

/**
 * HMAC-SHA256 (RFC 2104) of a text in hex. `purpose` is part of the key, so that a signature for one purpose is not
 * valid for another.
 */
export async function signProof(secret: string, purpose: string, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${purpose} ${secret}`)
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))).toHex()
}
