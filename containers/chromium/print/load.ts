// Brings a document into a page.
import type { HTTPRequest, HTTPResponse, Page } from 'puppeteer-core'
import { invalid } from '../../shared/http-error.ts'
import type { Tab } from '../browser/tab.ts'
import type { PrintOptions, WaitFor } from './options.ts'
import { linkFailed } from './refusals.ts'

const mostRedirects = 5

const notHtml = 'The link did not lead to HTML'

/** Resolves when the document is there as far as it is waited for. */
export async function loadDocument(tab: Tab, { source, waitFor, media }: PrintOptions) {
  const { page } = tab
  if (typeof waitFor === 'object') await checkSelector(page, waitFor.selector)
  if (media === 'screen') await page.emulateMediaType('screen')
  const settings: Waiting = { waitUntil: eventOf(waitFor), timeout: 0 }
  if ('html' in source) await fill(page, source.html, settings)
  else await follow(tab, source.link, settings)
  if (waitFor === 'networkidle') await page.waitForNetworkIdle({ timeout: 0 })
  if (typeof waitFor === 'object') await appearance(page, waitFor.selector)
}

/** Whether a document went elsewhere by itself while something was asked of it. */
export const isNavigation = (error: unknown) =>
  error instanceof Error &&
  /context was destroyed|Cannot find context|because of a navigation|Printing failed/i.test(error.message)

/** One that goes elsewhere at once is printed wherever it is then. */
const fill = (page: Page, html: string, settings: Waiting) =>
  page.setContent(html, settings).catch((error) => {
    if (!isNavigation(error)) throw error
  })

interface Waiting {
  waitUntil: 'load' | 'domcontentloaded'
  timeout: 0
}

/** A selector may match long before all is loaded. */
const eventOf = (waitFor: WaitFor) =>
  waitFor === 'domcontentloaded' || typeof waitFor === 'object' ? 'domcontentloaded' : 'load'

/** On the empty page, where nothing but the selector can be wrong. */
async function checkSelector(page: Page, selector: string) {
  const isValid = await page.evaluate((text) => {
    try {
      Reflect.get(globalThis, 'document').querySelector(text)
      return true
    } catch {
      return false
    }
  }, selector)
  if (!isValid) throw invalid('wait_for')
}

const appearance = (page: Page, selector: string) =>
  page.waitForFunction(
    (text) => Reflect.get(globalThis, 'document').querySelector(text) !== null,
    { timeout: 0 },
    selector,
  )

async function follow({ page, egress }: Tab, link: string, settings: Waiting) {
  let last = link
  const tooManyRedirects = new Promise<never>((_resolve, reject) => {
    page.on('request', (request) => {
      if (!isDocument(request, page)) return
      last = request.url()
      if (request.redirectChain().length > mostRedirects) reject(linkFailed('The link redirects too often'))
    })
  })
  tooManyRedirects.catch(() => {})
  let response: HTTPResponse | null
  try {
    response = await Promise.race([page.goto(link, settings), tooManyRedirects])
  } catch (error) {
    throw failureOf(error, egress.failureOf(last))
  }
  const failure = egress.failureOf(response?.url() ?? last)
  if (failure && response?.status() === 502) throw linkFailed(failure)
  await checkResponse(page, response)
}

const isDocument = (request: HTTPRequest, page: Page) =>
  request.isNavigationRequest() && request.frame() === page.mainFrame()

async function checkResponse(page: Page, response: HTTPResponse | null) {
  if (!response) throw linkFailed(notHtml)
  if (!response.ok()) throw linkFailed(`The link answered with the status ${response.status()}`)
  const type = response.headers()['content-type'] ?? (await sniffed(page))
  if (!/^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(type)) throw linkFailed(notHtml)
}

/** What the browser takes it for, where nobody says. */
const sniffed = (page: Page) =>
  page
    .evaluate(() => String(Reflect.get(globalThis, 'document').contentType))
    .catch((error) => {
      if (isNavigation(error)) return 'text/html'
      throw error
    })

/** Chromium's errors, in words. */
const words: [RegExp, string][] = [
  [/ERR_TOO_MANY_REDIRECTS/, 'The link redirects too often'],
  [/ERR_ABORTED/, notHtml],
  [/ERR_CERT_|ERR_SSL_/, 'The connection is not secure'],
  [/ERR_UNSAFE_PORT|ERR_DISALLOWED_URL_SCHEME|ERR_UNKNOWN_URL_SCHEME|ERR_BLOCKED_BY/, 'The address is not allowed'],
  [/ERR_(INVALID_AUTH|UNEXPECTED_PROXY_AUTH|PROXY_AUTH)/, 'The link answered with the status 401'],
  [/ERR_/, 'The link did not answer as a server of HTML does'],
]

function failureOf(error: unknown, reason: string | undefined): unknown {
  if (!(error instanceof Error)) return error
  const [, said] = words.find(([pattern]) => pattern.test(error.message)) ?? []
  const failed = reason ?? said
  return failed && /net::/.test(error.message) ? linkFailed(failed) : error
}
