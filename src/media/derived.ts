import { open } from '#core/db/open'
import { engineFor } from './engines/choose.ts'
import type { Box, Header, Plan } from './engines/engine.ts'
import type { Env } from './env.ts'
import { addItem, findItem, type Item, type NewItem } from './items.ts'
import { fileKey } from './keys.ts'
import { pictureOf } from './pictures.ts'
import { planCrop, planRotation } from './plan.ts'
import { schema } from './schema.ts'
import { withTrace } from './uploads.ts'

/** An image turned clockwise by a multiple of 90 degrees, as an item of its own. */
export const rotateImage = (env: Env, digest: string, degrees: number): Promise<Item> =>
  derive(env, digest, (header) => planRotation(header, degrees))

/** A part of an image as an item of its own; 400 where it is not inside of it. */
export const cropImage = (env: Env, digest: string, box: Box): Promise<Item> =>
  derive(env, digest, (header) => planCrop(header, box))

async function derive(env: Env, from: string, planOf: (header: Header) => Plan): Promise<Item> {
  const parent = await findItem(open(env, schema), from, 'image')
  const source = pictureOf(env.FILES, parent)
  const plan = planOf(source.header)
  const picture = await engineFor(env, source.header, source.size, plan.format).render(source, plan)
  return withTrace(env, async (digest) => {
    const { size } = (await env.FILES.put(fileKey(digest), picture))!
    const { name, extension, kind, mimetype, max_dimension } = parent
    const { width, height } = plan
    return addItem(open(env, schema), {
      ...{ digest, kind, name, extension, mimetype, size, width, height, max_dimension },
      ...{ orientation: 1, charset: null, duration: null, state: 'ready', failure: null },
    } satisfies NewItem)
  })
}
