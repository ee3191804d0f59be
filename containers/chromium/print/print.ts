// Prints a document in a tab of the pool, and once more in a separate browser if the browser crashed.
import { logError } from '../../shared/reply.ts'
import type { BrowserInstance } from '../browser/browser-instance.ts'
import type { BrowserPool } from '../browser/browser-pool.ts'
import { BrowserLost, type Tab } from '../browser/tab.ts'
import { crashedError, unavailableError } from './errors.ts'
import type { PrintOptions } from './options.ts'
import { renderPdf } from './pdf.ts'

/**
 * Prints a document, and once more if its browser crashed. Rejects with an `HttpError`, or with the signal's reason as
 * soon as the signal aborts.
 */
export async function print(
  options: PrintOptions,
  pool: BrowserPool,
  maxPdf: number,
  signal: AbortSignal,
): Promise<Buffer> {
  try {
    const instance = await pool.ready(signal)
    return await attempt(instance, pool, options, maxPdf, signal)
  } catch (error) {
    if (!(error instanceof BrowserLost)) throw error
  }
  // The second attempt runs in a separate browser: other documents cannot crash it, and this document cannot crash the
  // others again.
  const separate = pool.startSeparate()
  try {
    const instance = await abortable(separate, signal).catch((error) => {
      signal.throwIfAborted()
      logError(error)
      throw unavailableError()
    })
    return await attempt(instance, pool, options, maxPdf, signal)
  } catch (error) {
    throw error instanceof BrowserLost ? crashedError() : error
  } finally {
    void separate.then(
      (instance) => instance.kill(),
      () => {},
    )
  }
}

async function attempt(
  instance: BrowserInstance,
  pool: BrowserPool,
  options: PrintOptions,
  maxPdf: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const acquisition = instance.acquire()
  let tab: Tab | undefined
  try {
    tab = await abortable(acquisition, signal)
    return await abortable(Promise.race([tab.lost, renderPdf(tab, options, maxPdf)]), signal)
  } catch (error) {
    if (tab && (await isBrowserLost(tab, error))) throw new BrowserLost('The browser died')
    throw error
  } finally {
    void acquisition.then(
      (acquired) => pool.release(instance, acquired),
      () => {},
    )
  }
}

/**
 * Whether an error results from the end of the page or of the browser. Such an error may arrive before the event that
 * reports the end.
 */
async function isBrowserLost({ page, lost }: Tab, error: unknown): Promise<boolean> {
  if (error instanceof BrowserLost) return true
  if (!(error instanceof Error) || !/closed|detached|crashed|disconnected/i.test(error.message)) return false
  const grace = new Promise((resolve) => setTimeout(resolve, 200))
  return (
    !page.browser().connected ||
    (await Promise.race([lost, grace]).then(
      () => false,
      () => true,
    ))
  )
}

/** Rejects with the signal's reason as soon as the signal aborts, so that a client that disconnects frees its slot. */
async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {})
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
