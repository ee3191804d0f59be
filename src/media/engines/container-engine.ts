import type { Failure } from '#core/failure'
import { type Container, containerStartSeconds } from '#core/outgoing/container'
import { unavailable } from '../container.ts'
import { failure } from '../errors.ts'
import { brokenImage, type Engine, type ImageSource, type RenderPlan } from './engine.ts'

/** Processes images in the media container. Throws 503 if the container is down or full, 502 if it fails. */
export const containerEngine = (service: Container): Engine => ({
  check: async (source) => {
    const response = await send(service, '/image/check', source)
    await response.body?.cancel()
  },

  render: async (source, plan) => {
    const response = await send(service, `/image?${queryOf(plan)}`, source)
    // The result is streamed: an image of a hundred million pixels does not fit into the memory of the Worker.
    const length = Number(response.headers.get('content-length'))
    return response.body!.pipeThrough(new FixedLengthStream(length))
  },
})

/** Longer than the timeout of the container for one image, 120 seconds. */
const requestTimeoutMs = 130_000

async function send(service: Container, path: string, { stream }: ImageSource): Promise<Response> {
  const body = await stream()
  const response = await service.fetch(path, { method: 'POST', body, signal: AbortSignal.timeout(requestTimeoutMs) })
  if (response.ok) return response
  await response.body?.cancel()
  throw failureFor(response)
}

function failureFor({ status, headers }: Response): Failure {
  switch (status) {
    // libvips cannot decode the file: treat it as broken.
    case 400:
    case 415:
      return brokenImage()
    case 413:
      return failure('payload_too_large', 'The image is larger than the media container accepts.')
    case 503:
    case 507:
      return unavailable(undefined, Number(headers.get('retry-after')) || containerStartSeconds)
    default:
      return failure('media_container_failed')
  }
}

const queryOf = ({ orientation, crop, width, height, format, quality = 'usual' }: RenderPlan) =>
  new URLSearchParams(
    Object.entries({
      orientation,
      ...(crop && { x: crop.x, y: crop.y, crop_width: crop.width, crop_height: crop.height }),
      width,
      height,
      format,
      quality,
    }).map(([name, value]) => [name, String(value)]),
  )
