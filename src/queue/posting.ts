import { invalid } from '#core/failure'
import { currentRequestId, requestIdHeader, validRequestId } from '#core/http/request-id'
import { objectionTo } from '#core/outgoing/url'
import type { NewFraction, NewTask } from './contract.ts'
import type { QueueVariables } from './env.ts'
import { type Secrets, seal } from './seal.ts'
import type { Payload, TaskRow } from './tables.ts'

/** A task as a backlog takes it: its request ready to be made, what is secret sealed. Times in milliseconds. */
export type Posting = Payload &
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
  >

type Asked = Omit<NewTask, 'schedule' | 'cron' | 'timezone'> | NewFraction

/** Reads what a caller asks for; 400 where it contradicts itself or leads where no request may go. */
export async function postingOf(env: QueueVariables, asked: Asked): Promise<Posting> {
  const { delay, datetime } = asked
  if (delay !== undefined && datetime) throw invalid('datetime', 'Must not be given together with delay')
  const json = asked.json ?? null
  const body = ('body' in asked ? asked.body : undefined) ?? null
  if (json !== null && body !== null) throw invalid('body', 'Must not be given together with json')
  const url = urlOf(env, asked)
  const content = asked.confidential ? { json: null, body: null } : { json, body }
  const secrets = await sealed(env, asked, { json, body })
  const now = Date.now()
  const due_at = datetime ? Math.max(datetime.getTime(), now) : now + Math.round((delay ?? 0) * 1000)
  const expires = 'expires' in asked ? asked.expires : undefined
  const headers = asked.headers && lowerCase(asked.headers)
  return {
    due_at,
    expires_at: expires === undefined ? null : due_at + Math.round(expires * 1000),
    method: asked.method.toUpperCase(),
    url,
    headers: headers ? JSON.stringify(headers) : null,
    ...content,
    sealed: secrets,
    is_sealed: Number(secrets !== null),
    timeout: Math.round(asked.timeout * 1000),
    sleep: asked.sleep,
    retries: asked.retries,
    retry_delay: Math.round(asked.retry_delay * 1000),
    key: asked.key ?? null,
    request_id: validRequestId(headers?.[requestIdHeader]) ?? currentRequestId() ?? null,
  }
}

function urlOf(env: QueueVariables, { url, query_string }: Asked): string {
  const whole = URL.canParse(url) ? withQuery(new URL(url), query_string) : url
  const objection = objectionTo(whole, env)
  if (objection) throw invalid('url', objection)
  return whole
}

/** The URL with more in its query. What stands there stays as it is written: a signature may be over it. */
function withQuery(url: URL, more: Asked['query_string']): string {
  if (more === undefined) return url.href
  const text =
    typeof more === 'string'
      ? more.replace(/^\?/, '')
      : new URLSearchParams(Object.entries(more).map(([name, value]) => [name, String(value)])).toString()
  if (text !== '') url.search = url.search ? `${url.search}&${text}` : text
  return url.href
}

const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

async function sealed(
  env: QueueVariables,
  { confidential, secret_headers }: Asked,
  { json, body }: { json: string | null; body: string | null },
): Promise<ArrayBuffer | null> {
  const secrets: Secrets = {
    ...(secret_headers && { headers: lowerCase(secret_headers) }),
    ...(confidential && json !== null && { json }),
    ...(confidential && body !== null && { body }),
  }
  return Object.keys(secrets).length > 0 ? seal(env.QUEUE_SECRET, secrets) : null
}
