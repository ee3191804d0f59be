import type { PDFOptions } from 'puppeteer-core'
import { invalid } from '../../media/refusal.ts'
import type { Tab } from '../browser/tab.ts'
import { loadDocument } from './load.ts'
import type { Options } from './options.ts'
import { tooLarge } from './refusals.ts'

/** Loads a document and prints it; refuses one of more bytes. */
export async function makePdf(tab: Tab, options: Options, most: number): Promise<Buffer> {
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

async function startPrinting({ page }: Tab, options: Options) {
  try {
    return await page.createPDFStream(settingsOf(options))
  } catch (error) {
    if (error instanceof Error && /page range/i.test(error.message)) throw invalid('page_ranges')
    throw error
  }
}

function settingsOf({ sheet, scale, header, footer, printBackground, pageRanges }: Options): PDFOptions {
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
