// Request pipeline of an endpoint of any component: checks access, validates parameters, handles idempotency keys,
// calls the handler and encodes its result as the reply.
import type { Context } from 'hono'
import * as z from 'zod'
import { isAudited } from '#core/access/audit'
import { checkBindable, checkBounds, isBounded, missingBoundValues } from '#core/access/authorize'
import type { Credential } from '#core/access/credential'
import { checkCapacity } from '#core/db/capacity'
import { Failure } from '#core/failure'
import { admit, checkSent } from './access.ts'
import { checkAddressLimit } from './address-limit.ts'
import { type AuditedCall, objectIdOf, operationOf } from './audited.ts'
import { baseUrl, urlOf } from './base.ts'
import { readBody, skipBody } from './body.ts'
import { challengeOf } from './challenge.ts'
import type { About, CoreEnv, Endpoint, UnvalidatedRequest } from './declaration.ts'
import { checkDeclared, safeMethods } from './error-codes.ts'
import { type MarkPointOfNoReturn, noPointOfNoReturn, withIdempotency } from './idempotency.ts'
import { parseObject } from './json.ts'
import type { Observed } from './observed.ts'
import { hasSelector, merge, type ParameterWarning, refuseUnknown, warningsAbout } from './params.ts'
import { explain, reply } from './reply.ts'
import { defaultRetentionMs } from './retention.ts'
import { validate } from './validation.ts'

export const megabyte = 1_000_000

/**
 * Media type of server-sent events. Such a reply never ends, so a HEAD request gets its headers without calling the
 * handler.
 */
const eventStream = 'text/event-stream'

/** Makes the Hono handler of an endpoint. `siblings` are all endpoints with the same path. */
export function serve<Env extends CoreEnv>(
  about: About<Env>,
  endpoint: Endpoint<Env>,
  siblings: readonly Endpoint<Env>[] = [],
) {
  const answer = createPipeline(about, endpoint, namesOf(siblings))
  const check = checkDeclared(about, endpoint)
  const { refused } = endpoint
  return (c: Context<Observed<Env>>): Promise<Response> =>
    answer(c).catch(async (error: unknown) => {
      check(error)
      if (!refused || !Failure.is(error)) throw error
      c.set('code', error.code)
      const response = await refused(error, { env: c.env, request: c.req.raw, url: urlOf(c.req.raw) })
      if (error.status === 401)
        response.headers.set('www-authenticate', challengeOf(c.env, c.req.raw, c.get('isPage') === true))
      return response
    })
}

/** The names of all parameters that these endpoints declare. */
const namesOf = <Env extends CoreEnv>(endpoints: readonly Endpoint<Env>[]): ReadonlySet<string> =>
  new Set(endpoints.flatMap(({ params }) => Object.keys(params?.shape ?? {})))

