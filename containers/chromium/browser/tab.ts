// Opens a Chromium tab for one document, in a separate browser context whose only way to the network is an egress proxy.
import type { Browser, BrowserContext, Page } from 'puppeteer-core'
import { Egress } from '../egress/egress.ts'
import type { EgressRule } from '../egress/rule.ts'

/** The page of one document, and its proxy. */
export interface Tab {
  page: Page
  egress: Egress
  /** Rejects with `BrowserLost` when the page or the browser dies; never resolves. */
  lost: Promise<never>
  close(): Promise<void>
}

export interface Network {
  rule: EgressRule
  /** Maximum number of bytes that a document may load. */
  maxTraffic: number
}

/** Thrown if the page or its browser died. The document may be printed once more. */
export class BrowserLost extends Error {}

/** Opens a tab and its proxy. If that fails, the proxy is closed. */
export async function openTab(browser: Browser, { rule, maxTraffic }: Network): Promise<Tab> {
  const egress = await Egress.open(rule, maxTraffic)
  try {
    const context = await browser.createBrowserContext({
      proxyServer: `http://127.0.0.1:${egress.port}`,
      proxyBypassList: ['<-loopback>'],
      downloadBehavior: { policy: 'deny' },
    })
    const page = await context.newPage()
    const { lost, forget } = lossOf(browser, page)
    await confine(context, page)
    const close = async () => {
      egress.close()
      forget()
      await context.close()
    }
    return { page, egress, lost, close }
  } catch (error) {
    egress.close()
    throw error
  }
}

function lossOf(browser: Browser, page: Page) {
  const { promise: lost, reject } = Promise.withResolvers<never>()
  // Prevents an unhandled rejection while no caller awaits `lost`.
  lost.catch(() => {})
  const onDisconnect = () => reject(new BrowserLost('The browser died'))
  browser.once('disconnected', onDisconnect)
  page.once('error', () => reject(new BrowserLost('The page died')))
  return { lost, forget: () => void browser.off('disconnected', onDisconnect) }
}

/**
 * Confines the page of an untrusted document: answers dialogs, which would block it, closes pop-ups and disables
 * service workers.
 */
async function confine(context: BrowserContext, page: Page) {
  page.on('dialog', (dialog) => void dialog.accept().catch(() => {}))
  context.on('targetcreated', async (target) => {
    const other = target.type() === 'page' && target !== page.target() && (await target.page().catch(() => null))
    if (other) await other.close().catch(() => {})
  })
  await Promise.all([page.setBypassServiceWorker(true), page.evaluateOnNewDocument(withoutServiceWorkers)])
}

/**
 * Removes `navigator.serviceWorker`. Runs in the page before its own scripts, so that these cannot install a service
 * worker.
 */
function withoutServiceWorkers() {
  Reflect.deleteProperty(Object.getPrototypeOf(Reflect.get(globalThis, 'navigator')), 'serviceWorker')
}
