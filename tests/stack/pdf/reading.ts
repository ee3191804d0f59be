// Reads PDFs in tests (text, sizes, links, pictures) with pdf.js, another program than the one that printed them.
import type { Canvas } from '@napi-rs/canvas'
import { getDocument, OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { PNG } from 'pngjs'

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

interface Page {
  /** All text of the page, in the order in which it is drawn. */
  text: string
  /** Width in millimetres, like all other lengths here. */
  width: number
  height: number
  /** Links with their addresses, and the distances of their boxes from the sides of the page. */
  links: ({ url: string } & Box)[]
  /** Number of pictures that are drawn. */
  images: number
}

const open = (bytes: Uint8Array) =>
  getDocument({
    // A copy, since pdf.js takes ownership of the bytes.
    data: bytes.slice(),
    standardFontDataUrl: 'node_modules/pdfjs-dist/standard_fonts/',
    verbosity: 0,
  })

/** Reads all pages of a document. */
export async function pagesOf(bytes: Uint8Array): Promise<Page[]> {
  const task = open(bytes)
  const document = await task.promise
  try {
    return await Promise.all(
      Array.from({ length: document.numPages }, async (_, i) => read(await document.getPage(i + 1))),
    )
  } finally {
    await task.destroy()
  }
}

async function read(page: PDFPageProxy): Promise<Page> {
  const [, , width, height] = page.view as [number, number, number, number]
  const [{ items }, annotations, { fnArray }] = await Promise.all([
    page.getTextContent(),
    page.getAnnotations(),
    page.getOperatorList(),
  ])
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
  const links = annotations.map(({ url, rect: [left, bottom, right, top] }) => ({
    url,
    left: inMillimetres(left),
    bottom: inMillimetres(bottom),
    right: inMillimetres(width - right),
    top: inMillimetres(height - top),
  }))
  const drawn: number[] = [OPS.paintImageXObject, OPS.paintInlineImageXObject]
  const images = fnArray.filter((operation) => drawn.includes(operation)).length
  return { text, width: inMillimetres(width), height: inMillimetres(height), links, images }
}

const inMillimetres = (points: number) => (points * 25.4) / 72

/** Renders a page as a picture with one pixel per point. */
export async function pictureOf(bytes: Uint8Array): Promise<PNG> {
  const task = open(bytes)
  const document = await task.promise
  try {
    const page = await document.getPage(1)
    const viewport = page.getViewport({ scale: 1 })
    const { canvas } = (document.canvasFactory as { create(width: number, height: number): { canvas: Canvas } }).create(
      Math.round(viewport.width),
      Math.round(viewport.height),
    )
    await page.render({ canvas: canvas as never, viewport }).promise
    return PNG.sync.read(canvas.toBuffer('image/png'))
  } finally {
    await task.destroy()
  }
}
