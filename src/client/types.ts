import type { Components, Secretive } from './api/index.ts'
import type { UnknownCode } from './errors.ts'
import type { Gateway } from './gateway.ts'

// Public types of the API client: settings, options of calls, and the methods of each component.

/** The address of the API, credentials, and defaults of calls. */
export interface Settings {
  /**
   * URL of the deployment, such as `https://api.example.com`, or `https://{component}.example.com` if each component has a
   * subdomain. Default in a browser: the origin of the page.
   */
  url?: string | undefined
  /**
   * Token that is sent as `Authorization: Bearer`. A function is called before each attempt, so that it can renew the
   * token.
   */
  token?: string | (() => string | Promise<string>) | undefined
  /** User name of HTTP Basic. Used only together with `password`. */
  username?: string | undefined
  password?: string | undefined
  /** Secrets for components with separate accounts, by the name of the component. */
  secrets?: { [Component in Secretive]?: string | undefined } | undefined
  /** Headers of every request. */
  headers?: Record<string, string> | undefined
  /** Timeout of a call with its retries in milliseconds. Default: 60,000. */
  timeout?: number | undefined
  /** Maximum number of retries of a call. Default: 3. */
  retries?: number | undefined
  /** Replaces the global `fetch`, such as by that of a service binding: `(input, init) => env.API.fetch(input, init)`. */
  fetch?: typeof globalThis.fetch | undefined
}

/** Options of a call. */
export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined
  /** Timeout of the call with its retries in milliseconds. If the reply is binary: until its headers. */
  timeout?: number | undefined
  /** Maximum number of retries. 0: none. */
  retries?: number | undefined
  headers?: Record<string, string> | undefined
}

/** Options of an operation with an idempotency key. */
export interface KeyedOptions extends CallOptions {
  /**
   * Idempotency key of the call: a later call with the same key gets the stored reply. Default: a random key, shared by
   * the retries of the call.
   */
  idempotencyKey?: string | undefined
}

/** Options of a stream. */
export interface StreamOptions {
  /** Ends the stream, without an error. */
  signal?: AbortSignal | undefined
  /** Milliseconds without data after which the client reconnects. Default: 60,000. */
  timeout?: number | undefined
  /** Maximum number of reconnects in a row without data. Default: unlimited. */
  retries?: number | undefined
  headers?: Record<string, string> | undefined
  /** Id of the last event that was processed: the stream resumes after it. */
  lastEventId?: string | undefined
}

/** One event of a stream. */
export interface StreamEvent {
  /** Id of this event, or of the last one that had an id. Empty if there was none. */
  id: string
  /** Name of the event. Default: `message`. */
  event: string
  /** The parsed JSON of the event, or its text if it is not JSON. */
  data: unknown
}

interface Operation {
  params: object
  reply: unknown
  keyed?: true
}

type OptionsOf<Op> = Op extends { keyed: true } ? KeyedOptions : CallOptions

/** The arguments of a call after the path. The parameters may be omitted if none is required. */
type Arguments<Params, Options> = {} extends Params
  ? [params?: Params, options?: Options]
  : [params: Params, options?: Options]

type Verb<Ops> = <Path extends keyof Ops & string>(
  path: Path,
  ...args: Ops[Path] extends Operation ? Arguments<Ops[Path]['params'], OptionsOf<Ops[Path]>> : never
) => Promise<Ops[Path] extends Operation ? Ops[Path]['reply'] : never>

type Streams<Ops> = <Path extends keyof Ops & string>(
  path: Path,
  ...args: Ops[Path] extends { params: object } ? Arguments<Ops[Path]['params'], StreamOptions> : never
) => AsyncGenerator<StreamEvent, void, undefined>

type Links<Ops> = <Path extends keyof Ops & string>(
  path: Path,
  ...args: Ops[Path] extends Operation ? Arguments<Ops[Path]['params'], never> : never
) => string

/** The methods of one component: one for each HTTP method, `events` for streams, and `url` for links. */
export type Component<Api> = {
  readonly [Method in keyof Api]: Method extends 'events' ? Streams<Api[Method]> : Verb<Api[Method]>
} & (Api extends { get: infer Gets } ? { readonly url: Links<Gets> } : unknown)

/** The types of all operations, by component, with those of the gateway. */
export type Api = Components & { gateway: Gateway }

/** The client: one object per component, and `request` for paths that have no type. */
export type Quartermaster = { readonly [Name in keyof Api]: Component<Api[Name]> } & {
  /** Sends a request to a path such as `/queue/_metrics`, and returns the response. Throws a `QuartermasterError` for an error. */
  request(method: string, path: string, params?: object, options?: CallOptions): Promise<Response>
}

/** The parameters of an operation: `Params<'queue', 'post', '/task'>`. */
export type Params<
  Name extends keyof Api,
  Method extends keyof Api[Name],
  Path extends keyof Api[Name][Method],
> = Api[Name][Method][Path] extends { params: infer OfOperation } ? OfOperation : never

/**
 * The error codes of an operation: `ErrorCode<'feed', 'get', '/records'>`. `UnknownCode` stands for the codes of newer versions of
 * the API, of proxies and of this client.
 */
export type ErrorCode<Name extends keyof Api, Method extends keyof Api[Name], Path extends keyof Api[Name][Method]> =
  | (Api[Name][Method][Path] extends { errors: infer Code extends string } ? Code : never)
  | UnknownCode

/** The result of an operation: `Reply<'feed', 'get', '/records'>`. */
export type Reply<
  Name extends keyof Api,
  Method extends keyof Api[Name],
  Path extends keyof Api[Name][Method],
> = Api[Name][Method][Path] extends { reply: infer OfOperation } ? OfOperation : never
