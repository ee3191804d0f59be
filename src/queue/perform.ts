import { Failure } from '#core/failure'
import { parseJson } from '#core/http/json'
import { describe, log } from '#core/http/log'
import { requestIdHeader, withRequestId } from '#core/http/request-id'
import { call, type Outgoing } from '#core/outgoing/call'
import type { TargetEnv } from '#core/outgoing/url'
import type { TaskError } from './contract.ts'
import type { Piece } from './pieces.ts'
import { noteAnswer, refusesConnections } from './reachability.ts'
import { unseal } from './seal.ts'
import type { Payload } from './tables.ts'

/** All that is needed to make a task's request. */
export interface TaskRequest extends Payload {
  id: string
  attempt: number
  method: string
  url: string
  /** Milliseconds. */
  timeout: number
  /** Of a fraction: what of its range this request is for. */
  piece: (Piece & { gap: number }) | null
  /** Of the request that it was put in line by, where there is one. */
  request_id: string | null
}

/** What became of a request. */
export interface RequestOutcome {
  /** Of the answer, where there was one. */
  status: number | null
  error: TaskError | null
  /** Milliseconds that the answer asks to wait for, at the least. */
  retryAfter?: number
}

export interface PerformEnv extends TargetEnv {
  LOCAL?: string
  QUEUE_SECRET?: string
}

/** The most that is read of an answer, whose text nobody wants; past it the connection is closed. */
const most = 65_536

/** Makes the request, and waits for the end of its answer. It never throws. What was not answered with 2xx is in the log. */
export function perform(env: PerformEnv, errand: TaskRequest): Promise<RequestOutcome> {
  const { id, attempt, request_id } = { ...errand, request_id: errand.request_id ?? crypto.randomUUID() }
  return withRequestId(request_id, async () => {
    const outcome = await ask(env, { ...errand, request_id })
    const { status, error } = outcome
    if (error || status! < 200 || status! > 299)
      log('info', { component: 'queue', route: 'perform', task: id, attempt, ...(error ? { error } : { status }) })
    return outcome
  })
}

async function ask(env: PerformEnv, errand: TaskRequest): Promise<RequestOutcome> {
  const began = Date.now()
  try {
    const request = await outgoing(env, errand)
    if (await refusesConnections(env, errand)) return { status: null, error: 'unreachable' }
    const { status, headers } = await call(env, request, {
      timeout: Math.max(1, errand.timeout - (Date.now() - began)),
      most,
      keepBody: true,
      // What is secret goes nowhere but where it was sent.
      redirects: errand.sealed ? 'same' : 'all',
    })
    noteAnswer(errand.url)
    const retryAfter = retryAfterIn(headers)
    return { status, error: null, ...(retryAfter && { retryAfter }) }
  } catch (error) {
    if (!Failure.is(error)) log('error', { component: 'queue', route: 'perform', task: errand.id, ...describe(error) })
    return { status: null, error: errorOf(error) }
  }
}

async function outgoing(
  env: PerformEnv,
  { id, attempt, sealed, request_id, ...errand }: TaskRequest,
): Promise<Outgoing> {
  const secrets = sealed ? await unseal(env.QUEUE_SECRET, sealed).catch(unreadable) : {}
  const json = secrets.json ?? errand.json
  const { method, url, piece } = errand
  const headers = {
    ...(request_id && { [requestIdHeader]: request_id }),
    ...(errand.headers && (JSON.parse(errand.headers) as Record<string, string>)),
    ...secrets.headers,
    'x-task-id': id,
    'x-task-attempt': String(attempt),
  }
  if (piece) return { method, url, headers, json: { ...parsed(json ?? '{}'), ...named(piece) } }
  if (json === null) {
    const body = secrets.body ?? errand.body
    return { method, url, headers, ...(body !== null && { body }) }
  }
  // Not a confidential one: where no socket can be opened, it would travel in the query, which access logs show.
  const isGet = method === 'GET' || method === 'HEAD'
  if (isGet && secrets.json === undefined) return { method, url, headers, json: parsed(json) }
  return { method, url, headers: { 'content-type': 'application/json', ...headers }, body: json }
}

const parsed = (json: string) => parseJson(json) as Record<string, unknown>

const named = ({ min, max, gap }: Piece & { gap: number }) => ({ _min: min, _max: max, _gap: gap })

function unreadable(cause: unknown): never {
  throw new Failure({ code: 'unreadable', status: 503 }, 'QUEUE_SECRET was changed', { cause })
}

/** A request that broke off may have arrived: a connection that was never opened and one that was reset look the same. */
function errorOf(error: unknown): TaskError {
  if (!Failure.is(error)) return 'interrupted'
  const { code } = error
  if (code === 'query_too_long' || code === 'unreadable' || code === 'redirected') return code
  if (error.status === 504) return 'timeout'
  return code === 'address_refused' ? 'refused' : 'interrupted'
}

const longestWait = 86_400_000

/** `Retry-After` in milliseconds (RFC 9110, section 10.2.3): seconds or a date; a day at most. */
function retryAfterIn(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return wait > 0 ? Math.min(wait, longestWait) : undefined
}
