// The image engine that sends images to the media container, for AVIF and for images too large for the Worker's memory.
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
    // The result is streamed: a rendition of a hundred million pixels does not fit into the memory of the Worker. R2 demands a
    // stream of known length.
    const length = Number(response.headers.get('content-length'))
    return response.body!.pipeThrough(new FixedLengthStream(length))
  },
})

/**
 * Timeout of a request in milliseconds. Longer than the 120 seconds that the container allows for one image, so that its error
 * arrives.
 */
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
    // The decoder of the container, libvips, rejects the file. The image is broken, and the caller gets 400.
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
