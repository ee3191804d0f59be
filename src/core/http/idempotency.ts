import { waitUntil } from 'cloudflare:workers'
import { Failure, failure, invalid } from '#core/failure'
import type { IdempotencyRecord, KeptReply } from '#core/objects/idempotency-record'
import { type Explanation, refuse } from './reply.ts'

/** Where endpoints are idempotent: the class `IdempotencyRecord`, bound. */
export interface IdempotencyEnv {
  FIRST_REPLY?: DurableObjectNamespace<IdempotencyRecord>
}

interface Asked {
  env: IdempotencyEnv
  request: Request
  url: URL
  bytes: Uint8Array
}

const longest = 255

/** What an answer calls before it takes effect. */
export type MarkPointOfNoReturn = () => Promise<void>

/** For a request without a key. */
export const noPointOfNoReturn: MarkPointOfNoReturn = async () => undefined

/**
 * The reply of the first request with this `Idempotency-Key`, which is kept for `retentionMs`; without a key, simply the reply.
 * (IETF draft-ietf-httpapi-idempotency-key-header.) A refusal after which nothing can have been done is not kept. What
 * `commits` says itself from when on it may have taken effect; anything else may have from its beginning.
 */
export async function once(
  asked: Asked,
  { commits, retentionMs, explanation }: { commits: boolean; retentionMs: number; explanation: Explanation },
  answer: (markPointOfNoReturn: MarkPointOfNoReturn) => Promise<Response>,
) {
  const { env, request } = asked
  const key = request.headers.get('idempotency-key')
  if (key === null) return answer(noPointOfNoReturn)
  if (key === '' || key.length > longest) {
    throw invalid('Idempotency-Key', `must be 1 to ${longest} characters long`)
  }
  if (!env.FIRST_REPLY) throw new Error('FIRST_REPLY is not bound')
  const first = env.FIRST_REPLY.getByName(key)
  const before = await first.begin(await digestOf(asked), !commits, retentionMs)
  if (before.state === 'kept') return new Response(before.reply.body, before.reply)
  if (before.state === 'lost') throw failure('outcome_unknown')
  if (before.state === 'other') throw failure('idempotency_key_reused')
  if (before.state === 'running') throw inUse()
  const settled = settle({ first, attempt: before.attempt, commits, explanation }, answer)
  // A caller who gives up meanwhile will repeat for this reply.
  waitUntil(Promise.allSettled([settled, first.hold(before.attempt)]))
  return settled
}

const inUse = () => failure('idempotency_key_in_use', undefined, { retryAfter: 1 })

interface Attempt {
  first: DurableObjectStub<IdempotencyRecord>
  attempt: string
  commits: boolean
  explanation: Explanation
}

async function settle(
  { first, attempt, commits, explanation }: Attempt,
  answer: (markPointOfNoReturn: MarkPointOfNoReturn) => Promise<Response>,
): Promise<Response> {
  let isCommitted = !commits
  const markPointOfNoReturn = async () => {
    if (isCommitted) return
    if (!(await first.commit(attempt))) throw inUse()
    isCommitted = true
  }
  try {
    const response = await answer(markPointOfNoReturn)
    await first.keep(attempt, await kept(response.clone()))
    return response
  } catch (error) {
    if (!isCommitted || isUndone(error)) await first.release(attempt)
    else await first.keep(attempt, await kept(refuse(Failure.is(error) ? error : unknown(), explanation)))
    throw error
  }
}

const isUndone = (error: unknown) =>
  Failure.is(error) && (error.undone === true || !(error.status === 502 || error.status === 504))

const unknown = () => failure('outcome_unknown', 'The first request failed. Whether it took effect is not known.')

const kept = async (response: Response): Promise<KeptReply> => ({
  status: response.status,
  headers: { 'content-type': response.headers.get('content-type') ?? '' },
  body: await response.text(),
})

/**
 * SHA-256 of the key and the request, in base64. The key makes it impossible to guess a short secret in the body, such as a one-time
 * password, from a stored digest. The body of a raw request is empty here: the boundary of a form differs in each repeat.
 */
async function digestOf({ request, url, bytes }: Asked): Promise<string> {
  const stream = new crypto.DigestStream('SHA-256')
  const writer = stream.getWriter()
  const key = request.headers.get('idempotency-key') ?? ''
  await writer.write(new TextEncoder().encode(`${key}\n${request.method} ${url.pathname}${url.search}\n`))
  await writer.write(bytes)
  await writer.close()
  return btoa(String.fromCharCode(...new Uint8Array(await stream.digest)))
}

/** A name for what is asked under an `Idempotency-Key`: the same for each repeat, and for nothing else; none without a key. */
export async function nameOf(asked: Asked): Promise<string | undefined> {
  const key = asked.request.headers.get('idempotency-key')
  return key === null ? undefined : `${await digestOf(asked)} ${key}`
}
