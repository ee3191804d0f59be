// The Worker in front of the media containers, which the media Worker binds: forwards each request to one container
// instance.
import { Container, getContainer, getRandom } from '@cloudflare/containers'
import { forward } from '../shared/forward.ts'
import { instanceOf } from './instance-name.ts'

export class MediaContainer extends Container<Env> {
  override defaultPort = 8080
  override pingEndpoint = 'container/health'
  // An instance stops after this time without requests. It is longer than any pause between the requests of a job,
  // since a stopped instance loses its jobs.
  override sleepAfter = '10m'
  // The container gets no access to the network, since the media server makes no outgoing requests.
  override enableInternet = false
}

interface Env {
  MEDIA_CONTAINER: DurableObjectNamespace<MediaContainer>
  /** Number of container instances, equal to `max_instances` in wrangler.toml. */
  INSTANCES: number
}

export default {
  async fetch(request, { MEDIA_CONTAINER: containers, INSTANCES: instances }) {
    const { pathname } = new URL(request.url)
    // The Worker answers health checks itself: monitoring must neither start an instance nor keep one awake.
    if (pathname === '/health') return Response.json({ status: true })
    const name = instanceOf(pathname, instances)
    const container = name ? getContainer(containers, name) : await getRandom(containers, instances)
    return forward(container, request)
  },
} satisfies ExportedHandler<Env>