function createPipeline<Env extends CoreEnv>(
  about: About<Env>,
  endpoint: Endpoint<Env>,
  siblings: ReadonlySet<string>,
) {
  const ready = prepareOnce(about)
  const respond = replyEncoder(endpoint)
  const operation = operationOf(about, endpoint)
  return async (c: Context<Observed<Env>>): Promise<Response> => {
    const { env } = c
    c.set('route', endpoint.path)
    c.set('isPage', endpoint.produces === 'text/html')
    const pathParams = c.req.param() as Record<string, string>
    const audited: AuditedCall | undefined = isAudited(env, endpoint) ? { operation } : undefined
    if (audited) c.set('audited', audited)
    const onAuthenticated = (credential: Credential) => {
      c.set('credential', credential)
      // The parameters of refused calls are not validated: only those of path and query are known.
      if (audited) audited.object = objectIdOf(endpoint.objectId, { ...c.req.query(), ...pathParams })
    }
    if (endpoint.addressLimit) await checkAddressLimit(env, c.req.raw).catch(drainAndRethrow(c.req.raw, endpoint))
    const request = c.req.raw
    let credential: Credential | undefined
    if (endpoint.takesAnyAuthorization) c.set('takesAnyAuthorization', true)
    else if (endpoint.open) c.set('sent', await checkSent(env, request).catch(drainAndRethrow(request, endpoint)))
    if (!endpoint.open && !endpoint.proof)
      credential = await checkCaller(about, endpoint, env, request, onAuthenticated).catch(
        drainAndRethrow(request, endpoint),
      )
    const bytes = endpoint.raw ? new Uint8Array() : await readBody(request, endpoint.bodyLimit ?? megabyte)
    const unvalidated = { env, request, url: urlOf(request), bytes }
    if (endpoint.proof) await ready(env)
    if (endpoint.proof) {
      if (!(await isProven(endpoint.proof, unvalidated, audited)))
        credential = await checkUnproven(about, endpoint, env, request, onAuthenticated)
      else if (!endpoint.onlyProven && !endpoint.takesAnyAuthorization) c.set('sent', await checkSent(env, request))
    }
    const { params, warnings } = await readParams(endpoint, unvalidated, pathParams, siblings, credential)
    if (audited) audited.object = objectIdOf(endpoint.objectId, { ...pathParams, ...params })
    await ready(env)
    const call = {
      ...unvalidated,
      params,
      ...(credential && { credential }),
      ctx: c.executionCtx as ExecutionContext,
      base: baseUrl(env, about.name, request),
      requestId: c.get('requestId'),
      nameObject: (id: string) => {
        if (audited) audited.object = id
      },
    }
    if (request.method === 'HEAD' && endpoint.produces === eventStream)
      return new Response(null, { headers: { 'content-type': eventStream } })
    if (request.method === 'HEAD' && endpoint.consumes) return headOf(endpoint)
    const { idempotent, keyRetentionMs } = endpoint
    const answer = async (markPointOfNoReturn: MarkPointOfNoReturn) => {
      if (endpoint.adds) await checkCapacity(env).catch(endpoint.raw ? drainAndRethrow(request, endpoint) : rethrow)
      return respond(await endpoint.handler({ ...call, markPointOfNoReturn }), warnings)
    }
    if (!idempotent) return answer(noPointOfNoReturn)
    const retentionMs = keyRetentionMs?.(env) ?? defaultRetentionMs
    const explanation = explain(about.pagesPrefix ?? '', request, call.requestId)
    const marksPointOfNoReturn = idempotent === 'from-point-of-no-return'
    let hasBegun = false
    const begin = (markPointOfNoReturn: MarkPointOfNoReturn) => {
      hasBegun = true
      return answer(markPointOfNoReturn)
    }
    try {
      return await withIdempotency(
        { ...unvalidated, credential },
        { marksPointOfNoReturn, retentionMs, explanation },
        begin,
      )
    } finally {
      // If the stored reply of an `Idempotency-Key` is returned, no handler has read the raw body. The body is drained,
      // since most clients read no reply before they have sent everything.
      if (endpoint.raw && !hasBegun) await skipBody(request, Number.POSITIVE_INFINITY)
    }
  }
}

function checkCaller<Env extends CoreEnv>(
  { name, scopeComponent = name }: About<Env>,
  { unsafe, level, tokenInQuery }: Endpoint<Env>,
  env: Env,
  request: Request,
  onAuthenticated: (credential: Credential) => void,
  hasEffect = Boolean(unsafe) || !safeMethods.has(request.method),
): Promise<Credential> {
  const queryToken = (tokenInQuery && urlOf(request).searchParams.get('token')) || undefined
  return admit(env, request, { component: name, scopeComponent, level, hasEffect, queryToken, onAuthenticated })
}

/**
 * Checks a request that has credentials instead of a proof. Basic credentials are refused if a browser attached them
 * for a page of another site. Requests without credentials may come from any page, as those with a proof.
 */
const checkUnproven: typeof checkCaller = (about, endpoint, env, request, onAuthenticated) =>
  checkCaller(about, endpoint, env, request, onAuthenticated, request.headers.has('authorization'))

/** Whether the proof admits the request. Notes for the audit log that the proof has identified the caller, also if it refuses it. */
async function isProven<Env extends CoreEnv>(
  proof: NonNullable<Endpoint<Env>['proof']>,
  unvalidated: UnvalidatedRequest<Env>,
  audited: AuditedCall | undefined,
): Promise<boolean> {
  try {
    const isAdmitted = await proof(unvalidated)
    if (audited && isAdmitted) audited.isProven = true
    return isAdmitted
  } catch (error) {
    if (audited && Failure.is(error) && error.status === 403) audited.isProven = true
    throw error
  }
}

