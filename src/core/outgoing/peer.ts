// Typed HTTP client with which a component calls another one, over a service binding or a URL.
import * as z from 'zod'
import type { CredentialsEnv } from '#core/access/authenticate'
import { rootHeaderOf } from '#core/access/root-secrets'
import { serviceHeader } from '#core/access/service-token'
import type { ErrorStatus } from '#core/errors'
import { Failure, invalid, notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/api'
import { addressOf } from '#core/http/base'
import { requestIdHeaders } from '#core/http/request-id'
import { inQuery } from './socket.ts'

interface Call {
  params: unknown
  content: unknown
}

type CallsOf<A> = A extends { calls?: infer Calls } ? NonNullable<Calls> : never

/** Variables and bindings for calls to another component: `<NAME>_URL`, a service binding of its name, or `BASE_URL`. */
type PeerEnv = Pick<CoreEnv, keyof CredentialsEnv | 'BASE_URL'> & Record<string, unknown>

const requestTimeoutMs = 15_000

/**
 * A typed client of another component: `peer<QueueApi>(env, 'queue')('POST /task', { … })`. It calls `<NAME>_URL` if that is set,
 * else the service binding, else the component under `BASE_URL`. Requests have the current request id, and as
 * credentials `<NAME>_TOKEN`, else for a component of this deployment a service token, else the credentials of this component. Errors about the parameters are thrown with the peer's code; others become 502
 * `<name>_failed`, and a timeout 504 `<name>_timeout`.
 */
export const peer =
  <A>(env: PeerEnv, name: string) =>
  async <Name extends keyof CallsOf<A> & string>(
    endpoint: Name,
    params: CallsOf<A>[Name] extends Call ? CallsOf<A>[Name]['params'] : never,
    headers: Record<string, string> = {},
  ) => {
    const [method, path] = endpoint.split(' ') as [string, string]
    const content = await contentOf(
      name,
      await send(env, name, { method, path: withVariables(path, params), params, headers }),
    )
    return content as CallsOf<A>[Name] extends Call ? CallsOf<A>[Name]['content'] : never
  }

/** Replaces the variables of a path, such as `:id`, by parameters. */
const withVariables = (path: string, params: unknown) =>
  path.replace(/:(\w+)(\{[^}]*\})?/g, (_, name) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  )

/** The credentials of a queue task that calls a component: parameters of `POST /task`. */
export type TaskCredentials =
  /** Name of a component of this deployment. The queue sends a service token, so that the task has no token that can be rotated. */
  | { service: string }
  /** Credentials for another deployment, or none. */
  | { secret_headers: Record<string, string> }

/**
 * The URL under which the component `sender`, the queue, can call another one, without a slash at the end, and the credentials of its
 * task. A sender of another deployment has no service tokens of this one. Throws 503 if neither `<NAME>_URL` nor `BASE_URL` is set.
 */
export const publicTarget = (
  env: PeerEnv,
  name: string,
  sender: string,
): { url: string; credentials: TaskCredentials } => ({
  url: publicAddress(env, name),
  credentials:
    isOwn(env, name) && isOwn(env, sender) && env.ACCESS
      ? { service: name }
      : { secret_headers: storedAuthorization(env, name) },
})

/** The `Authorization` header with a service token, for a URL under the address of a component of this deployment. */
export async function serviceHeaders(env: PeerEnv, name: string, url: string): Promise<Record<string, string>> {
  if (!isUnder(env, name, url)) throw invalid('url', `Must be under the address of ${name}`)
  return authorization(env, name)
}

/** Whether a URL is under the address of a component of this deployment. */
export const isUnder = (env: PeerEnv, name: string, url: string): boolean =>
  isOwn(env, name) && new URL(url).href.startsWith(new URL(`${publicAddress(env, name)}/`).href)

/** Sends a raw request to another component with credentials and request id, for replies that are not JSON, such as files. */
export async function fetchPeer(env: PeerEnv, name: string, path: string, init: RequestInit = {}): Promise<Response> {
  const { service, base } = target(env, name)
  const headers = new Headers(init.headers)
  for (const [header, value] of Object.entries({ ...(await authorization(env, name)), ...requestIdHeaders() }))
    if (!headers.has(header)) headers.set(header, value)
  const signal = init.signal ?? AbortSignal.timeout(requestTimeoutMs)
  return service.fetch(base + path, { redirect: 'manual', ...init, headers, signal })
}

interface PeerRequest {
  method: string
  path: string
  params: unknown
  headers: Record<string, string>
}

