import { requireContainer } from '../container.ts'
import type { StorageEnv } from '../env.ts'
import { numberIn } from '../env.ts'
import { failure } from '../errors.ts'
import { cloudflareImages } from './cloudflare-images.ts'
import { containerEngine } from './container-engine.ts'
import type { Engine, Header, ImageFormat, RenderPlan } from './engine.ts'
import { fitsIsolate } from './memory-budget.ts'
import { MemoryExceeded } from './memory-limit.ts'
import { workerEngine } from './worker-engine.ts'

/**
 * What checks a picture of that many bytes, or makes another of it: Cloudflare Images where it is bound, else the Worker
 * itself where its memory suffices, else the container. 413 where the picture has more pixels than are taken, 503 where
 * no container is there for it.
 */
export function engineFor(env: StorageEnv, header: Header, size: number, format: ImageFormat): Engine {
  const most = numberIn(env, 'IMAGE_MAX_PIXELS', 100_000_000)
  if (header.width * header.height > most)
    throw failure('payload_too_large', `The image must have at most ${most} pixels.`)
  if (env.IMAGES) return cloudflareImages(env.IMAGES)
  // How much memory it takes depends on what is made, too.
  const engine = (plan?: RenderPlan) =>
    format !== 'avif' && fitsIsolate(header, size, plan) ? workerEngine : containerEngine(requireContainer(env))
  // A file may need more memory than its size suggests.
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
