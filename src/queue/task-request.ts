// Sends one attempt of a task's HTTP request, and turns the response or the failure into an outcome.
import type { CredentialsEnv } from '#core/access/authenticate'
import { Failure } from '#core/failure'
import { parseJson } from '#core/http/json'
import { describe, log } from '#core/http/log'
import { requestIdHeader, withRequestId } from '#core/http/request-id'
import { call, type FetchedResponse, type Outgoing } from '#core/outgoing/call'
import { serviceHeaders } from '#core/outgoing/peer'
import type { TargetEnv } from '#core/outgoing/url'
import { type StoredResponse, storedBodyBytes } from './attempts.ts'
import type { TaskError } from './contract/fields.ts'
import type { Piece } from './fractions.ts'
import { noteAnswer, refusesConnections } from './reachability.ts'
import { unseal } from './seal.ts'
import { type SigningVariables, signed } from './signing.ts'
import type { Payload } from './tables.ts'

/** The HTTP request of one attempt of a task. */
export interface TaskRequest extends Payload {
  /** Id of the task or the fraction, sent as `X-Task-Id`. */
  id: string
  /** Sent as `X-Task-Attempt`. */
  attempt: number
  method: string
  url: string
  /** Milliseconds. */
  timeout: number
  /** The piece of a fraction that this request is for. */
  piece: (Piece & { gap: number }) | null
  /** Sent as `X-Request-Id`: that of the call that created the task, if it had one. */
  request_id: string | null
}

/** The result of a request. */
export interface RequestOutcome {
  /** HTTP status of the response; null if there was none. */
  status: number | null
  error: TaskError | null
  /** Minimum milliseconds until the next attempt, from `Retry-After`. */
  retryAfterMs?: number
  /** A `StoredResponse` as JSON; none if the end of the request is not known. */
  response?: string
}

export interface RequestEnv extends TargetEnv, CredentialsEnv, SigningVariables {
  QUEUE_SECRET?: string
}

/** Bytes of a response that are read before the connection is closed. Only the status and `Retry-After` are used. */
const maxResponseBytes = 65_536

/** Sends a task's request and waits for the end of the response. Never throws. Logs every result other than 2xx. */
export function sendRequest(env: RequestEnv, request: TaskRequest): Promise<RequestOutcome> {
  const { id, attempt, request_id } = { ...request, request_id: request.request_id ?? crypto.randomUUID() }
  return withRequestId(request_id, async () => {
    const outcome = await attemptRequest(env, { ...request, request_id })
    const { status, error } = outcome
    if (error || status! < 200 || status! > 299)
      log('info', { component: 'queue', route: 'perform', task: id, attempt, ...(error ? { error } : { status }) })
    return outcome
  })
}

async function attemptRequest(env: RequestEnv, request: TaskRequest): Promise<RequestOutcome> {
  const startedAt = Date.now()
  try {
    const outgoing = await signed(env, request, await outgoingOf(env, request))
    if (await refusesConnections(env, request))
      return { status: null, error: 'unreachable', response: responseOf(request, startedAt) }
    const { status, headers, body } = await call(env, outgoing, {
      timeout: Math.max(1, request.timeout - (Date.now() - startedAt)),
      most: maxResponseBytes,
      keepBody: true,
      // A redirect to another origin would leak the secret headers or the confidential body: it is not followed.
      redirects: request.sealed ? 'same' : 'all',
    })
    noteAnswer(request.url)
    const retryAfterMs = retryAfterIn(headers)
    const response = responseOf(request, startedAt, { headers, body })
    return { status, error: null, response, ...(retryAfterMs && { retryAfterMs }) }
  } catch (error) {
    if (!Failure.is(error)) log('error', { component: 'queue', route: 'perform', task: request.id, ...describe(error) })
    return { status: null, error: errorOf(error), response: responseOf(request, startedAt) }
  }
}

