// Loads one document into a given tab and prints it to a PDF. print.ts chooses the tab, and retries after a crash.
import type { Page, PDFOptions } from 'puppeteer-core'
import { invalid } from '../../shared/http-error.ts'
import type { Tab } from '../browser/tab.ts'
import { isNavigation, loadDocument } from './document-load.ts'
import { tooLargeError, unprintableError } from './errors.ts'
import type { PrintOptions } from './options.ts'

/** Prints the document in the tab. Throws `too_large` if the PDF has more than `maxBytes`. */
export async function renderPdf(tab: Tab, options: PrintOptions, maxBytes: number): Promise<Buffer> {
  await loadDocument(tab, options)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of await openPdfStream(tab, options)) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) throw tooLargeError()
  }
  return Buffer.concat(chunks)
}

/**
 * How often a document may navigate away while it is printed, before it counts as failed. The last attempt does not
 * wait for fonts.
 */
const maxNavigations = 5

async function openPdfStream({ page }: Tab, options: PrintOptions) {
  for (let left = maxNavigations; ; left--) {
    try {
      return await page.createPDFStream({ ...settingsOf(options), waitForFonts: left > 0 })
    } catch (error) {
      if (isOutOfRange(error)) throw invalid('page_ranges')
      if (!isNavigation(error)) throw error
      if (left === 0) throw unprintableError()
      await stopNavigation(page)
    }
  }
}

/** Time that the document has to load after it navigated away while it was printed. */
const loadTimeoutMs = 500

/**
 * Waits for the document that the page navigated to, then stops its loading, so that it cannot navigate again while it
 * is printed.
 */
async function stopNavigation(page: Page) {
  const session = await page.createCDPSession()
  await loadOf(page, loadTimeoutMs)
  await session.send('Page.stopLoading')
  await session.detach()
}

function loadOf(page: Page, timeoutMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, timeoutMs)
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
    // Disables puppeteer's time limit of this step, since the time limit of the whole document applies.
    timeout: 0,
  }
}
