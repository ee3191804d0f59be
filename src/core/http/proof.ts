import type * as z from 'zod'
import { isSame } from '#core/access/constant-time'
import { failure } from '#core/failure'
import type { UnvalidatedRequest } from './declaration.ts'
import { objectIn } from './json.ts'

// Signed callbacks: a component creates a queue task that calls the component back, with an HMAC signature in a secret header.

/** The signature of a callback. */
interface Callback<Env, Body> {
  /** Name of the header with the signature, the proof. */
  header: string
  /** Schema of the signed part of the JSON body. */
  body: z.ZodType<Body>
  proofOf(env: Env, body: Body): Promise<string>
}

/** Makes a `proof` of an endpoint: it passes requests with a valid signature, and throws 401 for others. */
export const requireQueueProof =
  <Env, Body>({ header, body, proofOf }: Callback<Env, Body>) =>
  async ({ env, request, bytes }: UnvalidatedRequest<Env>): Promise<true> => {
    const signed = body.safeParse(objectIn(bytes))
    const proof = request.headers.get(header) ?? ''
    if (signed.success && (await isSame(proof, await proofOf(env, signed.data)))) return true
    throw failure('unauthorized', 'Only the queue may call this operation: the callback signature is missing or wrong.')
  }

/** HMAC-SHA256 (RFC 2104) of a text in hex. The purpose separates signatures of one secret from each other. */
export async function signProof(secret: string, purpose: string, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${purpose} ${secret}`)
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))).toHex()
}
