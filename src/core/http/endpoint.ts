import type { Context } from 'hono'
import { z } from 'zod'
import { checkAccess } from './access.ts'
import type { About, CoreEnv } from './api.ts'
import { baseUrl, urlOf } from './base.ts'
import { readBody } from './body.ts'
import { once } from './idempotency.ts'
import { parseObject } from './json.ts'
import type { Observed } from './observe.ts'
import { merge, validate } from './params.ts'
import { reply } from './reply.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
export type Path = `/${string}`
export type Reply = z.ZodRawShape | undefined

/** What a handler returns: what the reply's schema encodes. */
export type Content<R extends Reply> = R extends z.ZodRawShape ? z.output<z.ZodObject<R>> : void

export interface Declared<Env, Params extends z.ZodObject, R extends Reply> {
  summary: string
  description?: string
  /** The parameters, wherever they travel; none: they are not read. */
  params?: Params
  /** What stands under `content`, as the code has it; the schema's codecs write it. */
  reply?: R
  /** The reply's keys stand beside `status`, or without it, rather than under `content`. */
  envelope?: 'flat' | 'none'
  /** Of a success; 200 unless given. */
  status?: 200 | 201 | 202
  /** The most bytes a body may have. */
  bodyLimit?: number
  /** The body is the handler's to read, from `request`. */
  raw?: true
  /** The body may be `application/x-www-form-urlencoded` too. */
  form?: true
  /** Everybody may call it. */
  open?: true
  /** Who proves this needs no credentials; everybody else does. */
  proof?: (asked: Asked<Env>) => boolean | Promise<boolean>
  /** A repeat with the same `Idempotency-Key` gets the first reply. */
  idempotent?: true
  /** The media type of the reply, where it is not JSON. */
  produces?: string
}

/** A request before its parameters are known to be right. */
export interface Asked<Env> {
  env: Env
  request: Request
  url: URL
  /** The body, unless it is the handler's to read. */
  bytes: Uint8Array
}

/** What a handler works with. */
export interface Call<Env, Params extends z.ZodObject> extends Asked<Env> {
  params: z.output<Params>
  ctx: ExecutionContext
  /** The component's own public address. */
  base: string
  requestId: string
}

export type Handler<Env, Params extends z.ZodObject, R extends Reply> = (
  call: Call<Env, Params>,
) => Content<R> | Response | Promise<Content<R> | Response>

interface Served<Env> extends Declared<Env, z.ZodObject, Reply> {
  method: Method
  path: Path
  handler: Handler<Env, z.ZodObject, Reply>
}

export const megabyte = 1_000_000

/** An endpoint as a Hono handler: who asks, what is asked, the answer. */
export function serve<Env extends CoreEnv>(about: About<Env>, endpoint: Served<Env>) {
  const ready = readiness(about)
  const respond = responding(endpoint)
  return async (c: Context<Observed<Env>>): Promise<Response> => {
    const { env } = c
    c.set('route', endpoint.path)
    const request = c.req.raw
    const bytes = endpoint.raw ? new Uint8Array() : await readBody(request, endpoint.bodyLimit ?? megabyte)
    const asked = { env, request, url: urlOf(request), bytes }
    if (!endpoint.open && !(await endpoint.proof?.(asked))) await checkAccess(env, request)
    const params = endpoint.params ? paramsOf(endpoint, asked, c.req.param() as Record<string, string>) : {}
    await ready(env)
    const call = {
      ...asked,
      params,
      ctx: c.executionCtx as ExecutionContext,
      base: baseUrl(env, about.name, request),
      requestId: c.get('requestId'),
    }
    const answer = async () => respond(await endpoint.handler(call))
    return endpoint.idempotent ? once(asked, endpoint, answer) : answer()
  }
}

function paramsOf<Env>(
  { params, form }: Served<Env>,
  { request, url, bytes }: Asked<Env>,
  path: Record<string, string>,
) {
  const isForm = form && request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded')
  const fields = isForm ? new URLSearchParams(new TextDecoder().decode(bytes)) : []
  const query = new URLSearchParams([...url.searchParams, ...fields])
  return validate(params!, merge(params!.shape, query, isForm ? {} : parseObject(bytes), path))
}

/** How an endpoint answers with what its handler returned. */
function responding<Env>({ reply: shape, status, envelope }: Served<Env>) {
  const schema = shape && z.object(shape)
  return (content: unknown): Response => {
    if (content instanceof Response) return content
    if (!schema) return reply({ status: true }, status)
    const encoded = z.encode(schema, content as Record<string, unknown>)
    if (envelope === 'none') return reply(encoded, status)
    return reply({ status: true, ...(envelope === 'flat' ? encoded : { content: encoded }) }, status)
  }
}

/**
 * Runs `prepare` until it has succeeded once for an environment. The result is shared, the promise is not: the request
 * that it belongs to may be gone before it settles.
 */
function readiness<Env extends object>({ prepare }: { prepare?: (env: Env) => Promise<void> }) {
  const prepared = new WeakSet<Env>()
  return async (env: Env) => {
    if (!prepare || prepared.has(env)) return
    await prepare(env)
    prepared.add(env)
  }
}
