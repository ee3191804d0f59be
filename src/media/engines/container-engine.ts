import type { Failure } from '#core/failure'
import { type Container, containerStartSeconds } from '#core/outgoing/container'
import { unavailable } from '../container.ts'
import { failure } from '../errors.ts'
import { brokenImage, type Engine, type ImageSource, type RenderPlan } from './engine.ts'

/** Pictures by the media container; 503 where that is down or full, 502 where it fails. */
export const containerEngine = (service: Container): Engine => ({
  check: async (source) => {
    const response = await send(service, '/image/check', source)
    await response.body?.cancel()
  },

  render: async (source, plan) => {
    const response = await send(service, `/image?${queryOf(plan)}`, source)
    // As it comes: a turned picture of a hundred million pixels does not fit into the Worker.
    const length = Number(response.headers.get('content-length'))
    return response.body!.pipeThrough(new FixedLengthStream(length))
  },
})

/** Longer than it gives itself for a picture. */
const patience = 130_000

async function send(service: Container, path: string, { stream }: ImageSource): Promise<Response> {
  const body = await stream()
  const response = await service.fetch(path, { method: 'POST', body, signal: AbortSignal.timeout(patience) })
  if (response.ok) return response
  await response.body?.cancel()
  throw refusalOf(response)
}

function refusalOf({ status, headers }: Response): Failure {
  switch (status) {
    // What begins like a picture, and is none to libvips, is broken too.
    case 400:
    case 415:
      return brokenImage()
    case 413:
      return failure('payload_too_large', 'The image is larger than the media container takes.')
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
