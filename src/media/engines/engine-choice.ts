// Chooses where an image is decoded and rendered: in Cloudflare Images, in the media Worker, or in the media container.
import { requireContainer } from '../container.ts'
import type { StorageEnv } from '../env.ts'
import { positiveVariable } from '../env.ts'
import { failure } from '../errors.ts'
import { cloudflareImages } from './cloudflare-images.ts'
import { containerEngine } from './container-engine.ts'
import type { Engine, Header, ImageFormat, RenderPlan } from './engine.ts'
import { fitsIsolate } from './memory-budget.ts'
import { MemoryExceeded } from './memory-limit.ts'
import { workerEngine } from './worker-engine.ts'

/**
 * Chooses the engine for an image of `size` bytes: Cloudflare Images if it is bound, else the Worker if its memory suffices, else the
 * container. Throws 413 if the image has more than IMAGE_MAX_PIXELS, 503 if it needs a container and there is none.
 */
export function engineFor(env: StorageEnv, header: Header, size: number, format: ImageFormat): Engine {
  const maxPixels = positiveVariable(env, 'IMAGE_MAX_PIXELS', 100_000_000)
  if (header.width * header.height > maxPixels)
    throw failure(
      'payload_too_large',
      `The image must have at most ${maxPixels} pixels, got ${header.width * header.height}.`,
    )
  if (env.IMAGES) return cloudflareImages(env.IMAGES)
  // Chosen for each operation, since the required memory also depends on the size and format of the result.
  const engine = (plan?: RenderPlan) =>
    format !== 'avif' && fitsIsolate(header, size, plan) ? workerEngine : containerEngine(requireContainer(env))
  // Repeats an operation in the container if the Worker ran out of memory: a file may need more than was estimated from its header.
  const inContainer = (error: unknown) => {
    if (error instanceof MemoryExceeded) return containerEngine(requireContainer(env))
    throw error
  }
  return {
    check: async (source) =>
      engine()
        .check(source)
        .catch((error) => inContainer(error).check(source)),
    render: async (source, plan) =>
      engine(plan)
        .render(source, plan)
        .catch((error) => inContainer(error).render(source, plan)),
  }
}
