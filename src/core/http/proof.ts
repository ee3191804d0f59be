import type * as z from 'zod'
import { failure } from '#core/failure'
import { isSame } from './access.ts'
import type { UnvalidatedRequest } from './declaration.ts'
import { objectIn } from './json.ts'

/** Calls that a component has the queue make to itself. */
interface Callback<Env, Body> {
  /** The header that has the proof. */
  header: string
  /** What of the JSON body is proven. */
  body: z.ZodType<Body>
  proofOf(env: Env, body: Body): Promise<string>
}

/** Lets the queue's own calls pass: those with the proof that was given to the queue along with the task; 401 for others. */
export const requireQueueProof =
  <Env, Body>({ header, body, proofOf }: Callback<Env, Body>) =>
  async ({ env, request, bytes }: UnvalidatedRequest<Env>): Promise<true> => {
    const which = body.safeParse(objectIn(bytes))
    const given = request.headers.get(header) ?? ''
    if (which.success && (await isSame(given, await proofOf(env, which.data)))) return true
    throw failure('unauthorized', 'Only the queue calls this, with a proof that it was given')
  }

/** What nobody knows of a text but who has the secret, for one purpose alone: HMAC-SHA256 (RFC 2104), in hex. */
export async function signProof(secret: string, purpose: string, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${purpose} ${secret}`)
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))).toHex()
}
