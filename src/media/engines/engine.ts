import { invalid } from '#core/failure'

/** The kinds of picture that are taken. */
export const kinds = ['jpeg', 'png', 'webp', 'gif'] as const
export type ImageKind = (typeof kinds)[number]

/** The kinds of picture that are made. */
export const formats = [...kinds, 'avif'] as const
export type ImageFormat = (typeof formats)[number]

/** How stored pixels are to be shown, as EXIF numbers it (CIPA DC-008, tag 0x0112). */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

/** In pixels. */
export interface ImageSize {
  width: number
  height: number
}

/** What a picture's header says; the size as it is stored. */
export interface Header extends ImageSize {
  format: ImageKind
  orientation: Orientation
}

/** A stored picture. */
export interface ImageSource {
  header: Header
  /** In bytes. */
  size: number
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  /** Of a length that the runtime knows, so that it is sent along. */
  stream(): Promise<ReadableStream<Uint8Array>>
}

/** A part of a picture, in whole pixels from its upper left corner. */
export interface CropBox extends ImageSize {
  x: number
  y: number
}

/** What is made of a picture: turned, then cut, then scaled to just that size, then written. */
export interface RenderPlan extends ImageSize {
  orientation: Orientation
  /** In pixels of the turned picture; all of it unless given. */
  crop?: CropBox
  format: ImageFormat
  /** `high` for what may be made into something else again; `usual` unless given. */
  quality?: Quality
}

export type Quality = 'usual' | 'high'

/** A picture's file. What may be large is a stream of a length that R2 can know. */
export type Picture = (Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>) & {
  /** The format if it is not the one in the plan. */
  format?: ImageFormat
}

/** What decodes and makes pictures. An animated one counts as its first frame; nothing but pixels and colour is kept. */
export interface Engine {
  /** Decodes the whole picture; throws `brokenImage` where that fails. */
  check(source: ImageSource): Promise<void>
  /** The file that the plan asks for; throws `brokenImage` where the source cannot be decoded. */
  render(source: ImageSource, plan: RenderPlan): Promise<Picture>
}

/** 400: the bytes begin like an image and are none, or end before it does. */
export const brokenImage = () => invalid('file', 'Must be a complete image')

/** 400: browsers do not show such files either. */
export const arithmeticImage = () =>
  invalid('file', 'Must not be a JPEG with arithmetic coding. Save it with Huffman coding.')
