import * as z from 'zod'
import type { ErrorStatus } from '#core/errors'
import { Failure, notConfigured } from '#core/failure'
import { type AccessEnv, credentialsOf } from '#core/http/access'
import type { CoreEnv } from '#core/http/api'
import { addressOf } from '#core/http/base'
import { requestIdHeaders } from '#core/http/request-id'
import { inQuery } from './socket.ts'

interface Call {
  params: unknown
  content: unknown
}

type CallsOf<A> = A extends { calls?: infer Calls } ? NonNullable<Calls> : never

/** What a component needs to call another: `<NAME>_URL`, or a binding by its name, else `BASE_URL`. */
type PeerEnv = Pick<CoreEnv, keyof AccessEnv | 'BASE_URL'> & Record<string, unknown>

const patience = 15_000

/**
 * Another component with the types of its own endpoints: `peer<QueueApi>(env, 'queue')('POST /task', { … })`. It goes to
 * `<NAME>_URL` where that is set, else by service binding or under `BASE_URL`; with `<NAME>_TOKEN`, or with what gives access
 * to this component, and with the id of the request that it is for. What the other refuses is refused here; 502 and 504 name it where it fails.
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

/** A path with the parameters in it that it has places for. */
const withVariables = (path: string, params: unknown) =>
  path.replace(/:(\w+)(\{[^}]*\})?/g, (_, name) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  )

/**
 * Where the queue finds another component, without a slash at the end, and the credentials that it shows there: they
 * belong into the task's `secret_headers`. 503 where neither `<NAME>_URL` nor `BASE_URL` is set.
 */
export const publicTarget = (env: PeerEnv, name: string) => ({
  url: publicAddress(env, name),
  credentials: authorization(env, name),
})

/** A request to another component as it stands, with its credentials and the id of the request that it is for, where a `peer` has no words for the reply: a file, say. */
export async function fetchPeer(env: PeerEnv, name: string, path: string, init: RequestInit = {}): Promise<Response> {
  const { service, base } = target(env, name)
  const headers = new Headers(init.headers)
  for (const [header, value] of Object.entries({ ...authorization(env, name), ...requestIdHeaders() }))
    if (!headers.has(header)) headers.set(header, value)
  const signal = init.signal ?? AbortSignal.timeout(patience)
  return service.fetch(base + path, { redirect: 'manual', ...init, headers, signal })
}

interface Sent {
  method: string
  path: string
  params: unknown
  headers: Record<string, string>
}

async function send(env: PeerEnv, name: string, { method, path, params, headers }: Sent): Promise<Response> {
  const { service, base } = target(env, name)
  const isGet = method === 'GET'
  const url = isGet ? inQuery({ url: base + path, json: params }) : base + path
  const signal = AbortSignal.timeout(patience)
  try {
    return await service.fetch(url, {
      method,
      headers: { 'content-type': 'application/json', ...authorization(env, name), ...requestIdHeaders(), ...headers },
      ...(!isGet && { body: JSON.stringify(params) }),
      redirect: 'manual',
      signal,
    })
  } catch (cause) {
    if (signal.aborted)
      throw new Failure({ code: `${name}_timeout`, status: 504 }, `The ${name} did not answer in time`, { cause })
    throw new Failure({ code: `${name}_failed`, status: 502 }, `The ${name} could not be reached`, { cause })
  }
}

const variableOf = (name: string) => name.toUpperCase().replaceAll('-', '_')

const isService = (value: unknown): value is Fetcher =>
  (typeof value === 'object' || typeof value === 'function') && value !== null && 'fetch' in value

function target(env: PeerEnv, name: string): { service: Pick<Fetcher, 'fetch'>; base: string } {
  const variable = variableOf(name)
  const bound = env[variable]
  // A configured address wins: that component is another than the one that is deployed beside this one.
  if (!env[`${variable}_URL`] && isService(bound)) return { service: bound, base: `http://${name}` }
  return {
    service: { fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init) },
    base: publicAddress(env, name),
  }
}

function publicAddress(env: PeerEnv, name: string): string {
  const variable = variableOf(name)
  const url = env[`${variable}_URL`] || (env.BASE_URL && addressOf(env.BASE_URL, name))
  if (typeof url === 'string') return url.replace(/\/+$/, '')
  throw notConfigured(`Set ${variable}_URL or BASE_URL`)
}

function authorization(env: PeerEnv, name: string): Record<string, string> {
  const token = env[`${variableOf(name)}_TOKEN`]
  const credentials = typeof token === 'string' ? `Bearer ${token}` : credentialsOf(env)
  return credentials ? { authorization: credentials } : {}
}

const Reply = z.object({
  status: z.boolean(),
  status_code: z.string().optional(),
  message: z.string().optional(),
  errors: z.record(z.string(), z.string()).optional(),
  content: z.record(z.string(), z.unknown()).optional(),
})

/** Statuses of errors that are about what was sent, and so about what our own caller sent, with the code of each unless the reply has one. */
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
    const message = `The ${name} answered with ${response.status}`
    // One that has broken off may have done what was asked.
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
