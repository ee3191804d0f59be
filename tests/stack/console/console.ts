// Starts the console with a separate stack and a browser, for the tests in this folder.
import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Stack, StackOptions } from '../../../scripts/stack/stack.ts'
import { openPage, startBrowser, timeoutMs } from '../../support/browser.ts'
import { start } from '../stack.ts'

export interface Console {
  stack: Stack
  /** URL of the console at its own origin. */
  url: string
  /** Opens a page. `hash` is the part of its URL after `#`. */
  open: (hash: string, options?: BrowserContextOptions) => Promise<Page>
  /** Starts a browser context in which `openTab` opens several tabs. The caller closes it. */
  newContext: () => Promise<BrowserContext>
  openTab: (context: BrowserContext, hash: string) => Promise<Page>
  /** Errors of all pages so far: errors in the browser's console, and uncaught exceptions. */
  complaints: string[]
  dispose: () => Promise<void>
}

/** Timeout for a page to reach an expected state, long enough for a slow machine. */
export const pageTimeout = { timeout: 120_000 }

/** Starts a stack and a browser, and returns functions to open pages. */
export async function startConsole(options: Partial<StackOptions> = {}): Promise<Console> {
  const [stack, browser] = await Promise.all([start(options), startBrowser()])
  const complaints: string[] = []
  const url = `${stack.url.replace('localhost', 'console.localhost')}/console/`
  return {
    stack,
    url,
    complaints,
    open: async (hash, options) => {
      const page = await openPage(browser, { viewport: { width: 1280, height: 900 }, ...options })
      return openConsole(page, url, hash, complaints)
    },
    newContext: () => browser.newContext(),
    openTab: async (context, hash) => {
      context.setDefaultTimeout(timeoutMs)
      return openConsole(await context.newPage(), url, hash, complaints)
    },
    dispose: async () => {
      await Promise.all([browser.close(), stack.dispose()])
    },
  }
}

async function openConsole(page: Page, url: string, hash: string, complaints: string[]): Promise<Page> {
  page.on('pageerror', ({ message }) => void complaints.push(message))
  page.on('console', (line) => void (line.type() === 'error' && complaints.push(line.text())))
  await page.goto(`${url}#${hash}`)
  await page.locator('h1').waitFor()
  return page
}

/** Waits until the page with this heading is open. By then its heading has the focus. */
export const arrival = (page: Page, heading: string): Promise<void> =>
  expect.poll(() => page.title(), pageTimeout).toBe(`${heading} · Quartermaster`)

/** Accessibility problems of a page that axe rates as serious or critical. */
async function seriousOf(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'))
  const { violations } = await page.evaluate<AxeResults>('axe.run(document)')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/**
 * Expects of a page what every page must fulfil: no serious accessibility problem in the light and the dark theme, and no
 * horizontal overflow at a width of 320 pixels.
 */
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
