import type { Components, Secretive } from './api/index.ts'
import type { UnknownCode } from './errors.ts'
import type { Gateway } from './gateway.ts'

/** How to reach the API, and as whom. */
export interface Settings {
  /**
   * Where all components are, such as `https://api.example.com`, or `https://{component}.example.com` where each has a
   * name of its own; in a browser the page's own origin unless given.
   */
  url?: string | undefined
  /** Sent as `Authorization: Bearer`; a function is asked before each attempt. */
  token?: string | (() => string | Promise<string>) | undefined
  /** With `password`: HTTP Basic. */
  username?: string | undefined
  password?: string | undefined
  /** Secrets of the components that have callers of their own, by component. */
  secrets?: { [Component in Secretive]?: string | undefined } | undefined
  /** Headers of every request. */
  headers?: Record<string, string> | undefined
  /** In milliseconds, for a call with its repeats: 60,000 unless given. */
  timeout?: number | undefined
  /** How often a call is repeated at most: 3 unless given. */
  retries?: number | undefined
  /** In place of the global `fetch`: `(input, init) => env.API.fetch(input, init)` of a service binding. */
  fetch?: typeof globalThis.fetch | undefined
}

/** What one call may differ in. */
export interface CallOptions {
  /** Ends the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined
  /** In milliseconds, for the call with its repeats; the time until a reply's head where the reply is bytes. */
  timeout?: number | undefined
  /** How often the call is repeated at most; 0: never. */
  retries?: number | undefined
  headers?: Record<string, string> | undefined
}

/** Where the first reply is kept for a day: the key under which it is, so that the call can be made again later. */
export interface KeyedOptions extends CallOptions {
  /** One is made for each call unless given. */
  idempotencyKey?: string | undefined
}

/** What one stream may differ in. */
export interface StreamOptions {
  /** Ends the stream, without an error. */
  signal?: AbortSignal | undefined
  /** In milliseconds: the longest silence, after which the stream is opened again; 60,000 unless given. */
  timeout?: number | undefined
  /** How often in a row it is opened again without anything that comes; without end unless given. */
  retries?: number | undefined
  headers?: Record<string, string> | undefined
  /** The id of the last event that was seen: the stream goes on after it. */
  lastEventId?: string | undefined
}

/** One event of a stream. */
export interface StreamEvent {
  /** Of this event, or of the last one that had any; empty where there was none. */
  id: string
  /** `message` unless it is named. */
  event: string
  /** The event's JSON; its text where it is none. */
  data: unknown
}

interface Operation {
  params: object
  reply: unknown
  keyed?: true
}

type OptionsOf<Op> = Op extends { keyed: true } ? KeyedOptions : CallOptions

/** Parameters may be left out where none is required. */
type Given<Asked, Options> = {} extends Asked ? [params?: Asked, options?: Options] : [params: Asked, options?: Options]

type Verb<Ops> = <Path extends keyof Ops & string>(
  path: Path,
  ...given: Ops[Path] extends Operation ? Given<Ops[Path]['params'], OptionsOf<Ops[Path]>> : never
) => Promise<Ops[Path] extends Operation ? Ops[Path]['reply'] : never>

type Streams<Ops> = <Path extends keyof Ops & string>(
  path: Path,
  ...given: Ops[Path] extends { params: object } ? Given<Ops[Path]['params'], StreamOptions> : never
) => AsyncGenerator<StreamEvent, void, undefined>

type Links<Ops> = <Path extends keyof Ops & string>(
  path: Path,
  ...given: Ops[Path] extends Operation ? Given<Ops[Path]['params'], never> : never
) => string

/** The calls of one component: a method for each HTTP method that it has, `events` for its streams, `url` for links. */
export type Component<Api> = {
  readonly [Method in keyof Api]: Method extends 'events' ? Streams<Api[Method]> : Verb<Api[Method]>
} & (Api extends { get: infer Gets } ? { readonly url: Links<Gets> } : unknown)

/** All operations: of each component, and of the gateway before them. */
export type Api = Components & { gateway: Gateway }

/** The client: its components, and `request` for what no type describes. */
export type Quartermaster = { readonly [Name in keyof Api]: Component<Api[Name]> } & {
  /** Sends a request to a path such as `/queue/_metrics`, and gives the reply as it is; a refusal throws. */
  request(method: string, path: string, params?: object, options?: CallOptions): Promise<Response>
}

/** What a call takes: `Params<'queue', 'post', '/task'>`. */
export type Params<
  Name extends keyof Api,
  Method extends keyof Api[Name],
  Path extends keyof Api[Name][Method],
> = Api[Name][Method][Path] extends { params: infer Asked } ? Asked : never

/**
 * The `code` of an error of a call: `ErrorCode<'feed', 'get', '/records'>`. Those that the API has today, and `UnknownCode` for
 * those of newer versions, of proxies and of this client.
 */
export type ErrorCode<Name extends keyof Api, Method extends keyof Api[Name], Path extends keyof Api[Name][Method]> =
  | (Api[Name][Method][Path] extends { errors: infer Code extends string } ? Code : never)
  | UnknownCode

/** What a call gives: `Reply<'feed', 'get', '/records'>`. */
export type Reply<
  Name extends keyof Api,
  Method extends keyof Api[Name],
  Path extends keyof Api[Name][Method],
> = Api[Name][Method][Path] extends { reply: infer Given } ? Given : never
