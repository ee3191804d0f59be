import type { Context } from 'hono'
import * as z from 'zod'
import { checkCapacity } from '#core/db/capacity'
import { Failure } from '#core/failure'
import { checkAccess } from './access.ts'
import { baseUrl, urlOf } from './base.ts'
import { readBody, skipBody } from './body.ts'
import { refuseCrossSite } from './cross-site.ts'
import type { About, CoreEnv, Endpoint, UnvalidatedRequest } from './declaration.ts'
import { checkDeclared, safeMethods } from './error-codes.ts'
import { type MarkPointOfNoReturn, noPointOfNoReturn, once } from './idempotency.ts'
import { parseObject } from './json.ts'
import type { Observed } from './observe.ts'
import { hasSelector, merge, type ParameterWarning, refuseUnknown, warningsAbout } from './params.ts'
import { explain, reply } from './reply.ts'
import { defaultRetentionMs } from './retention.ts'
import { validate } from './validation.ts'

export const megabyte = 1_000_000

/** What has no end, so that a HEAD must not begin it. */
const eventStream = 'text/event-stream'

/** An endpoint as a Hono handler: who asks, what is asked, the answer. */
export function serve<Env extends CoreEnv>(
  about: About<Env>,
  endpoint: Endpoint<Env>,
  siblings: readonly Endpoint<Env>[] = [],
) {
  const answer = answering(about, endpoint, namesOf(siblings))
  const check = checkDeclared(about, endpoint)
  const { refused } = endpoint
  return (c: Context<Observed<Env>>): Promise<Response> =>
    answer(c).catch((error: unknown) => {
      check(error)
      if (!refused || !Failure.is(error)) throw error
      c.set('code', error.code)
      return refused(error, { env: c.env, request: c.req.raw, url: urlOf(c.req.raw) })
    })
}

/** The parameters of all these endpoints. */
const namesOf = <Env extends CoreEnv>(endpoints: readonly Endpoint<Env>[]): ReadonlySet<string> =>
  new Set(endpoints.flatMap(({ params }) => Object.keys(params?.shape ?? {})))

function answering<Env extends CoreEnv>(about: About<Env>, endpoint: Endpoint<Env>, siblings: ReadonlySet<string>) {
  const ready = readiness(about)
  const respond = responding(endpoint)
  return async (c: Context<Observed<Env>>): Promise<Response> => {
    const { env } = c
    c.set('route', endpoint.path)
    const request = c.req.raw
    if (!endpoint.open && !endpoint.proof)
      await checkCaller(about, endpoint, env, request).catch(refusing(request, endpoint))
    const bytes = endpoint.raw ? new Uint8Array() : await readBody(request, endpoint.bodyLimit ?? megabyte)
    const asked = { env, request, url: urlOf(request), bytes }
    if (endpoint.proof) await ready(env)
    if (endpoint.proof && !(await endpoint.proof(asked))) await checkUnproven(about, endpoint, env, request)
    const { params, warnings } = await readParams(endpoint, asked, c.req.param() as Record<string, string>, siblings)
    await ready(env)
    const call = {
      ...asked,
      params,
      ctx: c.executionCtx as ExecutionContext,
      base: baseUrl(env, about.name, request),
      requestId: c.get('requestId'),
    }
    if (request.method === 'HEAD' && endpoint.produces === eventStream)
      return new Response(null, { headers: { 'content-type': eventStream } })
    if (request.method === 'HEAD' && endpoint.consumes) return headOf(endpoint)
    const { idempotent, keyRetentionMs } = endpoint
    const answer = async (markPointOfNoReturn: MarkPointOfNoReturn) => {
      if (endpoint.adds) await checkCapacity(env).catch(endpoint.raw ? refusing(request, endpoint) : rethrow)
      return respond(await endpoint.handler({ ...call, markPointOfNoReturn }), warnings)
    }
    if (!idempotent) return answer(noPointOfNoReturn)
    const retentionMs = keyRetentionMs?.(env) ?? defaultRetentionMs
    const explanation = explain(about.pagesPrefix ?? '', request, call.requestId)
    let hasBegun = false
    const begin = (markPointOfNoReturn: MarkPointOfNoReturn) => {
      hasBegun = true
      return answer(markPointOfNoReturn)
    }
    try {
      return await once(asked, { commits: idempotent === 'from-point-of-no-return', retentionMs, explanation }, begin)
    } finally {
      // Most clients read no reply before they have sent the whole upload.
      if (endpoint.raw && !hasBegun) await skipBody(request, Number.POSITIVE_INFINITY)
    }
  }
}