async function send(env: PeerEnv, name: string, { method, path, params, headers }: PeerRequest): Promise<Response> {
  const { service, base } = target(env, name)
  const isGet = method === 'GET'
  const url = isGet ? inQuery({ url: base + path, json: params }) : base + path
  const signal = AbortSignal.timeout(requestTimeoutMs)
  try {
    return await service.fetch(url, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(await authorization(env, name)),
        ...requestIdHeaders(),
        ...headers,
      },
      ...(!isGet && { body: JSON.stringify(params) }),
      redirect: 'manual',
      signal,
    })
  } catch (cause) {
    if (signal.aborted)
      throw new Failure({ code: `${name}_timeout`, status: 504 }, `The ${name} component did not answer in time.`, {
        cause,
      })
    throw new Failure({ code: `${name}_failed`, status: 502 }, `The ${name} component could not be reached.`, { cause })
  }
}

const variableOf = (name: string) => name.toUpperCase().replaceAll('-', '_')

const isService = (value: unknown): value is Fetcher =>
  (typeof value === 'object' || typeof value === 'function') && value !== null && 'fetch' in value

function target(env: PeerEnv, name: string): { service: Pick<Fetcher, 'fetch'>; base: string } {
  const variable = variableOf(name)
  const bound = env[variable]
  // The binding is used only if no URL is configured: a URL names a component of another deployment.
  if (!env[`${variable}_URL`] && isService(bound)) return { service: bound, base: `http://${name}` }
  return {
    service: { fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init) },
    base: publicAddress(env, name),
  }
}

function publicAddress(env: PeerEnv, name: string): string {
  const variable = variableOf(name)
  const url = env[`${variable}_URL`] || (env.BASE_URL && addressOf(env.BASE_URL, name))
  if (typeof url === 'string' && url !== '') return url.replace(/\/+$/, '')
  throw notConfigured(`Set ${variable}_URL or BASE_URL.`)
}

/**
 * Whether a component belongs to this deployment. `<NAME>_URL` may name another one, which does not know the service tokens of this
 * one, except on a local start, where all these URLs are of this deployment.
 */
function isOwn(env: PeerEnv, name: string): boolean {
  const variable = variableOf(name)
  return !env[`${variable}_TOKEN`] && (!env[`${variable}_URL`] || env.LOCAL === 'true')
}

async function authorization(env: PeerEnv, name: string): Promise<Record<string, string>> {
  if (!isOwn(env, name)) return storedAuthorization(env, name)
  const credentials = await serviceHeader(env, name)
  return credentials ? { authorization: credentials } : {}
}

function storedAuthorization(env: PeerEnv, name: string): Record<string, string> {
  const token = env[`${variableOf(name)}_TOKEN`]
  const credentials = typeof token === 'string' ? `Bearer ${token}` : rootHeaderOf(env)
  return credentials ? { authorization: credentials } : {}
}

const Reply = z.object({
  status: z.boolean(),
  status_code: z.string().optional(),
  message: z.string().optional(),
  errors: z.record(z.string(), z.string()).optional(),
  content: z.record(z.string(), z.unknown()).optional(),
})

/**
 * Statuses of errors about the caller's parameters. They are relayed with the peer's code; the code here is used if the
 * reply has none.
 */
const relayed = new Map<number, { code: string; status: ErrorStatus }>([
  [400, { code: 'validation_failed', status: 400 }],
  [404, { code: 'not_found', status: 404 }],
  [409, { code: 'conflict', status: 409 }],
  [413, { code: 'payload_too_large', status: 413 }],
  [429, { code: 'limit_reached', status: 429 }],
])

async function contentOf(name: string, response: Response): Promise<unknown> {
  const reply = Reply.safeParse(await response.json().catch(() => undefined))
  if (response.ok && reply.success) return reply.data.content
  const relay = relayed.get(response.status)
  if (!relay || !reply.success) {
    const message = `The ${name} component answered with status ${response.status}.`
    // A 5xx reply gets a `cause`, which marks a call that may have had an effect. 503 is left out: it means that the
    // call had none.
    const cause = response.status >= 500 && response.status !== 503 ? { cause: new Error(message) } : {}
    throw new Failure({ code: `${name}_failed`, status: 502 }, message, cause)
  }
  const { status_code = relay.code, message = '', errors, content } = reply.data
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  throw new Failure({ code: status_code, status: relay.status }, message, {
    ...(errors && { errors }),
    ...(content && { content }),
    ...(retryAfter && { retryAfter }),
  })
}
