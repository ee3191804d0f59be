import { Failure } from '#core/failure'
import { isDeeper, parseJson } from '#core/http/json'
import { type Answer, call } from '#core/outgoing/call'
import { messageHeaders } from '#core/outgoing/standard-webhooks'
import type { Outcome } from './contract.ts'
import type { DocumentRow } from './documents.ts'
import { type Env, signingKeyOf } from './env.ts'
import { handlerTime, webhookTime } from './times.ts'

/** So that a row with its data, of a megabyte at most, stays within the two that D1 allows. */
const mostBytes = 900_000

type Sent = Pick<DocumentRow, 'id' | 'event' | 'uuid' | 'data'>

/** What names a message to who gets it: the same for each repeat, and for no other message anywhere. */
export interface Named {
  instance: string
  collection: { id: number; name: string; handler: string | null }
}

const idOf = (what: 'doc' | 'res', { instance, collection }: Named, { id }: Pick<Sent, 'id'>) =>
  `${what}_${instance}_${collection.id}_${id}`

/** Posts a document to the handler of its collection. No answer is an outcome too: 502 or 504. */
export async function callHandler(env: Env, named: Named, document: Sent): Promise<Outcome> {
  const { name, handler } = named.collection
  const { id, event, uuid, data } = document
  if (handler === null) return { status_code: 502, body: 'null' }
  const body = JSON.stringify({ event, data: parseJson(data), uuid, collection: name, document: { id } })
  return post(env, handler, idOf('doc', named, document), body, handlerTime)
}

/** Posts what a handler has answered to a document's webhook, and gives the status of its answer. */
export async function callWebhook(
  env: Env,
  named: Named,
  { id, webhook }: Pick<DocumentRow, 'id' | 'webhook'>,
  { status_code, body }: Outcome,
): Promise<number> {
  const response = { status_code, body: parseJson(body) }
  const result = JSON.stringify({ status: true, content: { document: { id }, response } })
  return (await post(env, webhook!, idOf('res', named, { id }), result, webhookTime)).status_code
}

async function post(env: Env, url: string, id: string, body: string, timeout: number): Promise<Outcome> {
  const signed = await messageHeaders(id, body, signingKeyOf(env), Date.now())
  const headers = { 'content-type': 'application/json', ...signed }
  try {
    // A redirect that would lose the body or the signature is not followed: it is the answer.
    const limits = { timeout, most: mostBytes, redirects: 'same' } as const
    return asOutcome(await call(env, { method: 'POST', url, headers, body }, limits))
  } catch (error) {
    if (!Failure.is(error)) throw error
    return { status_code: error.refusal === 'upstream_timeout' ? 504 : 502, body: 'null' }
  }
}

const json = /^application\/(json|[\w.+-]+\+json)\b/i

function asOutcome({ status, headers, body, isTruncated }: Answer): Outcome {
  const text = new TextDecoder().decode(body)
  const isJson = json.test(headers.get('content-type') ?? '')
  const kept = isTruncated ? 'null' : (isJson && sameJson(text)) || JSON.stringify(text)
  const isLarge = kept.length * 3 > mostBytes && new TextEncoder().encode(kept).length > mostBytes
  return { status_code: status, body: isLarge ? 'null' : kept }
}

const deepest = 100

/** The text written anew; nothing where it is no JSON after all, or nested too deep to be written again. */
function sameJson(text: string): string | undefined {
  try {
    const value = parseJson(text)
    return isDeeper(value, deepest) ? undefined : JSON.stringify(value)
  } catch {
    return undefined
  }
}
