import type { Page, PDFOptions } from 'puppeteer-core'
import { invalid } from '../../shared/http-error.ts'
import type { Tab } from '../browser/tab.ts'
import { isNavigation, loadDocument } from './load.ts'
import type { PrintOptions } from './options.ts'
import { tooLarge, unprintable } from './refusals.ts'

/** Loads a document and prints it; refuses one of more bytes. */
export async function makePdf(tab: Tab, options: PrintOptions, most: number): Promise<Buffer> {
  await loadDocument(tab, options)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of await startPrinting(tab, options)) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) throw tooLarge()
  }
  return Buffer.concat(chunks)
}

/** Times that a document may go elsewhere under the printer's hands before it is printed as it stands. */
const patience = 5

async function startPrinting({ page }: Tab, options: PrintOptions) {
  for (let left = patience; ; left--) {
    try {
      return await page.createPDFStream({ ...settingsOf(options), waitForFonts: left > 0 })
    } catch (error) {
      if (isOutOfRange(error)) throw invalid('page_ranges')
      if (!isNavigation(error)) throw error
      if (left === 0) throw unprintable()
      await settle(page)
    }
  }
}

/** Milliseconds for a document that came instead to be loaded. */
const settling = 500

/** Waits for the document that it went to, and has it go no further. */
async function settle(page: Page) {
  const session = await page.createCDPSession()
  await loadOf(page, settling)
  await session.send('Page.stopLoading')
  await session.detach()
}

function loadOf(page: Page, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  page.once('load', () => resolve())
  return promise.finally(() => clearTimeout(timer))
}

const isOutOfRange = (error: unknown) => error instanceof Error && /page range/i.test(error.message)

function settingsOf({ sheet, scale, header, footer, printBackground, pageRanges }: PrintOptions): PDFOptions {
  const { width, height, margin, isChosen } = sheet
  const { top, right, bottom, left } = margin
  return {
    width: `${width}in`,
    height: `${height}in`,
    margin: { top: `${top}in`, right: `${right}in`, bottom: `${bottom}in`, left: `${left}in` },
    preferCSSPageSize: !isChosen,
    scale,
    printBackground,
    pageRanges,
    displayHeaderFooter: header !== undefined,
    headerTemplate: header ?? '',
    footerTemplate: footer ?? '',
    // Whoever asked waits no longer than the whole may take.
    timeout: 0,
  }
}
