// Makes the record of a new task from the parameters of a call: checks them, and encrypts the secrets.
import type { Credential } from '#core/access/credential'
import { failure, invalid } from '#core/failure'
import { currentRequestId, requestIdHeader, validRequestId } from '#core/http/request-id'
import { isUnder } from '#core/outgoing/peer'
import { objectionTo } from '#core/outgoing/url'
import type { NewFraction, NewTask } from './contract.ts'
import type { QueueVariables } from './env.ts'
import { storedLabels } from './labels.ts'
import { defaultPriority } from './ready-rings.ts'
import { type Secrets, seal } from './seal.ts'
import type { Payload, TaskRow } from './tables.ts'

/**
 * The columns of a new task or fraction that follow from the call. Secret headers, and the content of a confidential task, are
 * encrypted in `sealed`. Times are milliseconds since 1970, durations milliseconds.
 */
export type TaskRecord = Payload &
  Pick<
    TaskRow,
    | 'due_at'
    | 'expires_at'
    | 'method'
    | 'url'
    | 'is_sealed'
    | 'timeout'
    | 'sleep'
    | 'retries'
    | 'retry_delay'
    | 'request_id'
    | 'key'
    | 'priority'
    | 'labels'
    | 'on_success'
    | 'on_failure'
  >

type TaskParams = Omit<NewTask, 'schedule' | 'cron' | 'timezone'> | NewFraction

/** Makes the record of a task or fraction from a call's parameters. 400 if they exclude each other or the URL is not allowed. */
export async function taskRecordOf(env: QueueVariables, params: TaskParams): Promise<TaskRecord> {
  const { delay, datetime } = params
  if (delay !== undefined && datetime) throw invalid('datetime', 'Must not be given together with delay')
  const json = params.json ?? null
  const body = bodyOf(params)
  if (json !== null && body !== null) throw invalid('body', 'Must not be given together with json')
  const url = urlOf(env, params)
  const service = 'service' in params ? params.service : undefined
  if (service !== undefined && !isUnder({ ...env }, service, url))
    throw invalid('url', `Must be under the address of the component ${service}`)
  const content = params.confidential ? { json: null, body: null } : { json, body }
  const sealed = await sealSecrets(env, params, { json, body })
  const now = Date.now()
  const due_at = datetime ? Math.max(datetime.getTime(), now) : now + Math.round((delay ?? 0) * 1000)
  const expires = 'expires' in params ? params.expires : undefined
  const headers = params.headers && lowerCase(params.headers)
  return {
    due_at,
    expires_at: expires === undefined ? null : due_at + Math.round(expires * 1000),
    method: params.method.toUpperCase(),
    url,
    headers: headers ? JSON.stringify(headers) : null,
    ...content,
    sealed,
    is_sealed: Number(sealed !== null),
    timeout: Math.round(params.timeout * 1000),
    sleep: params.sleep,
    retries: params.retries,
    retry_delay: Math.round(params.retry_delay * 1000),
    key: params.key ?? null,
    priority: params.priority === defaultPriority ? null : params.priority,
    labels: storedLabels(params.labels),
    on_success: callbackOf(env, params, 'on_success'),
    on_failure: callbackOf(env, params, 'on_failure'),
    request_id: validRequestId(headers?.[requestIdHeader]) ?? currentRequestId() ?? null,
  }
}

/** The body that is not JSON: the text, or the bytes of `body_base64`. */
function bodyOf(params: TaskParams): Payload['body'] {
  if (!('body' in params || 'body_base64' in params)) return null
  const { body, body_base64 } = params
  if (body_base64 === undefined) return body ?? null
  if (body !== undefined) throw invalid('body_base64', 'Must not be given together with body')
  if (params.json !== undefined) throw invalid('body_base64', 'Must not be given together with json')
  return Uint8Array.fromBase64(body_base64).buffer
}

/** Refuses `service` of callers that may not reach every component: the queue would lend them its rights. */
export function checkServiceCaller(caller: Credential | undefined, schedule: string | undefined): void {
  if (schedule !== undefined) throw invalid('service', 'Must not be given with schedule')
  if (caller?.kind === 'key' || caller?.kind === 'token')
    throw failure('forbidden', 'Only components may create tasks with service tokens.')
}

function urlOf(env: QueueVariables, { url, query_string }: TaskParams): string {
  const whole = URL.canParse(url) ? withQuery(new URL(url), query_string) : url
  const objection = objectionTo(whole, env)
  if (objection) throw invalid('url', objection)
  return whole
}

/** The URL of a callback; 400 if it is not allowed. */
function callbackOf(env: QueueVariables, params: TaskParams, name: 'on_success' | 'on_failure'): string | null {
  const url = params[name]
  if (url === undefined) return null
  const objection = objectionTo(url, env)
  if (objection) throw invalid(name, objection)
  return new URL(url).href
}

/** Appends to the query of a URL. The existing query is left unchanged byte for byte, since a signature may cover it. */
function withQuery(url: URL, added: TaskParams['query_string']): string {
  if (added === undefined) return url.href
  const text =
    typeof added === 'string'
      ? added.replace(/^\?/, '')
      : new URLSearchParams(Object.entries(added).map(([name, value]) => [name, String(value)])).toString()
  if (text !== '') url.search = url.search ? `${url.search}&${text}` : text
  return url.href
}

const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

async function sealSecrets(
  env: QueueVariables,
  { confidential, secret_headers, ...params }: TaskParams,
  { json, body }: Pick<Payload, 'json' | 'body'>,
): Promise<ArrayBuffer | null> {
  const secrets: Secrets = {
    ...(secret_headers && { headers: lowerCase(secret_headers) }),
    ...(confidential && json !== null && { json }),
    ...(confidential &&
      body !== null &&
      (typeof body === 'string' ? { body } : { bytes: new Uint8Array(body).toBase64() })),
    ...('service' in params && params.service && { service: params.service }),
  }
  return Object.keys(secrets).length > 0 ? seal(env.QUEUE_SECRET, secrets) : null
}