/** The reply to a HEAD whose GET has an effect: status and headers of a success, without calling the handler. */
function headOf<Env extends CoreEnv>({ status }: Endpoint<Env>): Response {
  const { headers } = reply({ status: true }, status)
  return new Response(null, { status: status ?? 200, headers })
}

const rethrow = (error: unknown) => Promise.reject(error)

/**
 * Returns an error handler that drains the body before it throws the error again: a reply before the end of the body
 * would reset a keep-alive connection.
 */
const drainAndRethrow =
  <Env extends CoreEnv>(request: Request, { bodyLimit = megabyte }: Endpoint<Env>) =>
  async (error: unknown): Promise<never> => {
    await skipBody(request, bodyLimit)
    throw error
  }

/**
 * Schema of a DELETE that declares no parameters. With it, unknown parameters are refused: `?nmae=x` must not delete
 * everything.
 */
const noParams = z.object({})

/**
 * Validates the parameters, and checks them against the bounds of the credential. If they are refused, the body of a raw request
 * is drained, since its handler will not read it.
 */
async function readParams<Env extends CoreEnv>(
  endpoint: Endpoint<Env>,
  unvalidated: UnvalidatedRequest<Env>,
  path: Record<string, string>,
  siblings: ReadonlySet<string>,
  credential: Credential | undefined,
) {
  const bounded = credential && isBounded(credential) && endpoint.level !== 'any' ? credential : undefined
  try {
    if (bounded) checkBindable(bounded, endpoint)
    const schema = endpoint.params ?? (endpoint.method === 'delete' && !endpoint.raw ? noParams : undefined)
    const validated = schema
      ? paramsOf({ ...endpoint, params: schema }, unvalidated, path, siblings, bounded)
      : { params: {}, warnings: [] }
    if (bounded) checkBounds(bounded, endpoint, schema?.shape ?? {}, validated.params)
    return validated
  } catch (error) {
    return endpoint.raw ? drainAndRethrow(unvalidated.request, endpoint)(error) : Promise.reject(error)
  }
}

function paramsOf<Env extends CoreEnv>(
  endpoint: Endpoint<Env>,
  { request, url, bytes }: UnvalidatedRequest<Env>,
  path: Record<string, string>,
  siblings: ReadonlySet<string>,
  bounded: Credential | undefined,
) {
  const { params, form, method, raw } = endpoint
  const isForm =
    form && request.headers.get('content-type')?.toLowerCase().startsWith('application/x-www-form-urlencoded')
  const fields = isForm ? new URLSearchParams(new TextDecoder().decode(bytes)) : []
  const query = new URLSearchParams([...url.searchParams, ...fields])
  const body = isForm ? {} : parseObject(bytes)
  const refusesUnknown = (method === 'delete' || method === 'patch') && !raw
  if (refusesUnknown)
    refuseUnknown(params!.shape, query, body, {
      // A PATCH ignores names that only other methods of its path declare. A PATCH with a `selector` refuses them too:
      // the caller may believe that they select the records to change.
      ignored: method === 'patch' && !hasSelector(params!.shape) ? siblings : new Set(),
      refusesNull: method === 'delete',
    })
  const merged = merge(params!.shape, query, body, path)
  const filled = bounded ? { ...merged, ...missingBoundValues(bounded, endpoint, merged) } : merged
  return {
    params: validate(params!, filled),
    warnings: refusesUnknown || raw ? [] : warningsAbout(params!.shape, query, body),
  }
}

/** Returns a function that encodes the result of a handler as the reply. A `Response` is passed on unchanged. */
function replyEncoder<Env extends CoreEnv>({ reply: shape, status, envelope }: Endpoint<Env>) {
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
 * Runs `prepare` before requests until it has succeeded once for an environment. Concurrent requests each run it and
 * share no promise: a promise belongs to the request that created it, which may be cancelled.
 */
function prepareOnce<Env extends object>({ prepare }: { prepare?: (env: Env) => Promise<void> }) {
  const prepared = new WeakSet<Env>()
  return async (env: Env) => {
    if (!prepare || prepared.has(env)) return
    await prepare(env)
    prepared.add(env)
  }
}
