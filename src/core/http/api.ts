// Declares and serves the HTTP API of a component: `api(…).get(path, …)` adds an endpoint, and Hono routes the requests.
import { Hono } from 'hono'
import type * as z from 'zod'
import { setOwnName } from '#core/access/service-token'
import { failure } from '#core/failure'
import { showMetrics } from '#core/metrics/page'
import { checkSent } from './access.ts'
import { readBody } from './body.ts'
import type {
  About,
  CoreEnv,
  Declared,
  Endpoint,
  Handler,
  Method,
  Path,
  ReplyContent,
  ReplyShape,
} from './declaration.ts'
import { docs } from './docs.ts'
import { megabyte, serve } from './endpoint.ts'
import { checkHealth } from './health.ts'
import { observe, onError } from './observe.ts'
import type { Observed } from './observed.ts'
import { describeApi } from './openapi.ts'
import { reply } from './reply.ts'

export type { CoreEnv } from './declaration.ts'

type Verbs<Env extends CoreEnv, Calls, Code extends string> = {
  [Verb in Method]: <
    const At extends Path,
    Params extends z.ZodObject = z.ZodObject<{}>,
    R extends ReplyShape = undefined,
  >(
    path: At,
    declaration: Declared<Env, Params, R, Code>,
    handler: Handler<Env, Params, R>,
  ) => ComponentApi<
    Env,
    Calls & Record<`${Uppercase<Verb>} ${At}`, { params: z.input<Params>; content: ReplyContent<R> }>,
    Code
  >
}

/**
 * The HTTP API of a component. Each verb method declares an endpoint and returns the API with the types of that endpoint added
 * to `Calls`, which `peer` reads. `Code` is the union of the component's error codes.
 */
export type ComponentApi<Env extends CoreEnv, Calls = {}, Code extends string = never> = Verbs<Env, Calls, Code> & {
  /**
   * Declares a GET with personal or secret parameters, and a POST with the same parameters, handler and reply, for callers that
   * keep such values out of URLs. `postPath` is the path of the POST if `path` has another POST.
   */
  getOrPost<
    const At extends Path,
    const PostAt extends Path = At,
    Params extends z.ZodObject = z.ZodObject<{}>,
    R extends ReplyShape = undefined,
  >(
    path: At,
    declaration: Declared<Env, Params, R, Code> & { postPath?: PostAt },
    handler: Handler<Env, Params, R>,
  ): ComponentApi<
    Env,
    Calls & Record<`GET ${At}` | `POST ${PostAt}`, { params: z.input<Params>; content: ReplyContent<R> }>,
    Code
  >
  /**
   * Only for types: at run time this property is never set. `peer` reads the parameter and reply types of the endpoints
   * from it.
   */
  calls?: Calls
  about: About<Env>
  endpoints: readonly Endpoint<Env>[]
  /**
   * Sets the handler of requests that match no endpoint; they need no credentials. Without it, such requests get 404
   * `route_not_found`.
   */
  otherwise(handler: Handler<Env, z.ZodObject<{}>, undefined>, limits?: RestLimits): ComponentApi<Env, Calls, Code>
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response>
}

/** The handler of requests that match no endpoint, which may be limited by client address; see `Declared`. */
type RestLimits = { addressLimit?: true }

type Rest<Env> = RestLimits & { handler: Handler<Env, z.ZodObject<{}>, undefined> }

const methods = ['get', 'post', 'put', 'patch', 'delete', 'options'] as const

/**
 * Begins the declaration of a component's HTTP API. The API also serves `/_health`, `/_metrics`, `/_openapi.json` and
 * `/_docs`.
 */
export function api<Env extends CoreEnv, Code extends string = never>(
  about: About<Env, Code>,
): ComponentApi<Env, {}, Code> {
  setOwnName(about.name)
  const endpoints: Endpoint<Env>[] = []
  let rest: Rest<Env> | undefined
  let app: Hono<Observed<Env>> | undefined
  const self = {
    about,
    endpoints,
    getOrPost(
      path: Path,
      { postPath = path, ...declaration }: PairDeclaration<Env, Code>,
      handler: Handler<Env, z.ZodObject, ReplyShape>,
    ) {
      endpoints.push(...bothForms({ ...declaration, path, postPath, handler }))
      return self
    },
    otherwise(handler: Rest<Env>['handler'], limits: RestLimits = {}) {
      rest = { ...limits, handler }
      return self
    },
    async fetch(request: Request, env: Env, ctx: ExecutionContext) {
      app ??= route(about, endpoints, rest)
      return app.fetch(request, env, ctx)
    },
  } as unknown as ComponentApi<Env, {}, Code>
  for (const method of methods) {
    // Each verb method adds its endpoint and returns this same object, `self`. Only the TypeScript type of the returned
    // object is new.
    Object.assign(self, {
      [method]: (
        path: Path,
        declaration: Declared<Env, z.ZodObject, ReplyShape, Code>,
        handler: Handler<Env, z.ZodObject, ReplyShape>,
      ) => {
        endpoints.push({ ...declaration, method, path, handler })
        return self
      },
    })
  }
  return self
}

