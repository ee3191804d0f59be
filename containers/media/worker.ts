// What the media Worker's binding reaches: hands each request to one of the containers.
import { Container, getContainer, getRandom } from '@cloudflare/containers'
import { forward } from '../shared/forward.ts'
import { instanceOf } from './instance-name.ts'

export class MediaContainer extends Container<Env> {
  override defaultPort = 8080
  override pingEndpoint = 'container/health'
  // Longer than any pause of a caller that waits for its video.
  override sleepAfter = '10m'
  // It only answers.
  override enableInternet = false
}

interface Env {
  MEDIA_CONTAINER: DurableObjectNamespace<MediaContainer>
  /** As many as the configuration allows at a time. */
  INSTANCES: number
}

export default {
  async fetch(request, { MEDIA_CONTAINER: containers, INSTANCES: instances }) {
    const { pathname } = new URL(request.url)
    // Who watches over it must neither start an instance nor keep one awake.
    if (pathname === '/health') return Response.json({ status: true })
    const name = instanceOf(pathname, instances)
    const container = name ? getContainer(containers, name) : await getRandom(containers, instances)
    return forward(container, request)
  },
} satisfies ExportedHandler<Env>
