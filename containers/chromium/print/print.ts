// Makes a document: once, and once more where the browser died over it.
import { logError } from '../../shared/reply.ts'
import type { Browsers } from '../browser/browsers.ts'
import { Lost, type Tab } from '../browser/tab.ts'
import type { Warm } from '../browser/warm.ts'
import { makePdf } from './make.ts'
import type { PrintOptions } from './options.ts'
import { crashed, unavailable } from './refusals.ts'

/** The PDF; rejects with a refusal, or with the signal's reason as soon as it aborts. */
export async function print(
  options: PrintOptions,
  browsers: Browsers,
  maxPdf: number,
  signal: AbortSignal,
): Promise<Buffer> {
  try {
    const warm = await browsers.warm(signal)
    return await attempt(warm, browsers, options, maxPdf, signal)
  } catch (error) {
    if (!(error instanceof Lost)) throw error
  }
  // In a browser of its own, so that what others do cannot end this one too, nor this what others do.
  const own = browsers.alone()
  try {
    const warm = await abortable(own, signal).catch((error) => {
      signal.throwIfAborted()
      logError(error)
      throw unavailable()
    })
    return await attempt(warm, browsers, options, maxPdf, signal)
  } catch (error) {
    throw error instanceof Lost ? crashed() : error
  } finally {
    void own.then(
      (warm) => warm.kill(),
      () => {},
    )
  }
}

async function attempt(
  warm: Warm,
  browsers: Browsers,
  options: PrintOptions,
  maxPdf: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const taking = warm.take()
  let tab: Tab | undefined
  try {
    tab = await abortable(taking, signal)
    return await abortable(Promise.race([tab.lost, makePdf(tab, options, maxPdf)]), signal)
  } catch (error) {
    if (tab && (await isGone(tab, error))) throw new Lost('The browser died')
    throw error
  } finally {
    void taking.then(
      (taken) => browsers.end(warm, taken),
      () => {},
    )
  }
}

/** A connection that breaks says so in many ways, some before the browser's end is known. */
async function isGone({ page, lost }: Tab, error: unknown): Promise<boolean> {
  if (error instanceof Lost) return true
  if (!(error instanceof Error) || !/closed|detached|crashed|disconnected/i.test(error.message)) return false
  const turn = new Promise((resolve) => setTimeout(resolve, 200))
  return (
    !page.browser().connected ||
    (await Promise.race([lost, turn]).then(
      () => false,
      () => true,
    ))
  )
}

/** Rejects with the signal's reason when that comes first. */
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
