// The Worker in front of the containers, which the PDF Worker binds: forwards each request to one container instance.
import { Container, getRandom } from '@cloudflare/containers'
import { forward } from '../shared/forward.ts'

/** The Worker's variables that are passed on to the server in the container. */
const passedVariables: (keyof Variables)[] = [
  'CHROMIUM_NO_SANDBOX',
  'ALLOW_PRIVATE_TARGETS',
  'NAME_SERVERS',
  'PAGES',
  'LINE',
  'MAX_SECONDS',
  'MAX_PDF',
  'MAX_MEMORY',
  'MAX_TRAFFIC',
  'RECYCLE_AFTER',
]

export class ChromiumContainer extends Container<Env> {
  override defaultPort = 8080
  override pingEndpoint = 'container/health'
  override sleepAfter = '10m'
  // The container has access to the network, since documents load images, styles and fonts. The server's egress proxy
  // decides which addresses are allowed.
  override enableInternet = true
  override envVars = variablesOf(this.env)
}

interface Variables {
  CHROMIUM_NO_SANDBOX?: string
  ALLOW_PRIVATE_TARGETS?: string
  NAME_SERVERS?: string
  PAGES?: string
  LINE?: string
  MAX_SECONDS?: string
  MAX_PDF?: string
  MAX_MEMORY?: string
  MAX_TRAFFIC?: string
  RECYCLE_AFTER?: string
}

interface Env extends Variables {
  CHROMIUM_CONTAINER: DurableObjectNamespace<ChromiumContainer>
  /** Number of container instances, equal to `max_instances` in wrangler.toml. */
  INSTANCES: number
}

export default {
  async fetch(request, { CHROMIUM_CONTAINER: containers, INSTANCES: instances }) {
    // The Worker answers health checks itself: a check must neither start an instance nor keep one awake.
    if (new URL(request.url).pathname === '/health') return Response.json({ status: true })
    const container = await getRandom(containers, instances)
    return forward(container, request)
  },
} satisfies ExportedHandler<Env>

const variablesOf = (env: Variables): Record<string, string> =>
  Object.fromEntries(passedVariables.flatMap((name) => (env[name] === undefined ? [] : [[name, String(env[name])]])))
