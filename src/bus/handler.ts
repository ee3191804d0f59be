import { Failure } from '#core/failure'
import { isDeeper, parseJson } from '#core/http/json'
import { idHeaders } from '#core/http/request-id'
import { classOf, counter } from '#core/metrics/families'
import { type Answer, call } from '#core/outgoing/call'
import { messageHeaders } from '#core/outgoing/standard-webhooks'
import type { Outcome } from './contract.ts'
import type { DocumentRow } from './documents.ts'
import { type Env, signingKeyOf } from './env.ts'
import { handlerTime, webhookTime } from './times.ts'

/** So that a row with its data, of a megabyte at most, stays within the two that D1 allows. */
const mostBytes = 900_000

const countCall = counter(
  'quartermaster_bus_calls_total',
  'Calls of handlers and webhooks, by the class of the status that was answered, timeout or unreachable.',
)

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
  return post(env, 'handler', handler, idOf('doc', named, document), body)
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
  return (await post(env, 'webhook', webhook!, idOf('res', named, { id }), result)).status_code
}

const times = { handler: handlerTime, webhook: webhookTime }

async function post(env: Env, to: keyof typeof times, url: string, id: string, body: string): Promise<Outcome> {
  const signed = await messageHeaders(id, body, signingKeyOf(env), Date.now())
  const headers = { 'content-type': 'application/json', ...idHeaders(), ...signed }
  try {
    // A redirect that would lose the body or the signature is not followed: it is the answer.
    const limits = { timeout: times[to], most: mostBytes, redirects: 'same' } as const
    const answer = await call(env, { method: 'POST', url, headers, body }, limits)
    countCall({ to, outcome: classOf(answer.status) })
    return asOutcome(answer)
  } catch (error) {
    if (!Failure.is(error)) throw error
    const isLate = error.refusal === 'upstream_timeout'
    countCall({ to, outcome: isLate ? 'timeout' : 'unreachable' })
    return { status_code: isLate ? 504 : 502, body: 'null' }
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
