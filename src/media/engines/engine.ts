// The interface that the three image engines implement (Cloudflare Images, the Worker, the media container), and its types.
import { invalid } from '#core/failure'

/** Formats of images that can be uploaded. */
export const kinds = ['jpeg', 'png', 'webp', 'gif'] as const
export type ImageKind = (typeof kinds)[number]

/** Formats of renditions: those that can be uploaded, and AVIF, which only the container writes. */
export const formats = [...kinds, 'avif'] as const
export type ImageFormat = (typeof formats)[number]

/** EXIF orientation: how stored pixels are displayed (CIPA DC-008, tag 0x0112). */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

/** Size of an image in pixels. */
export interface ImageSize {
  width: number
  height: number
}

/** Content of the header of an image. Width and height are those in the file, before the orientation is applied. */
export interface Header extends ImageSize {
  format: ImageKind
  orientation: Orientation
}

/** An image as the input of an engine. */
export interface ImageSource {
  header: Header
  /** Size of the file in bytes. */
  size: number
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  /**
   * Returns the file as a stream whose length the runtime knows. A request with it as body then has a Content-Length, which the
   * container requires.
   */
  stream(): Promise<ReadableStream<Uint8Array>>
}

/** A rectangle of an image, in pixels from its upper left corner. */
export interface CropBox extends ImageSize {
  x: number
  y: number
}

/** Operations on an image, in this order: apply the orientation, crop, scale to exactly this size, encode. */
export interface RenderPlan extends ImageSize {
  orientation: Orientation
  /** The rectangle to cut out, in pixels of the upright image. Default: the whole image. */
  crop?: CropBox
  format: ImageFormat
  /** Quality of the encoding. `high` is for an image that may be edited again, and so lose quality repeatedly. Default: `usual`. */
  quality?: Quality
}

export type Quality = 'usual' | 'high'

/** An encoded image. A large one is a stream with a known length, as R2 requires. */
export type EncodedImage = (Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>) & {
  /** The actual format, if the engine could not produce the planned one. */
  format?: ImageFormat
}

/** Decodes and renders images. Of an animation, only the first frame is used. Renditions have no metadata. */
export interface Engine {
  /** Decodes the whole image, since a file with a valid header may be damaged later. Throws `brokenImage` if that fails. */
  check(source: ImageSource): Promise<void>
  /** Renders an image by a plan. Throws `brokenImage` if the source cannot be decoded. */
  render(source: ImageSource, plan: RenderPlan): Promise<EncodedImage>
}

/** The error 400 for a file that begins like an image, but is invalid or truncated. */
export const brokenImage = () => invalid('file', 'Must be a complete image')

/** The error 400 for a JPEG with arithmetic coding, which neither the decoders nor browsers support. */
export const arithmeticImage = () =>
  invalid('file', 'Must not be a JPEG with arithmetic coding. Save it with Huffman coding.')
