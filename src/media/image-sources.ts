// Creates the input of an image engine from a stored item or from bytes in memory.
import { streamOf } from '#core/chunks'
import type { Header, ImageKind, ImageSource } from './engines/engine.ts'
import { missing } from './errors.ts'
import type { Item } from './items.ts'
import { fileKey } from './r2-keys.ts'
import { displayed } from './render-plan.ts'

/** The image of an item, read from R2 on demand. */
export function storedImage(files: R2Bucket, item: Item): ImageSource {
  const read = async () => {
    const object = await files.get(fileKey(item.digest))
    if (!object) throw missing('image')
    return object
  }
  return {
    header: headerOf(item),
    size: item.size,
    bytes: async () => (await read()).bytes() as Promise<Uint8Array<ArrayBuffer>>,
    stream: async () => (await read()).body,
  }
}

/** An image in memory. */
export const imageInMemory = (bytes: Uint8Array<ArrayBuffer>, header: Header): ImageSource => ({
  header,
  size: bytes.length,
  bytes: async () => bytes,
  stream: async () => streamOf(bytes),
})

/** Media types by format. */
export const imageMediaTypes = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
}

/** Restores the header of a stored image. An item has the size after rotation, the header the size before. */
function headerOf({ mimetype, width, height, orientation }: Item): Header {
  const shown = { width: width!, height: height!, orientation: orientation ?? 1 }
  return { ...shown, ...displayed(shown), format: mimetype.slice('image/'.length) as ImageKind }
}
