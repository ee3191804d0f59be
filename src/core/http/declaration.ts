// Types with which a component declares its HTTP API: its properties (`About`), its endpoints and their handlers.
import type * as z from 'zod'
import type { AuditEnv } from '#core/access/audit'
import type { CredentialsEnv } from '#core/access/authenticate'
import type { Protected } from '#core/access/authorize'
import type { Credential } from '#core/access/credential'
import type { CoreErrorCode, ErrorDefinition } from '#core/errors'
import type { Failure } from '#core/failure'
import type { Gauge } from '#core/metrics/families'
import type { MetricsEnv } from '#core/metrics/flush'
import type { AnalyticsEnv } from '#core/metrics/requests'
import type { AddressLimitEnv } from './address-limit.ts'
import type { IdempotencyEnv, MarkPointOfNoReturn } from './idempotency.ts'

/** The variables and bindings that every component reads. */
export interface CoreEnv extends CredentialsEnv, AuditEnv, AddressLimitEnv, IdempotencyEnv, MetricsEnv, AnalyticsEnv {
  /** Public URL of the deployment, from which `addressOf` derives the URL of each component. */
  BASE_URL?: string
  /** Origins whose pages may call the API: comma-separated, or `*` for all. Unset: replies have no CORS headers. */
  CORS_ORIGINS?: string
  /**
   * `true`: URLs from callers may name private addresses, such as `localhost`. Unset: such URLs are refused against
   * SSRF.
   */
  ALLOW_PRIVATE_TARGETS?: string
}

/** A component's properties that apply to all its endpoints. */
export interface About<Env, Code extends string = string> {
  /** The component's name in URLs, configuration and logs. */
  name: string
  title: string
  description: string
  /** The component's error codes, `errors` of `defineErrors`. */
  errors?: Record<Code, ErrorDefinition>
  /** Health checks of its dependencies for `/_health`, by name. */
  probes?: (env: Env) => Record<string, Probe>
  /**
   * Gauges of `/_metrics`. They are read at each request, so return only a few values that are cheap to compute with
   * any number of records.
   */
  gauges?: (env: Env) => Promise<Gauge[]>
  /** Whether a caller may see the state of the dependencies and the metrics without a scope, by an account of the component. */
  mayProbe?: (env: Env, request: Request) => Promise<boolean>
  /** Runs before the first request of an isolate, and again before the next one if it failed. */
  prepare?: (env: Env) => Promise<void>
  /**
   * The component handles OPTIONS requests itself; core then answers only the preflight requests of pages with a token. With
   * `preflightsBelow`, it answers these only for paths that begin with one of the prefixes.
   */
  takesOptions?: true | { preflightsBelow: readonly string[] }
  /** Request headers of the component's own API that pages with a token may send, in addition to those of all components. */
  requestHeaders?: string[]
  /** Response headers that CORS exposes to scripts of other origins, in addition to those of all components. */
  exposes?: string[]
  /**
   * Request header with the caller's secret, if the component has separate accounts instead of the deployment's
   * credentials.
   */
  secretHeader?: string
  /** The component that the scopes of its endpoints name. Default: `name`. `*`: a scope for all components. */
  scopeComponent?: string
  /** Path prefix of `/_health`, `/_metrics`, `/_docs` and `/_openapi.json`. Default: none. */
  pagesPrefix?: string
}

/** A health check. It resolves when the dependency answers, to a `ProbeReport` if it has details. */
export type Probe = () => Promise<unknown>