type PairDeclaration<Env, Code extends string> = Declared<Env, z.ZodObject, ReplyShape, Code> & { postPath?: Path }

/** The GET and the POST of `getOrPost`. A POST always counts as a request with effects, so that it needs no `unsafe`. */
function bothForms<Env extends CoreEnv>({
  postPath,
  ...get
}: Omit<Endpoint<Env>, 'method'> & { postPath: Path }): Endpoint<Env>[] {
  const { unsafe: _, consumes: __, ...post } = get
  const describe = (text: string) => `${get.description ? `${get.description} ` : ''}${text}`
  const inUrl = `A URL may be stored in logs and histories: \`POST ${postPath}\` takes the same parameters in the body.`
  const inBody = `The same as \`GET ${get.path}\`, with the parameters in the body, so that no URL has them.`
  return [
    { ...get, method: 'get', description: describe(inUrl) },
    { ...post, method: 'post', path: postPath, description: describe(inBody) },
  ]
}

function route<Env extends CoreEnv>(about: About<Env>, endpoints: Endpoint<Env>[], rest: Rest<Env> | undefined) {
  const app = new Hono<Observed<Env>>()
  const pagesPrefix = about.pagesPrefix ?? ''
  app.use(observe(about))
  app.onError(onError(about))
  for (const [path, page] of Object.entries(pages(about, endpoints))) {
    app.get(pagesPrefix + path, async (c) => {
      c.set('route', pagesPrefix + path)
      c.set('isPage', path === '/_docs')
      c.set('sent', await checkSent(c.env, c.req.raw))
      return page(c.env, c.req.raw)
    })
  }
  for (const endpoint of endpoints) {
    const siblings = endpoints.filter(({ path }) => path === endpoint.path)
    app.on(endpoint.method.toUpperCase(), endpoint.path, serve(about, endpoint, siblings))
  }
  const reserved = Object.keys(pages(about, endpoints)).map((path) => ({
    method: 'get' as const,
    path: pagesPrefix + path,
  }))
  for (const [path, allowed] of allowedMethods([...endpoints, ...reserved])) {
    app.all(path, (c) => notAllowed(c.env, c.req.raw, allowed))
  }
  // The `otherwise` handler takes requests for other systems. It may answer with any error code of the component, so all of them
  // count as declared.
  const others = rest
    ? {
        ...rest,
        raw: true as const,
        takesAnyAuthorization: true as const,
        errors: [...Object.keys(about.errors ?? {}), 'route_not_found'],
      }
    : noRoute
  app.all('*', serve(about, { ...others, ...everything }))
  return app
}

const everything = { method: 'get', path: '/*', summary: '', open: true } as const

const noRoute = {
  errors: ['route_not_found'],
  handler: () => {
    throw failure('route_not_found')
  },
}

/** The pages that every component serves next to its endpoints. */
const pages = <Env extends CoreEnv>(about: About<Env>, endpoints: Endpoint<Env>[]) => ({
  '/_health': (env: Env, request: Request) => checkHealth(about, env, request),
  '/_metrics': (env: Env, request: Request) => showMetrics(about, env, request),
  '/_openapi.json': (env: Env, request: Request) => reply(describeApi(about, endpoints, env, request)),
  '/_docs': (env: Env, request: Request) => docs(describeApi(about, endpoints, env, request)),
})

function allowedMethods(endpoints: { method: Method; path: string }[]): Map<string, string> {
  const allowed = new Map<string, string>()
  for (const { method, path } of endpoints) {
    const names = method === 'get' ? 'GET, HEAD' : method.toUpperCase()
    allowed.set(path, allowed.has(path) ? `${allowed.get(path)}, ${names}` : names)
  }
  return allowed
}

async function notAllowed<Env extends CoreEnv>(env: Env, request: Request, allow: string): Promise<never> {
  await readBody(request, megabyte)
  await checkSent(env, request)
  throw failure('method_not_allowed', `The path does not accept ${request.method}. Use ${allow}.`, {
    headers: { allow },
  })
}
