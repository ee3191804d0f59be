import { bytesOf } from '#core/chunks'
import { failure } from '../errors.ts'
import { composed } from '../render-plan.ts'
import {
  brokenImage,
  type Engine,
  formats,
  type Header,
  type ImageSource,
  type Orientation,
  type Picture,
  type RenderPlan,
} from './engine.ts'

/** Pictures by Cloudflare Images. */
export const cloudflareImages = (binding: ImagesBinding): Engine => ({
  check: async (source) => {
    // `info` would read no more than the header.
    await make(binding, source, { orientation: source.header.orientation, width: 1, height: 1, format: 'jpeg' })
  },
  render: (source, plan) => make(binding, source, plan),
})

async function make(binding: ImagesBinding, source: ImageSource, plan: RenderPlan): Promise<Picture> {
  const steps = transformsFor(source.header, plan)
  const output: ImageOutputOptions = {
    format: `image/${plan.format}`,
    anim: false,
    quality: (plan.format === 'avif' ? 50 : 80) + (plan.quality === 'high' ? 12 : 0),
    ...(plan.format === 'jpeg' && { background: '#ffffff' }),
  }
  try {
    const input = binding.input(await source.stream())
    const result = await steps.reduce((picture, step) => picture.transform(step), input).output(output)
    const bytes = await bytesOf(result.image())
    const format = formats.find((format) => result.contentType() === `image/${format}`)
    // Images writes an AVIF that would be too large as WebP or JPEG.
    return format === undefined || format === plan.format ? bytes : Object.assign(bytes, { format })
  } catch (error) {
    throw refusalOf(error)
  }
}

/** What Images is asked for, step by step. It applies the file's own orientation before all else. */
export function transformsFor({ orientation }: Header, plan: RenderPlan): ImageTransform[] {
  const { rotate, flip } = motions[composed(inverse(orientation), plan.orientation)]
  const { crop, width, height } = plan
  return [
    ...(flip ? [{ flip }] : []),
    ...(rotate ? [{ rotate }] : []),
    ...(crop ? [{ trim: { left: crop.x, top: crop.y, width: crop.width, height: crop.height } }] : []),
    { width, height, fit: 'squeeze' },
  ]
}

/** A quarter to the left undoes one to the right; every other one undoes itself. */
const inverse = (orientation: Orientation): Orientation => (orientation === 6 ? 8 : orientation === 8 ? 6 : orientation)

const motions: Record<Orientation, Pick<ImageTransform, 'rotate' | 'flip'>> = {
  1: {},
  2: { flip: 'h' },
  3: { rotate: 180 },
  4: { flip: 'v' },
  5: { flip: 'h', rotate: 270 },
  6: { rotate: 90 },
  7: { flip: 'h', rotate: 90 },
  8: { rotate: 270 },
}

/** By developers.cloudflare.com/images/reference/troubleshooting: no image, of a kind that is not taken, not well formed. */
const broken = [9412, 9520, 9523]
/** Too many bytes, or too many pixels. */
const large = [9402, 9413]

function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'number')) return error
  if (broken.includes(error.code)) return brokenImage()
  if (large.includes(error.code))
    return failure('payload_too_large', 'The image is larger than Cloudflare Images takes.')
  return failure('images_failed', undefined, { cause: error })
}
