import { JpegImage } from 'pdfjs-dist/image_decoders/pdf.image_decoders.mjs'
import type { Pixels } from './codec.ts'
import { brokenImage } from './engine.ts'

/** Decodes a JPEG of four components to cyan, magenta, yellow and black, as they are stored: Photon makes colours of them. */
export function decodeCmyk(file: Uint8Array): Pixels<Uint8Array> {
  const image = new JpegImage()
  try {
    image.parse(file)
  } catch (error) {
    // What the package throws for a broken file has this name; a view that is read past its end throws the other.
    if (error instanceof Error && (error.name === 'JpegError' || error instanceof RangeError)) throw brokenImage()
    throw error
  }
  const { width, height } = image
  const data = image.getData({ width, height, isSourcePDF: true })
  return { data: new Uint8Array(data.buffer, data.byteOffset, data.length), width, height }
}
