// Tests the guide (the documentation at /docs): its pages, links and accessibility.
import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import { readPages } from '../../../scripts/site/guide/pages.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { openPage, startBrowser } from '../../support/browser.ts'
import { only, start } from '../stack.ts'

const pages = readPages().flatMap((group) => group.pages)

let stack: Stack

beforeAll(async () => {
  stack = await start({ components: only('catcher') })
})

afterAll(() => stack?.dispose())

const addressOf = (name: string) => `${stack.url}/docs/${name === 'index' ? '' : name}`

/** Requests a page of the guide. Its final URL is needed to resolve its links. */
async function load(address: string) {
  const response = await fetch(address)
  return { response, url: response.url, html: await response.text() }
}

describe('the guide at /docs', () => {
  it.each(pages.map(({ name, title }) => ({ name, title })))('has $title', async ({ name, title }) => {
    const { response, html } = await load(addressOf(name))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(html).toContain(`<title>${name === 'index' ? title : `${title} · Quartermaster`}</title>`)
    expect(html).not.toMatch(/<script|<style|<[^>]+ (style|on\w+)=/)
  })

  it('redirects /docs to its first page, and answers 404 for an unknown page', async () => {
    expect((await load(`${stack.url}/docs`)).url).toBe(`${stack.url}/docs/`)
    expect((await load(addressOf('no-such-page'))).response.status).toBe(404)
  })

  it('has no dead links', async () => {
    const loaded = await Promise.all(pages.map(({ name }) => load(addressOf(name))))
    const htmlOf = new Map(loaded.map(({ url, html }) => [url, html]))
    const links = loaded.flatMap(({ url, html }) =>
      [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, href]) => new URL(href!.replaceAll('&amp;', '&'), url)),
    )
    const here = new Set(links.filter(({ href }) => href.startsWith(`${stack.url}/docs`)).map(({ href }) => href))
    const dead: string[] = []
    for (const href of here) {
      const [address = '', anchor] = href.split('#')
      const html = htmlOf.get(address) ?? ((await fetch(address)).ok ? '' : undefined)
      if (html === undefined || (anchor && !html.includes(` id="${anchor}"`))) dead.push(href)
    }
    expect(here.size).toBeGreaterThan(pages.length)
    expect(dead).toEqual([])
  })

  describe.skipIf(!has('chromium'))('in a browser', () => {
    let browser: Browser

    beforeAll(async () => {
      browser = await startBrowser()
    })

    afterAll(() => browser?.close())

    it.each(['light', 'dark'] as const)('has no findings of axe in %s mode at 320 pixels', async (colorScheme) => {
      const page = await openPage(browser, { colorScheme, viewport: { width: 320, height: 640 } })
      const complaints: string[] = []
      page.on('console', (line) => void (line.type() === 'error' && complaints.push(line.text())))
      for (const name of ['index', 'media', 'configuration']) {
        await page.goto(addressOf(name))
        await page.evaluate(axe.source)
        const { violations } = await page.evaluate<axe.AxeResults>('axe.run()')
        expect(violations.map(({ id, nodes }) => [name, id, ...nodes.map(({ html }) => html)])).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
      }
      expect(complaints).toEqual([])
      await page.close()
    })

    it('works with the keyboard, and begins with a link past the list of pages', async () => {
      const page = await openPage(browser)
      await page.goto(addressOf('queue'))
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the text')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${addressOf('queue')}#text`)
      await page
        .getByRole('navigation', { name: 'All pages' })
        .getByRole('link', { name: 'Media', exact: true })
        .click()
      await page.waitForURL(addressOf('media'))
      await page.close()
    })
  })
})
