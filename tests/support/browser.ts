// Debian's Chromium, as patient as the tests are.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { pathOf } from '../../scripts/lib/programs.ts'

/** Milliseconds that it may take for what it is asked, on a machine that does other things besides. */
const timeoutMs = 120_000

export function startBrowser(): Promise<Browser> {
  // In another locale it gives a download a name of ASCII alone.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  return chromium.launch({ executablePath: pathOf('chromium')!, args: ['--no-sandbox'], env, timeout: timeoutMs })
}

/** A page in a context of its own, which closes with it. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options)
  page.setDefaultTimeout(timeoutMs)
  return page
}
