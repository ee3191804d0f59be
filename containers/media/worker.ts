// The Worker in front of the containers: forwards each request of the media Worker to one of them.
import { Container, getContainer, getRandom } from '@cloudflare/containers'
import { forward } from '../shared/forward.ts'
import { instanceOf } from './instance-name.ts'

export class MediaContainer extends Container<Env> {
  override defaultPort = 8080
  override pingEndpoint = 'container/health'
  // Longer than any pause between the requests of a job.
  override sleepAfter = '10m'
  // The container makes no outgoing requests.
  override enableInternet = false
}

interface Env {
  MEDIA_CONTAINER: DurableObjectNamespace<MediaContainer>
  /** Number of instances: `max_instances` in wrangler.toml. */
  INSTANCES: number
}

export default {
  async fetch(request, { MEDIA_CONTAINER: containers, INSTANCES: instances }) {
    const { pathname } = new URL(request.url)
    // Monitoring must neither start an instance nor keep it awake.
    if (pathname === '/health') return Response.json({ status: true })
    const name = instanceOf(pathname, instances)
    const container = name ? getContainer(containers, name) : await getRandom(containers, instances)
    return forward(container, request)
  },
} satisfies ExportedHandler<Env>
