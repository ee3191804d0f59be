// Reads the text and the page sizes of PDFs in tests of the Chromium container.
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

export interface Pdf {
  bytes: number
  /** All text of the document; a space separates pages and lines. */
  text: string
  /** Text of each page. */
  texts: string[]
  /** Size of each page in points. */
  sizes: [width: number, height: number][]
}

/** Reads a PDF with pdf.js, as a viewer does. */
export async function readPdf(bytes: Buffer): Promise<Pdf> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  try {
    const document = await task.promise
    const pages = await Promise.all(Array.from({ length: document.numPages }, (_, i) => document.getPage(i + 1)))
    const texts = await Promise.all(
      pages.map(async (page) => {
        const { items } = await page.getTextContent()
        return items
          .flatMap((item) => ('str' in item ? [item.str + (item.hasEOL ? ' ' : '')] : []))
          .join('')
          .trim()
      }),
    )
    const sizes = pages.map(({ view: [left, top, right, bottom] }): [number, number] => [
      Math.round(right! - left!),
      Math.round(bottom! - top!),
    ])
    return { bytes: bytes.length, text: texts.join(' ').trim(), texts, sizes }
  } finally {
    await task.destroy()
  }
}