/** Refuses pages of other sites what changes something, before a 401 makes a browser ask for credentials; then checks access. */
async function checkCaller<Env extends CoreEnv>(
  { name }: About<Env>,
  { unsafe }: Endpoint<Env>,
  env: Env,
  request: Request,
): Promise<void> {
  if (unsafe || !safeMethods.has(request.method)) await refuseCrossSite(env, name, request)
  await checkAccess(env, request)
}

/** Credentials count in place of a proof, except Basic ones that a browser attaches for a page of another site, to a GET too. */
const checkUnproven: typeof checkCaller = (about, endpoint, env, request) =>
  request.headers.has('authorization')
    ? checkCaller(about, { ...endpoint, unsafe: true }, env, request)
    : checkAccess(env, request)

/** The headers of a success, whatever the reply would say. */
function headOf<Env extends CoreEnv>({ status }: Endpoint<Env>): Response {
  const { headers } = reply({ status: true }, status)
  return new Response(null, { status: status ?? 200, headers })
}

const rethrow = (error: unknown) => Promise.reject(error)

/** Reads what who has no access sends, since a reply before its end would reset the connection, and keeps none of it. */
const refusing =
  <Env extends CoreEnv>(request: Request, { bodyLimit = megabyte }: Endpoint<Env>) =>
  async (error: unknown): Promise<never> => {
    await skipBody(request, bodyLimit)
    throw error
  }

/** Of a DELETE without parameters, which refuses unknown ones: `?nmae=x` must not delete everything. */
const noParams = z.object({})

/** The parameters, where there are any; of a raw request that has wrong ones the body is read all the same. */
async function readParams<Env extends CoreEnv>(
  endpoint: Endpoint<Env>,
  asked: UnvalidatedRequest<Env>,
  path: Record<string, string>,
  siblings: ReadonlySet<string>,
) {
  try {
    const params = endpoint.params ?? (endpoint.method === 'delete' && !endpoint.raw ? noParams : undefined)
    return params ? paramsOf({ ...endpoint, params }, asked, path, siblings) : { params: {}, warnings: [] }
  } catch (error) {
    return endpoint.raw ? refusing(asked.request, endpoint)(error) : Promise.reject(error)
  }
}

function paramsOf<Env extends CoreEnv>(
  { params, form, method, raw }: Endpoint<Env>,
  { request, url, bytes }: UnvalidatedRequest<Env>,
  path: Record<string, string>,
  siblings: ReadonlySet<string>,
) {
  const isForm =
    form && request.headers.get('content-type')?.toLowerCase().startsWith('application/x-www-form-urlencoded')
  const fields = isForm ? new URLSearchParams(new TextDecoder().decode(bytes)) : []
  const query = new URLSearchParams([...url.searchParams, ...fields])
  const body = isForm ? {} : parseObject(bytes)
  const refuses = (method === 'delete' || method === 'patch') && !raw
  if (refuses)
    refuseUnknown(params!.shape, query, body, {
      // What selects records in another method of the path must not look as if it selected what is changed.
      ignored: method === 'patch' && !hasSelector(params!.shape) ? siblings : new Set(),
      refusesNull: method === 'delete',
    })
  return {
    params: validate(params!, merge(params!.shape, query, body, path)),
    warnings: refuses || raw ? [] : warningsAbout(params!.shape, query, body),
  }
}

/** How an endpoint answers with what its handler returned. */
function responding<Env extends CoreEnv>({ reply: shape, status, envelope }: Endpoint<Env>) {
  const schema = shape && z.object(shape)
  return (content: unknown, ignored: ParameterWarning[]): Response => {
    if (content instanceof Response) return content
    const warnings = ignored.length > 0 ? { warnings: ignored } : {}
    if (!schema) return reply({ status: true, ...warnings }, status)
    const encoded = z.encode(schema, content as Record<string, unknown>)
    if (envelope === 'none') return reply(encoded, status)
    return reply({ status: true, ...warnings, ...(envelope === 'flat' ? encoded : { content: encoded }) }, status)
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
