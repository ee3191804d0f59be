// Decodes JPEGs with four colour components, which are made for printing, so that the colour profile can be applied to them.
import { JpegImage, setVerbosityLevel, VerbosityLevel } from 'pdfjs-dist/image_decoders/pdf.image_decoders.mjs'
import { brokenImage } from './engine.ts'
import type { Pixels } from './photon-codec.ts'

/**
 * Decodes a JPEG with four components to its stored CMYK values. Photon cannot be used here: it converts them to RGB without the
 * colour profile.
 */
export function decodeCmyk(file: Uint8Array): Pixels<Uint8Array> {
  // Silences the warnings of the decoder: they describe the content of the file, which must not be logged.
  setVerbosityLevel(VerbosityLevel.ERRORS)
  const image = new JpegImage()
  try {
    image.parse(file)
  } catch (error) {
    if (meansBrokenFile(error)) throw brokenImage()
    throw error
  }
  const { width, height } = image
  const data = image.getData({ width, height, isSourcePDF: true })
  if (data.length !== width * height * 4) throw brokenImage()
  return { data: new Uint8Array(data.buffer, data.byteOffset, data.length), width, height }
}

/**
 * Whether an error of the decoder means a broken file: its JpegError, a RangeError past the end of the file, or a TypeError for a
 * table that the file does not define.
 */
const meansBrokenFile = (error: unknown) =>
  error instanceof RangeError || error instanceof TypeError || (error instanceof Error && error.name === 'JpegError')
