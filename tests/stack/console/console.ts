// Runs the console in a browser, on a separate stack.
import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Stack, StackOptions } from '../../../scripts/stack/stack.ts'
import { openPage, startBrowser } from '../../support/browser.ts'
import { start } from '../stack.ts'

export interface Console {
  stack: Stack
  /** Opens a page by what follows `#` in its address. */
  open: (hash: string, options?: BrowserContextOptions) => Promise<Page>
  /** Errors of all pages so far: messages of their browser console, and thrown errors. */
  complaints: string[]
  dispose: () => Promise<void>
}

/** Timeout for a page to show an expected state. */
export const pageTimeout = { timeout: 120_000 }

/** Starts a stack and a browser. */
export async function startConsole(options: Partial<StackOptions> = {}): Promise<Console> {
  const [stack, browser] = await Promise.all([start(options), startBrowser()])
  const complaints: string[] = []
  return {
    stack,
    complaints,
    open: (hash, options) => openConsole(browser, stack.url, hash, complaints, options),
    dispose: async () => {
      await Promise.all([browser.close(), stack.dispose()])
    },
  }
}

async function openConsole(
  browser: Browser,
  url: string,
  hash: string,
  complaints: string[],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await openPage(browser, { viewport: { width: 1280, height: 900 }, ...options })
  page.on('pageerror', ({ message }) => void complaints.push(message))
  page.on('console', (line) => void (line.type() === 'error' && complaints.push(line.text())))
  await page.goto(`${url}/console/#${hash}`)
  await page.locator('h1').waitFor()
  return page
}

/** Waits for a page that was gone to: by then it has taken the focus, where it does. */
export const arrival = (page: Page, heading: string): Promise<void> =>
  expect.poll(() => page.title(), pageTimeout).toBe(`${heading} · Quartermaster`)

/** What axe finds wrong with a page that is serious or worse. */
async function seriousOf(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'))
  const { violations } = await page.evaluate<AxeResults>('axe.run(document)')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Holds what every page has to be: axe finds nothing serious in either theme, and nothing hangs over at 320 pixels. */
export async function holdsUp(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await seriousOf(page)).toEqual([])
  }
  const viewport = page.viewportSize()!
  await page.setViewportSize({ width: 320, height: 800 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
  await page.setViewportSize(viewport)
}
