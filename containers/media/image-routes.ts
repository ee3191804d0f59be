// Handles POST /image, which renders an image, and POST /image/check, which decodes one to verify that it is not broken.
import { disconnectSignal, integer, readBody } from '../shared/body.ts'
import { invalid } from '../shared/http-error.ts'
import { sendBytes, sendJson } from '../shared/reply.ts'
import type { Semaphore } from '../shared/semaphore.ts'
import type { Exchange } from './exchange.ts'
import { checkTarget, decodeAll, isFormat, type Rendition, readImageHeader, render } from './image.ts'
import { orientedSize, type PixelSize } from './orientation.ts'
import type { MediaSettings } from './settings.ts'

const maxBodyBytes = 200_000_000

/** Renders the image in the body by the parameters in the query: orientation, crop, size, format. */
export async function convertImage(
  { request, response, query }: Exchange,
  semaphore: Semaphore,
  { maxPixels }: MediaSettings,
) {
  const gone = disconnectSignal(response)
  const { bytes, format } = await semaphore.run(gone, async () => {
    const file = await readBody(request, maxBodyBytes)
    const size = await readImageHeader(file, maxPixels)
    const rendition = renditionOf(query, size)
    checkTarget(rendition, maxPixels)
    gone.throwIfAborted()
    return { bytes: await render(file, size, rendition), format: rendition.format }
  })
  sendBytes(response, `image/${format}`, bytes)
}

/** Decodes the whole image in the body, and replies with its size. */
export async function checkImage({ request, response }: Exchange, semaphore: Semaphore, { maxPixels }: MediaSettings) {
  const gone = disconnectSignal(response)
  const size = await semaphore.run(gone, async () => {
    const file = await readBody(request, maxBodyBytes)
    const { width, height } = await readImageHeader(file, maxPixels)
    gone.throwIfAborted()
    await decodeAll(file, { width, height })
    return { width, height }
  })
  sendJson(response, size)
}

function renditionOf(query: URLSearchParams, file: PixelSize): Rendition {
  const format = query.get('format') ?? 'jpeg'
  if (!isFormat(format)) throw invalid('format')
  const orientation = integer(query, 'orientation', 1, 8, 1)
  const all = orientedSize(file, orientation)
  const left = integer(query, 'x', 0, all.width - 1, 0)
  const top = integer(query, 'y', 0, all.height - 1, 0)
  const crop = {
    left,
    top,
    width: integer(query, 'crop_width', 1, all.width - left, all.width - left),
    height: integer(query, 'crop_height', 1, all.height - top, all.height - top),
  }
  return {
    orientation,
    crop,
    format,
    quality: query.get('quality') === 'high' ? 'high' : 'usual',
    width: integer(query, 'width', 1, 65_535, crop.width),
    height: integer(query, 'height', 1, 65_535, crop.height),
  }
}
