import type * as z from 'zod'
import type { CoreErrorCode, ErrorDefinition } from '#core/errors'
import type { Failure } from '#core/failure'
import type { Gauge } from '#core/metrics/families'
import type { MetricsEnv } from '#core/metrics/flush'
import type { AnalyticsEnv } from '#core/metrics/requests'
import type { AccessEnv } from './access.ts'
import type { IdempotencyEnv, MarkPointOfNoReturn } from './idempotency.ts'

/** What every component reads from its environment. */
export interface CoreEnv extends AccessEnv, IdempotencyEnv, MetricsEnv, AnalyticsEnv {
  /** The public address of all components; see `baseUrl`. */
  BASE_URL?: string
  /** Comma-separated origins, or `*`; none: no CORS. */
  CORS_ORIGINS?: string
  /** `true`: URLs that callers name may lead to private addresses. */
  ALLOW_PRIVATE_TARGETS?: string
}

export interface About<Env, Code extends string = string> {
  /** The component's name in URLs, configuration and logs. */
  name: string
  title: string
  description: string
  /** What `defineErrors` returned under `errors`. Until it is given, the codes of the endpoints are not checked. */
  errors?: Record<Code, ErrorDefinition>
  /** What it depends on, for `/_health`; each resolves when the dependency answers. */
  probes?: (env: Env) => Record<string, Probe>
  /** What `/_metrics` reads on the spot: a few values, each cheap however much there is. */
  gauges?: (env: Env) => Promise<Gauge[]>
  /** Who learns their state, and reads the metrics; unless given, who has access. */
  mayProbe?: (env: Env, request: Request) => Promise<boolean>
  /** Runs before a request is served, until it has succeeded once in an isolate. */
  prepare?: (env: Env) => Promise<void>
  /** Its endpoints take OPTIONS like any other method: no preflight of a browser's is answered for it. */
  takesOptions?: true
  /** Headers of its replies that scripts of other origins may read, besides those of all components. */
  exposes?: string[]
  /** The header that carries its callers' secrets, where these are its own. */
  secretHeader?: string
  /** Where `/_health`, `/_metrics`, `/_docs` and `/_openapi.json` lie, when not at the root. */
  pagesPrefix?: string
}

/** Resolves when a dependency answers; to a `Health` if there is more to say of it. */
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

/** What a handler returns: what the reply's schema encodes. */
export type ReplyContent<R extends ReplyShape> = R extends z.ZodRawShape ? z.output<z.ZodObject<R>> : void

export interface Declared<Env, Params extends z.ZodObject, R extends ReplyShape, Code extends string> {
  summary: string
  description?: string
  /** The parameters, wherever they travel; none: they are not read. */
  params?: Params
  /** What stands under `content`, as the code has it; the schema's codecs write it. */
  reply?: R
  /** The reply's keys stand beside `status`, or without it, rather than under `content`. */
  envelope?: 'flat' | 'none'
  /** When the handler answers 204 instead, without content. */
  empty?: string
  /** Of a success; 200 unless given. */
  status?: 200 | 201 | 202
  /** What it answers besides refusals, by status, in place of the usual success; `reply` or `produces` stays what that and a 206 hold. */
  replies?: Record<number, DescribedReply>
  /** Error codes that do not follow from the rest of the declaration; see `errorCodesOf`. */
  errors?: readonly (Code | CoreErrorCode)[]
  /** The most bytes a body may have. */
  bodyLimit?: number
  /** The body is the handler's to read, from `request`. */
  raw?: true
  /** The fields of the `multipart/form-data` that the handler reads from a raw body. */
  multipart?: z.ZodObject
  /** The type of a raw body that is no form. */
  takes?: { type: string; required?: true }
  /** The headers that the handler reads. */
  headers?: Record<string, RequestHeader>
  /** It is described as a HEAD, since all it answers is in headers; a GET gets the same. */
  head?: true
  /** A GET that changes something: a HEAD of it is answered without calling the handler (RFC 9110: HEAD is safe). */
  consumes?: true
  /** The body may be `application/x-www-form-urlencoded` too. */
  form?: true
  /** Everybody may call it, from a page of any site too. */
  open?: true
  /** A GET that changes something, such as a count of attempts: like other methods, pages of other sites must not call it. */
  unsafe?: true
  /** Who proves this needs no credentials; everybody else does. */
  proof?: (asked: UnvalidatedRequest<Env>) => boolean | Promise<boolean>
  /**
   * A repeat with the same `Idempotency-Key` gets the first reply. What was cut off may have taken effect, unless it is so
   * only after `markPointOfNoReturn` resolved: before that a repeat begins anew.
   */
  idempotent?: true | 'from-point-of-no-return'
  /** For how long the first reply to an `Idempotency-Key` is kept, in milliseconds; a day unless given. */
  keyRetentionMs?: (env: Env) => number
  /** The media type of the reply, where it is not JSON. */
  produces?: string
  /** It adds rows to the component's database: 503 `database_full` if that has no room. */
  adds?: true
  /** A refusal as a reply of that type too, for callers that are people. */
  refused?: (failure: Failure, asked: Omit<UnvalidatedRequest<Env>, 'bytes'>) => Response | Promise<Response>
}

/** A reply in words: when it comes, and the headers that it has besides those of all replies. */
export interface DescribedReply {
  description: string
  headers?: Record<string, string>
  /** Its body is that of a refusal. */
  refusal?: true
}

/** A header of a request. */
export interface RequestHeader {
  description: string
  required?: true
  example?: string
}

/** A request before its parameters are known to be right. */
export interface UnvalidatedRequest<Env> {
  env: Env
  request: Request
  url: URL
  /** The body, unless it is the handler's to read. */
  bytes: Uint8Array
}

/** What a handler works with. */
interface Call<Env, Params extends z.ZodObject> extends UnvalidatedRequest<Env> {
  params: z.output<Params>
  ctx: ExecutionContext
  /** The component's own public address. */
  base: string
  requestId: string
  /** For `idempotent: 'from-point-of-no-return'`: call it right before the first effect. Throws 409 if a repeated request has taken over. */
  markPointOfNoReturn: MarkPointOfNoReturn
}

export type Handler<Env, Params extends z.ZodObject, R extends ReplyShape> = (
  call: Call<Env, Params>,
) => ReplyContent<R> | Response | Promise<ReplyContent<R> | Response>