/** The stored part of a response. For a task with secrets this is only the duration, since a response may repeat them. */
function responseOf(
  { sealed }: TaskRequest,
  startedAt: number,
  response?: Pick<FetchedResponse, 'headers' | 'body'>,
): string {
  const isShown = sealed === null && response !== undefined
  const stored: StoredResponse = [
    Date.now() - startedAt,
    isShown ? shownHeaders(response.headers) : null,
    isShown ? new TextDecoder().decode(response.body.subarray(0, storedBodyBytes), { stream: true }) : null,
  ]
  return JSON.stringify(stored)
}

const maxHeaderLength = 1_000

/** The headers of a response that help to understand it: `location` without credentials and query. */
function shownHeaders(headers: Headers): Record<string, string> {
  const shown = ['content-type', 'retry-after', 'location'].flatMap((name) => {
    const value = headers.get(name)?.slice(0, maxHeaderLength)
    return value === undefined ? [] : [[name, name === 'location' ? withoutSecrets(value) : value]]
  })
  return Object.fromEntries(shown)
}

const withoutSecrets = (url: string) => url.replace(/[?#].*$/s, '').replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/]*@/i, '$1//')

async function outgoingOf(
  env: RequestEnv,
  { id, attempt, sealed, request_id, ...request }: TaskRequest,
): Promise<Outgoing> {
  const secrets = sealed ? await unseal(env.QUEUE_SECRET, sealed).catch(unreadable) : {}
  const json = secrets.json ?? request.json
  const { method, url, piece } = request
  const headers = {
    ...(request_id && { [requestIdHeader]: request_id }),
    ...(request.headers && (JSON.parse(request.headers) as Record<string, string>)),
    ...secrets.headers,
    ...(secrets.service && (await serviceHeaders({ ...env }, secrets.service, url).catch(moved))),
    'x-task-id': id,
    'x-task-attempt': String(attempt),
  }
  if (piece) return { method, url, headers, json: { ...parsed(json ?? '{}'), ...rangeOf(piece) } }
  if (json === null) {
    const body = secrets.body ?? (secrets.bytes === undefined ? request.body : Uint8Array.fromBase64(secrets.bytes))
    return {
      method,
      url,
      headers,
      ...(body !== null && { body: body instanceof ArrayBuffer ? new Uint8Array(body) : body }),
    }
  }
  // With `json`, a GET is sent with its JSON in the query if no socket can be opened. Access logs show the query, so a confidential body
  // is sent as `body`, for which that does not happen.
  const isGet = method === 'GET' || method === 'HEAD'
  if (isGet && secrets.json === undefined) return { method, url, headers, json: parsed(json) }
  return { method, url, headers: { 'content-type': 'application/json', ...headers }, body: json }
}

const parsed = (json: string) => parseJson(json) as Record<string, unknown>

const rangeOf = ({ min, max, gap }: Piece & { gap: number }) => ({ _min: min, _max: max, _gap: gap })

function unreadable(cause: unknown): never {
  throw new Failure({ code: 'unreadable', status: 503 }, 'The secrets cannot be decrypted: QUEUE_SECRET was changed', {
    cause,
  })
}

/** The configuration has another address of the component now, or none. A service token is sent only to this address. */
function moved(cause: unknown): never {
  if (!Failure.is(cause)) throw cause
  throw new Failure({ code: 'moved', status: 503 }, 'The URL is not under the address of the component any more', {
    cause,
  })
}

/** The `error` of a task for an exception. `fetch` reports a refused and a reset connection alike, so an `interrupted` request may have arrived. */
function errorOf(error: unknown): TaskError {
  if (!Failure.is(error)) return 'interrupted'
  const { code } = error
  if (code === 'query_too_long' || code === 'unreadable' || code === 'moved' || code === 'redirected') return code
  if (error.status === 504) return 'timeout'
  return code === 'address_refused' ? 'refused' : 'interrupted'
}

const maxRetryAfterMs = 86_400_000

/** `Retry-After` in milliseconds (RFC 9110, section 10.2.3): seconds or a date. At most a day. */
function retryAfterIn(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return waitMs > 0 ? Math.min(waitMs, maxRetryAfterMs) : undefined
}
