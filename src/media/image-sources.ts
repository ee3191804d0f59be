// Creates the input of an image engine: the file and header of a stored item, or bytes in memory.
import { streamOf } from '#core/chunks'
import type { Header, ImageKind, ImageSource } from './engines/engine.ts'
import { missing } from './errors.ts'
import type { Item } from './items.ts'
import { fileKey } from './r2-keys.ts'
import { displayed } from './render-plan.ts'

/** Describes the image of an item. The file is read from R2 only when an engine asks for it. */
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

/** Describes an image whose file is in memory, such as a decoded frame of a video. */
export const imageInMemory = (bytes: Uint8Array<ArrayBuffer>, header: Header): ImageSource => ({
  header,
  size: bytes.length,
  bytes: async () => bytes,
  stream: async () => streamOf(bytes),
})

/** The media type of each format of images. */
export const imageMediaTypes = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
}

/**
 * Restores the header of a stored image from its item. The item has the size as displayed, the header the size as stored in the
 * file: a quarter turn in the EXIF orientation swaps the sides.
 */
function headerOf({ mimetype, width, height, orientation }: Item): Header {
  const shown = { width: width!, height: height!, orientation: orientation ?? 1 }
  return { ...shown, ...displayed(shown), format: mimetype.slice('image/'.length) as ImageKind }
}