/** One endpoint of a component. */
export interface Endpoint<Env extends CoreEnv> extends Declared<Env, z.ZodObject, ReplyShape, string> {
  method: Method
  path: Path
  handler: Handler<Env, z.ZodObject, ReplyShape>
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options'
export type Path = `/${string}`
export type ReplyShape = z.ZodRawShape | undefined

/**
 * The return value of a handler: the values that the schema of the reply encodes as JSON, such as a `Date` for a time.
 */
export type ReplyContent<R extends ReplyShape> = R extends z.ZodRawShape ? z.output<z.ZodObject<R>> : void

/** The declaration of an endpoint. Validation, the OpenAPI document and the docs page follow from it. */
export interface Declared<Env, Params extends z.ZodObject, R extends ReplyShape, Code extends string>
  extends Protected {
  summary: string
  description?: string
  /** The parameters in path, body and query. Unset: no parameters are read. */
  params?: Params
  /** The fields of `content` in the reply. The handler returns decoded values, the schema encodes them. */
  reply?: R
  /** `flat`: the fields of `reply` are beside `status`. `none`: they are the whole body. Default: they are under `content`. */
  envelope?: 'flat' | 'none'
  /**
   * When the handler replies 204 without content, as a sentence for the documentation. Unset: the endpoint never
   * replies 204.
   */
  empty?: string
  /** Status of a success. Default: 200. */
  status?: 200 | 201 | 202
  /** All replies that are not errors, by status. `reply` or `produces` describes the body of the success, of a 200 and of a 206. */
  replies?: Record<number, DescribedReply>
  /**
   * Error codes of the handler itself. Those that the declaration implies, such as `unauthorized`, are added; see
   * `errorCodesOf`.
   */
  errors?: readonly (Code | CoreErrorCode)[]
  /** Maximum size of the body in bytes. Default: 1 MB. */
  bodyLimit?: number
  /** The handler reads the body from `request` itself, such as an upload. Core neither reads nor validates the body. */
  raw?: true
  /** The fields of a raw body of the type `multipart/form-data`. */
  multipart?: z.ZodObject
  /** Fields of the query, or of a form or JSON body, that the handler parses itself. They are documented, but not validated. */
  fields?: z.ZodObject
  /** The media type of a raw body that is not a form. */
  takes?: { type: string; required?: true }
  /** Descriptions of the path parameters that the handler reads itself, by name. */
  pathParameters?: Record<string, string>
  /** Request headers to document. They are not checked: the handler or `proof` reads them from `request`. */
  headers?: Record<string, RequestHeader>
  /** The endpoint is documented as HEAD, since its reply has only headers. GET works too. */
  head?: true
  /**
   * A GET with an effect. A HEAD request gets a reply without calling the handler, since HEAD must have no effect (RFC
   * 9110).
   */
  consumes?: true
  /** Accepts a body of the type `application/x-www-form-urlencoded` as an alternative to JSON. */
  form?: true
  /** The endpoint needs no credentials, and pages of any site may call it. */
  open?: true
  /**
   * An open endpoint, or one with a `proof`, whose `Authorization` header may be for another system, such as a service under test. Other
   * endpoints reply 401 to wrong credentials, also if they need none.
   */
  takesAnyAuthorization?: true
  /** Accepts a token as `?token=`, since browsers send no headers for streams and downloads. */
  tokenInQuery?: true
  /** Parameter that names the object of the call in the audit log. Its values are never personal. Default: see `objectIdOf`. */
  objectId?: string
  /** Limits the requests of a client address by the binding `RATE_LIMIT`: 429 `rate_limit`. For open endpoints. */
  addressLimit?: true
  /**
   * A GET with an effect, such as a counted attempt. Pages of other sites may not call it: a link or an image could
   * trigger the effect.
   */
  unsafe?: true
  /** Alternative to credentials, such as a callback signature. If it returns false, credentials are required. */
  proof?: (request: UnvalidatedRequest<Env>) => boolean | Promise<boolean>
  /** What `proof` verifies, for the documentation: `signature of the queue`. */
  provenBy?: string
  /** `proof` throws 401 for all other requests, so that no credentials are accepted. */
  onlyProven?: true
  /** `proof` verifies the component's `secretHeader`, the secret of an account. */
  byAccount?: true
  /**
   * Accepts an `Idempotency-Key`: a retry with the same key gets the stored reply. After a crash, a retry gets 504
   * `outcome_unknown`, since the first request may have had an effect. With `from-point-of-no-return` it runs again if the
   * handler had not yet called `markPointOfNoReturn`.
   */
  idempotent?: true | 'from-point-of-no-return'
  /** Time for which the reply to an `Idempotency-Key` is stored, in milliseconds. Default: a day. */
  keyRetentionMs?: (env: Env) => number
  /** The media type of the reply. Default: JSON. */
  produces?: string
  /**
   * The endpoint adds rows to the component's database. It replies 503 `database_full` if the D1 database is nearly
   * full.
   */
  adds?: true
  /** Renders an error in the media type of `produces`, for endpoints that people open in a browser. */
  refused?: (failure: Failure, request: Omit<UnvalidatedRequest<Env>, 'bytes'>) => Response | Promise<Response>
}

/** Documentation of a reply: its cause, and its headers except those of all replies. */
export interface DescribedReply {
  description: string
  headers?: Record<string, string>
  /** The reply is an error, and has the body of an error. */
  refusal?: true
}

/** Documentation of a request header. */
export interface RequestHeader {
  description: string
  required?: true
  example?: string
}

/** A request whose parameters are not validated yet. */
export interface UnvalidatedRequest<Env> {
  env: Env
  request: Request
  url: URL
  /** The body of the request. Empty if the endpoint is `raw`, since its handler reads the body itself. */
  bytes: Uint8Array
}

/** The input of a handler. */
interface Call<Env, Params extends z.ZodObject> extends UnvalidatedRequest<Env> {
  params: z.output<Params>
  ctx: ExecutionContext
  /** The component's public URL. */
  base: string
  requestId: string
  /** What the caller may do. Unset if the endpoint is open, or a `proof` admitted the request. */
  credential?: Credential
  /**
   * For endpoints with `idempotent: 'from-point-of-no-return'`: call it right before the first effect. Throws 409 if a
   * retry has taken over meanwhile.
   */
  markPointOfNoReturn: MarkPointOfNoReturn
  /** Names the object of the call in the audit log, if no parameter does. Never with a personal value. */
  nameObject: (id: string) => void
}

export type Handler<Env, Params extends z.ZodObject, R extends ReplyShape> = (
  call: Call<Env, Params>,
) => ReplyContent<R> | Response | Promise<ReplyContent<R> | Response>
