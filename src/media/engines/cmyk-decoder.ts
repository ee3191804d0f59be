import { JpegImage, setVerbosityLevel, VerbosityLevel } from 'pdfjs-dist/image_decoders/pdf.image_decoders.mjs'
import { brokenImage } from './engine.ts'
import type { Pixels } from './photon-codec.ts'

/** Decodes a JPEG of four components to cyan, magenta, yellow and black, as they are stored: Photon makes colours of them. */
export function decodeCmyk(file: Uint8Array): Pixels<Uint8Array> {
  // Its warnings describe the file.
  setVerbosityLevel(VerbosityLevel.ERRORS)
  const image = new JpegImage()
  try {
    image.parse(file)
  } catch (error) {
    if (isOfBrokenFile(error)) throw brokenImage()
    throw error
  }
  const { width, height } = image
  const data = image.getData({ width, height, isSourcePDF: true })
  if (data.length !== width * height * 4) throw brokenImage()
  return { data: new Uint8Array(data.buffer, data.byteOffset, data.length), width, height }
}

/** The package's own error, a view that is read past its end, or a table that the file does not define. */
const isOfBrokenFile = (error: unknown) =>
  error instanceof RangeError || error instanceof TypeError || (error instanceof Error && error.name === 'JpegError')
