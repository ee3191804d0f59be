import { streamOf } from '#core/chunks'
import type { Header, ImageKind, ImageSource } from './engines/engine.ts'
import { missing } from './errors.ts'
import type { Item } from './items.ts'
import { fileKey } from './r2-keys.ts'
import { displayed } from './render-plan.ts'

/** A stored image, to be decoded. */
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

/** An image in memory, to be decoded. */
export const imageInMemory = (bytes: Uint8Array<ArrayBuffer>, header: Header): ImageSource => ({
  header,
  size: bytes.length,
  bytes: async () => bytes,
  stream: async () => streamOf(bytes),
})

/** The media types that images are stored under. */
export const imageMediaTypes = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
}

/** What the header of a stored image said: an item has its size as it is shown. */
function headerOf({ mimetype, width, height, orientation }: Item): Header {
  const shown = { width: width!, height: height!, orientation: orientation ?? 1 }
  return { ...shown, ...displayed(shown), format: mimetype.slice('image/'.length) as ImageKind }
}
