import { brokenImage, type Header, type ImageKind } from './engines/engine.ts'
import { gifHeader, isCompleteGif } from './headers/gif.ts'
import { isCompleteJpeg, jpegHeader } from './headers/jpeg.ts'
import { isCompletePng, pngHeader } from './headers/png.ts'
import { isCompleteWebp, webpHeader } from './headers/webp.ts'

/**
 * What the first bytes of a file say about the picture in it, by the bytes alone: its header, or undefined where it is
 * none of our kinds, or `more` where it takes more bytes than these; of a whole file that means that it is broken.
 * Throws `brokenImage` where it begins like a picture and cannot be one.
 */
export function readHeader(head: Uint8Array): Header | 'more' | undefined {
  const kind = kindOf(head)
  if (kind === undefined || kind === 'more') return kind
  try {
    const header = { format: kind, ...readers[kind](new DataView(head.buffer, head.byteOffset, head.byteLength)) }
    if (header.width === 0 || header.height === 0) throw brokenImage()
    return header
  } catch (error) {
    // Thrown by a DataView that is read past its end.
    if (error instanceof RangeError) return 'more'
    throw error
  }
}

/** The format is what the bytes begin with. */
const readers: Record<ImageKind, (head: DataView) => Omit<Header, 'format'>> = {
  jpeg: jpegHeader,
  png: pngHeader,
  webp: webpHeader,
  gif: gifHeader,
}

/** A byte of the file's size. */
const free = undefined
const letters = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0))

const signatures: [ImageKind, (number | undefined)[]][] = [
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['png', [0x89, ...letters('PNG\r\n\x1a\n')]],
  ['webp', [...letters('RIFF'), free, free, free, free, ...letters('WEBPVP8')]],
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

/** Whether a picture's file has its end: decoders make something of what was cut off. Throws `brokenImage` at what no decoder is given. */
export function isCompleteImage(file: Uint8Array, kind: ImageKind): boolean {
  try {
    return ends[kind](new DataView(file.buffer, file.byteOffset, file.byteLength))
  } catch (error) {
    // Thrown by a DataView that is read past its end.
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
