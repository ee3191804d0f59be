// Tests the example page of search in a browser.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { openPage, startBrowser } from '../../support/browser.ts'
import { only, start } from '../stack.ts'

describe.skipIf(!has('chromium'))('the example page', () => {
  let stack: Stack
  let browser: Browser

  beforeAll(async () => {
    const launch = startBrowser()
    ;[stack, browser] = await Promise.all([start({ components: only('fulltext', 'typeahead') }), launch])
  })

  afterAll(() => Promise.all([browser?.close(), stack?.dispose()]))

  /** Opens the example page of a variant of search, and collects the errors that the browser logs. */
  async function open(variant: string) {
    const page = await openPage(browser)
    const complaints: string[] = []
    page.on('pageerror', ({ message }) => void complaints.push(message))
    page.on('console', (line) => void (line.type() === 'error' && complaints.push(line.text())))
    await page.goto(`${stack.url}/${variant}/_example`)
    return { page, complaints }
  }

  const state = (page: Page) => page.textContent('#state')
  const results = (page: Page) => page.locator('#results li').allTextContents()

  it.each([
    ['typeahead', 'bicycle'],
    ['fulltext', 'kettle'],
  ])('of %s shows results at each letter, from a fresh start', async (variant, word) => {
    const { page, complaints } = await open(variant)
    await page.click('#fill')
    await expect.poll(() => state(page)).toContain('40 documents written')
    for (let typed = 1; typed <= word.length; typed++) {
      await page.press('#search', word[typed - 1]!)
      await expect.poll(() => state(page)).toMatch(/^\d+ found$/)
      await expect.poll(async () => (await results(page)).length).toBeGreaterThan(0)
      const begun = word.slice(0, typed)
      const marks = () => page.locator('#results mark').allTextContents()
      await expect.poll(async () => (await marks()).some((mark) => mark.toLowerCase().startsWith(begun))).toBe(true)
    }
    expect(complaints).toEqual([])
  })

  it('shows the results of the last search, in whatever order replies arrive', async () => {
    const { page } = await open('typeahead')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/search=b&/, async (route) => {
      await held
      await route.continue()
    })
    await page.click('#fill')
    await expect.poll(() => state(page)).toContain('40 documents written')
    await page.press('#search', 'b')
    await page.press('#search', 'r')
    await expect.poll(() => state(page)).toBe('4 found')
    const late = page.waitForResponse(/search=b&/)
    release()
    await (await late).finished()
    expect([await state(page), await results(page)]).toEqual(['4 found', expect.objectContaining({ length: 4 })])
  })

  it.each(['sesame', 'ann:pässword'])('asks for required credentials itself, and accepts %s', async (given) => {
    const closed = await start({
      components: only('typeahead'),
      variables: { AUTH_TOKENS: 'sesame', HTTP_AUTH_USERNAME: 'ann', HTTP_AUTH_PASSWORD: 'pässword' },
    })
    try {
      const page = await openPage(browser)
      await page.goto(`${closed.url}/typeahead/_example`)
      await page.press('#search', 'b')
      for (const [sent, told] of [
        ['wrong', 'The credentials are missing or wrong.'],
        [given, 'The index does not exist yet.'],
      ]) {
        await page.fill('#token', sent!)
        await page.press('#token', 'Enter')
        await expect.poll(() => state(page)).toContain(told)
      }
      expect(await page.isVisible('#token')).toBe(false)
      await page.click('#fill')
      await expect.poll(() => state(page)).toMatch(/^\d+ found$/)
    } finally {
      await closed.dispose()
    }
  })

  it('shows errors, and results as text', async () => {
    const { page } = await open('fulltext')
    await page.fill('#index', 'unknown')
    await page.fill('#search', 'a')
    await expect.poll(() => state(page)).toContain('The index does not exist yet.')
    await page.fill('#index', 'Un known')
    await page.press('#index', 'Enter')
    await expect.poll(() => state(page)).toContain('index must be 1 to 48 characters of a-z')
    await page.fill('#index', 'unknown')
    const send = (path: string, body: object) =>
      fetch(`${stack.url}/fulltext/${path}`, { method: 'POST', body: JSON.stringify(body) })
    await send('index', { name: 'unknown' })
    await send('document', { index: 'unknown', code: 'x', text: '<img src=x onerror="alert(1)"> apple & pear' })
    await page.fill('#search', 'apple')
    await expect.poll(() => results(page)).toEqual(['<img src=x onerror="alert(1)"> apple & pear'])
    expect(await page.locator('#results img').count()).toBe(0)
  })
})
