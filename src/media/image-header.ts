// Reads the size, format and orientation of an image from its first bytes, and checks whether its file is complete, before a
// decoder gets it.
import { brokenImage, type Header, type ImageKind } from './engines/engine.ts'
import { gifHeader, isCompleteGif } from './headers/gif.ts'
import { isCompleteJpeg, jpegHeader } from './headers/jpeg.ts'
import { isCompletePng, pngHeader } from './headers/png.ts'
import { isCompleteWebp, webpHeader } from './headers/webp.ts'

/**
 * Reads the header of an image from the first bytes of its file. Returns undefined if the file is not a JPEG, PNG, WebP or GIF, and
 * `more` if the header needs more bytes (a complete file is then broken). Throws `brokenImage` if the file begins like an image and
 * cannot be one.
 */
export function readHeader(head: Uint8Array): Header | 'more' | undefined {
  const kind = kindOf(head)
  if (kind === undefined || kind === 'more') return kind
  try {
    const header = { format: kind, ...readers[kind](new DataView(head.buffer, head.byteOffset, head.byteLength)) }
    if (header.width === 0 || header.height === 0) throw brokenImage()
    return header
  } catch (error) {
    // A DataView throws a RangeError when it is read past its end: the header continues in bytes that were not read yet.
    if (error instanceof RangeError) return 'more'
    throw error
  }
}

const readers: Record<ImageKind, (head: DataView) => Omit<Header, 'format'>> = {
  jpeg: jpegHeader,
  png: pngHeader,
  webp: webpHeader,
  gif: gifHeader,
}

/** Matches any byte. Used for the file size in a RIFF header, which differs in each file. */
const anyByte = undefined
const letters = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0))

const signatures: [ImageKind, (number | undefined)[]][] = [
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['png', [0x89, ...letters('PNG\r\n\x1a\n')]],
  ['webp', [...letters('RIFF'), anyByte, anyByte, anyByte, anyByte, ...letters('WEBPVP8')]],
  ['gif', letters('GIF87a')],
  ['gif', letters('GIF89a')],
]

function kindOf(head: Uint8Array): ImageKind | 'more' | undefined {
  const like = signatures.find(([, signature]) =>
    signature.slice(0, head.length).every((byte, i) => byte === undefined || byte === head[i]),
  )
  if (!like) return undefined
  const [kind, signature] = like
  return head.length < signature.length ? 'more' : kind
}

/**
 * Returns whether the file of an image is complete. Decoders do not check this: they accept truncated files. Throws `brokenImage`
 * for a file that must not reach a decoder.
 */
export function isCompleteImage(file: Uint8Array, kind: ImageKind): boolean {
  try {
    return ends[kind](new DataView(file.buffer, file.byteOffset, file.byteLength))
  } catch (error) {
    // A DataView throws a RangeError when it is read past its end: the file ends in the middle of a segment or chunk.
    if (error instanceof RangeError) return false
    throw error
  }
}

const ends: Record<ImageKind, (file: DataView) => boolean> = {
  jpeg: isCompleteJpeg,
  png: isCompletePng,
  webp: isCompleteWebp,
  gif: isCompleteGif,
}
