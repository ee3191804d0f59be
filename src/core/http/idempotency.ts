// Handles the `Idempotency-Key` header: a retried request gets the stored reply instead of running again. `IdempotencyRecord`
// stores it.
import { waitUntil } from 'cloudflare:workers'
import type { Credential } from '#core/access/credential'
import { Failure, failure, invalid } from '#core/failure'
import type { IdempotencyRecord, KeptReply } from '#core/objects/idempotency-record'
import { type Explanation, refuse } from './reply.ts'

/** The binding of components with idempotent endpoints: the namespace of `IdempotencyRecord`, one object per key. */
export interface IdempotencyEnv {
  FIRST_REPLY?: DurableObjectNamespace<IdempotencyRecord>
}

interface KeyedRequest {
  env: IdempotencyEnv
  request: Request
  url: URL
  bytes: Uint8Array
  /** The caller. Unset if the endpoint is open, or a `proof` admitted the request. */
  credential?: Credential | undefined
}

const maxKeyLength = 255

/**
 * A handler calls this function right before its first effect. If the component crashes before the call, a retry with
 * the same key runs again; after it, a retry gets 504 `outcome_unknown`.
 */
export type MarkPointOfNoReturn = () => Promise<void>

/** Does nothing. Handlers get this function for requests without an idempotency key, whose retries always run again. */
export const noPointOfNoReturn: MarkPointOfNoReturn = async () => undefined

/**
 * Runs a request with an `Idempotency-Key` once: retries get the stored reply for `retentionMs` (IETF
 * draft-ietf-httpapi-idempotency-key-header). Errors of requests without an effect are not stored, so that a retry runs
 * again. With `marksPointOfNoReturn`, the handler says when its effects begin; without it, every failure may have had
 * an effect.
 */
export async function withIdempotency(
  keyed: KeyedRequest,
  options: { marksPointOfNoReturn: boolean; retentionMs: number; explanation: Explanation },
  answer: (markPointOfNoReturn: MarkPointOfNoReturn) => Promise<Response>,
) {
  const { env, request } = keyed
  const { marksPointOfNoReturn, retentionMs, explanation } = options
  const key = request.headers.get('idempotency-key')
  if (key === null) return answer(noPointOfNoReturn)
  if (key === '' || key.length > maxKeyLength) {
    throw invalid('Idempotency-Key', `must be 1 to ${maxKeyLength} characters long`)
  }
  if (!env.FIRST_REPLY) throw new Error('FIRST_REPLY is not bound')
  const record = env.FIRST_REPLY.getByName(`${await namespaceOf(keyed.credential)}${key}`)
  const before = await record.begin(await digestOf(keyed), !marksPointOfNoReturn, retentionMs)
  if (before.state === 'kept') return new Response(before.reply.body, before.reply)
  if (before.state === 'lost') throw failure('outcome_unknown')
  if (before.state === 'other') throw failure('idempotency_key_reused')
  if (before.state === 'running') throw inUse()
  const settled = runAttempt({ record, attempt: before.attempt, marksPointOfNoReturn, explanation }, answer)
  // Finishes the request even if the caller disconnects now, since the caller will retry to get its reply.
  waitUntil(Promise.allSettled([settled, record.hold(before.attempt)]))
  return settled
}

const inUse = () => failure('idempotency_key_in_use', undefined, { retryAfter: 1 })

interface Attempt {
  record: DurableObjectStub<IdempotencyRecord>
  attempt: string
  marksPointOfNoReturn: boolean
  explanation: Explanation
}

async function runAttempt(
  { record, attempt, marksPointOfNoReturn, explanation }: Attempt,
  answer: (markPointOfNoReturn: MarkPointOfNoReturn) => Promise<Response>,
): Promise<Response> {
  let mayHaveEffect = !marksPointOfNoReturn
  const markPointOfNoReturn = async () => {
    if (mayHaveEffect) return
    if (!(await record.commit(attempt))) throw inUse()
    mayHaveEffect = true
  }
  try {
    const response = await answer(markPointOfNoReturn)
    await record.keep(attempt, await storable(response.clone()))
    return response
  } catch (error) {
    if (!mayHaveEffect || isUndone(error)) await record.release(attempt)
    else await record.keep(attempt, await storable(refuse(Failure.is(error) ? error : outcomeUnknown(), explanation)))
    throw error
  }
}

const isUndone = (error: unknown) =>
  Failure.is(error) && (error.undone === true || !(error.status === 502 || error.status === 504))

const outcomeUnknown = () =>
  failure('outcome_unknown', 'The first request with this Idempotency-Key failed. It may have taken effect.')

const storable = async (response: Response): Promise<KeptReply> => ({
  status: response.status,
  headers: { 'content-type': response.headers.get('content-type') ?? '' },
  body: await response.text(),
})

/**
 * Separates the idempotency keys of callers: a caller must not get the stored reply of another one. Bounds belong to it, since
 * they fill in parameters that the request does not have, and for tokens also the scopes, since the tokens of a key may be those of
 * several users. The id of the token does not, so that a retry with a renewed token gets the reply. A header has no line break, so
 * that no caller can imitate another.
 */
async function namespaceOf(credential: Credential | undefined): Promise<string> {
  if (credential?.kind !== 'key' && credential?.kind !== 'token') return ''
  const { kind, id, scopes } = credential
  const bounds = JSON.stringify(Object.entries(credential.bounds).sort())
  if (kind === 'key') return `${id}\n${bounds}\n`
  // Hashed, since a token may have many scopes.
  const rights = new TextEncoder().encode(JSON.stringify([[...new Set(scopes)].sort(), bounds]))
  return `${id}\n${new Uint8Array(await crypto.subtle.digest('SHA-256', rights)).toHex()}\n`
}

/**
 * Digest of a request, to detect a key that is reused for a different request: SHA-256 of key, method, path, query and
 * body. The key is part of it, so that a stored digest does not reveal a short secret in the body, such as a one-time
 * password. The body of a raw request is left out: the boundary of a form differs in each retry.
 */
async function digestOf({ request, url, bytes, credential }: KeyedRequest): Promise<string> {
  const stream = new crypto.DigestStream('SHA-256')
  const writer = stream.getWriter()
  const key = `${await namespaceOf(credential)}${request.headers.get('idempotency-key') ?? ''}`
  await writer.write(new TextEncoder().encode(`${key}\n${request.method} ${url.pathname}${url.search}\n`))
  await writer.write(bytes)
  await writer.close()
  return btoa(String.fromCharCode(...new Uint8Array(await stream.digest)))
}

/**
 * A unique name of a request with an `Idempotency-Key`, the same for each retry. The queue stores it with a task, to
 * recognize a retry. `undefined` without a key.
 */
export async function nameOf(keyed: KeyedRequest): Promise<string | undefined> {
  const key = keyed.request.headers.get('idempotency-key')
  return key === null ? undefined : `${await digestOf(keyed)} ${key}`
}
