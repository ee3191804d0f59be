// The image engine that leaves the work to Cloudflare Images, used if `workers/media/wrangler.toml` binds that product.
import { bytesOf } from '#core/chunks'
import { failure } from '../errors.ts'
import { composed } from '../render-plan.ts'
import {
  brokenImage,
  type EncodedImage,
  type Engine,
  formats,
  type Header,
  type ImageSource,
  type Orientation,
  type RenderPlan,
} from './engine.ts'

/** Processes images with the binding of Cloudflare Images. */
export const cloudflareImages = (binding: ImagesBinding): Engine => ({
  check: async (source) => {
    // Renders one pixel to decode the whole image. The method `info` would read only the header, and accept a truncated file.
    await render(binding, source, { orientation: source.header.orientation, width: 1, height: 1, format: 'jpeg' })
  },
  render: (source, plan) => render(binding, source, plan),
})

async function render(binding: ImagesBinding, source: ImageSource, plan: RenderPlan): Promise<EncodedImage> {
  const steps = transformsFor(source.header, plan)
  const output: ImageOutputOptions = {
    format: `image/${plan.format}`,
    anim: false,
    quality: (plan.format === 'avif' ? 50 : 80) + (plan.quality === 'high' ? 12 : 0),
    ...(plan.format === 'jpeg' && { background: '#ffffff' }),
  }
  try {
    const input = binding.input(await source.stream())
    const result = await steps.reduce((image, step) => image.transform(step), input).output(output)
    const bytes = await bytesOf(result.image())
    const format = formats.find((format) => result.contentType() === `image/${format}`)
    // Cloudflare Images falls back to WebP or JPEG if an AVIF would exceed its size limit. The caller then stores the actual
    // format.
    return format === undefined || format === plan.format ? bytes : Object.assign(bytes, { format })
  } catch (error) {
    throw failureFor(error)
  }
}

/**
 * Returns the transforms for a plan. Cloudflare Images applies the EXIF orientation of the file first, so that orientation is
 * undone here.
 */
export function transformsFor({ orientation }: Header, plan: RenderPlan): ImageTransform[] {
  const { rotate, flip } = transforms[composed(inverse(orientation), plan.orientation)]
  const { crop, width, height } = plan
  return [
    ...(flip ? [{ flip }] : []),
    ...(rotate ? [{ rotate }] : []),
    ...(crop ? [{ trim: { left: crop.x, top: crop.y, width: crop.width, height: crop.height } }] : []),
    { width, height, fit: 'squeeze' },
  ]
}

/**
 * Returns the orientation that undoes the given one. Each orientation undoes itself, except that the quarter turns 6 and 8 undo
 * each other.
 */
const inverse = (orientation: Orientation): Orientation => (orientation === 6 ? 8 : orientation === 8 ? 6 : orientation)

const transforms: Record<Orientation, Pick<ImageTransform, 'rotate' | 'flip'>> = {
  1: {},
  2: { flip: 'h' },
  3: { rotate: 180 },
  4: { flip: 'v' },
  5: { flip: 'h', rotate: 270 },
  6: { rotate: 90 },
  7: { flip: 'h', rotate: 90 },
  8: { rotate: 270 },
}

/**
 * Error codes of Cloudflare Images for a file that is not an image, an unsupported format, and a malformed file
 * (https://developers.cloudflare.com/images/reference/troubleshooting).
 */
const brokenCodes = [9412, 9520, 9523]
/** Error codes of Cloudflare Images for too many bytes and too many pixels. */
const tooLargeCodes = [9402, 9413]

function failureFor(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'number')) return error
  if (brokenCodes.includes(error.code)) return brokenImage()
  if (tooLargeCodes.includes(error.code))
    return failure('payload_too_large', 'The image is larger than Cloudflare Images accepts.')
  return failure('images_failed', undefined, { cause: error })
}
