// Rotates and crops images. The result is a new item; the original does not change.
import { open } from '#core/db/open'
import type { MarkPointOfNoReturn } from '#core/http/idempotency'
import type { Env } from './bindings.ts'
import type { CropBox, Header, RenderPlan } from './engines/engine.ts'
import { engineFor } from './engines/engine-choice.ts'
import { imageMediaTypes, storedImage } from './image-sources.ts'
import { addItem, findItem, type Item, type NewItem } from './items.ts'
import { fileKey } from './r2-keys.ts'
import { planCrop, planRotation } from './render-plan.ts'
import { schema } from './schema.ts'
import { withPendingUpload } from './uploads.ts'

/**
 * Creates a new image, rotated clockwise by a multiple of 90 degrees. For a multiple of 360 degrees, the file is copied unchanged,
 * without a loss of quality.
 */
export const rotateImage = (
  env: Env,
  digest: string,
  degrees: number,
  markPointOfNoReturn: MarkPointOfNoReturn,
): Promise<Item> =>
  degrees % 360 === 0
    ? copyImage(env, digest, markPointOfNoReturn)
    : derive(env, digest, (header) => planRotation(header, degrees), markPointOfNoReturn)

/** Creates a new image from a part of an image. Throws 400 if the part is not inside the image. */
export const cropImage = (
  env: Env,
  digest: string,
  box: CropBox,
  markPointOfNoReturn: MarkPointOfNoReturn,
): Promise<Item> => derive(env, digest, (header) => planCrop(header, box), markPointOfNoReturn)

async function copyImage(env: Env, from: string, markPointOfNoReturn: MarkPointOfNoReturn): Promise<Item> {
  const parent = await findItem(open(env, schema), from, 'image')
  const file = await storedImage(env.FILES, parent).stream()
  return withPendingUpload(env, async (digest) => {
    await env.FILES.put(fileKey(digest), file)
    const { created_at, updated_at, ...copied } = parent
    await markPointOfNoReturn()
    return addItem(open(env, schema), { ...copied, digest })
  })
}

async function derive(
  env: Env,
  from: string,
  planOf: (header: Header) => RenderPlan,
  markPointOfNoReturn: MarkPointOfNoReturn,
): Promise<Item> {
  const parent = await findItem(open(env, schema), from, 'image')
  const source = storedImage(env.FILES, parent)
  const plan = planOf(source.header)
  const rendition = await engineFor(env, source.header, source.size, plan.format).render(source, plan)
  return withPendingUpload(env, async (digest) => {
    const { size } = (await env.FILES.put(fileKey(digest), rendition))!
    const { name, extension, kind, max_dimension } = parent
    const mimetype = rendition.format ? imageMediaTypes[rendition.format] : parent.mimetype
    const { width, height } = plan
    await markPointOfNoReturn()
    return addItem(open(env, schema), {
      ...{ digest, kind, name, extension, mimetype, size, width, height, max_dimension },
      ...{ orientation: 1, charset: null, duration: null, state: 'ready', failure: null },
    } satisfies NewItem)
  })
}
