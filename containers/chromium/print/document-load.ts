// Loads the HTML or the link of a print request into a page, and waits until the page is ready to print.
import type { HTTPRequest, HTTPResponse, Page } from 'puppeteer-core'
import { invalid } from '../../shared/http-error.ts'
import type { Tab } from '../browser/tab.ts'
import { linkFailed } from './errors.ts'
import type { PrintOptions, WaitFor } from './options.ts'

const maxRedirects = 5

const notHtml = 'The link did not return HTML'

/** Loads the document. Resolves when the condition of `wait_for` is met. */
export async function loadDocument(tab: Tab, { source, waitFor, media }: PrintOptions) {
  const { page } = tab
  if (typeof waitFor === 'object') await checkSelector(page, waitFor.selector)
  if (media === 'screen') await page.emulateMediaType('screen')
  const settings: LoadOptions = { waitUntil: eventOf(waitFor), timeout: 0 }
  if ('html' in source) await setHtml(page, source.html, settings)
  else await follow(tab, source.link, settings)
  if (waitFor === 'networkidle') await page.waitForNetworkIdle({ timeout: 0 })
  if (typeof waitFor === 'object') await waitForSelector(page, waitFor.selector)
}

/**
 * Whether an error means that the document navigated to another address during a call, so that the call can be
 * repeated.
 */
export const isNavigation = (error: unknown) =>
  error instanceof Error &&
  /context was destroyed|Cannot find context|because of a navigation|Printing failed/i.test(error.message)

/** Sets the HTML of the page. If the document navigates away meanwhile, it is printed at its new address. */
const setHtml = (page: Page, html: string, settings: LoadOptions) =>
  page.setContent(html, settings).catch((error) => {
    if (!isNavigation(error)) throw error
  })

interface LoadOptions {
  waitUntil: 'load' | 'domcontentloaded'
  timeout: 0
}

/** The load event to wait for. With a selector, no event is awaited, because the selector may match earlier. */
const eventOf = (waitFor: WaitFor) =>
  waitFor === 'domcontentloaded' || typeof waitFor === 'object' ? 'domcontentloaded' : 'load'

/** Validates a selector on the empty page, before the document is loaded. Throws `validation_failed`. */
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

const waitForSelector = (page: Page, selector: string) =>
  page.waitForFunction(
    (text) => Reflect.get(globalThis, 'document').querySelector(text) !== null,
    { timeout: 0 },
    selector,
  )

async function follow({ page, egress }: Tab, link: string, settings: LoadOptions) {
  let last = link
  const tooManyRedirects = new Promise<never>((_resolve, reject) => {
    page.on('request', (request) => {
      if (!isDocument(request, page)) return
      last = request.url()
      if (request.redirectChain().length > maxRedirects) reject(linkFailed('The link redirects too often'))
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
  if (!response.ok()) throw linkFailed(`The link returned the status ${response.status()}`)
  const type = response.headers()['content-type'] ?? (await sniffedType(page))
  if (!/^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(type)) throw linkFailed(notHtml)
}

/** The content type that the browser detected, for a reply without a Content-Type header. */
const sniffedType = (page: Page) =>
  page
    .evaluate(() => String(Reflect.get(globalThis, 'document').contentType))
    .catch((error) => {
      if (isNavigation(error)) return 'text/html'
      throw error
    })

/** Messages for callers, in place of Chromium's network error codes. */
const networkErrors: [RegExp, string][] = [
  [/ERR_TOO_MANY_REDIRECTS/, 'The link redirects too often'],
  [/ERR_ABORTED/, notHtml],
  [/ERR_CERT_|ERR_SSL_/, 'The connection is not secure'],
  [/ERR_UNSAFE_PORT|ERR_DISALLOWED_URL_SCHEME|ERR_UNKNOWN_URL_SCHEME|ERR_BLOCKED_BY/, 'The address is not allowed'],
  [/ERR_(INVALID_AUTH|UNEXPECTED_PROXY_AUTH|PROXY_AUTH)/, 'The link returned the status 401'],
  [/ERR_/, 'The link did not send a valid HTTP reply'],
]

function failureOf(error: unknown, reason: string | undefined): unknown {
  if (!(error instanceof Error)) return error
  const [, message] = networkErrors.find(([pattern]) => pattern.test(error.message)) ?? []
  const failure = reason ?? message
  return failure && /net::/.test(error.message) ? linkFailed(failure) : error
}
