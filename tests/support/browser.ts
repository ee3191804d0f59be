// Starts Debian's Chromium for tests, with timeouts for a busy machine.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { pathOf } from '../../scripts/lib/programs.ts'

/** Timeout of each action of the browser in milliseconds. Long, since the machine may be busy. */
export const timeoutMs = 120_000

export function startBrowser(): Promise<Browser> {
  // UTF-8, since Chromium names downloads in ASCII in other locales.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  return chromium.launch({ executablePath: pathOf('chromium')!, args: ['--no-sandbox'], env, timeout: timeoutMs })
}

/** Opens a page in its own browser context, which closes with the page. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options)
  page.setDefaultTimeout(timeoutMs)
  return page
}
