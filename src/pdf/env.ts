// The variables that the PDF component reads, and their parsers.
import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'

export interface PdfVariables extends CoreEnv {
  CHROMIUM_CONTAINER_URL?: string
  /** The container's `TOKEN`, if it has one. */
  CHROMIUM_CONTAINER_TOKEN?: string
  /** Seconds for which a printed document is cached; 0, the default, disables the cache. */
  PDF_CACHE_TTL?: string
  /** Seconds after which a stored document expires; a week by default. */
  PDF_STORE_TTL?: string
}

const yearSeconds = 31_536_000

/** Time to live of cached documents in seconds, 0 without a cache. Throws `not_configured` if the variable is not valid. */
export function cacheTtlOf({ PDF_CACHE_TTL: text = '' }: Pick<PdfVariables, 'PDF_CACHE_TTL'>): number {
  const seconds = Number(text)
  if (/^\d{0,8}$/.test(text) && seconds <= yearSeconds) return seconds
  throw notConfigured(`PDF_CACHE_TTL must be between 0 and ${yearSeconds} seconds.`)
}

const weekSeconds = 604_800

/** Time to live of stored documents in seconds. Throws `not_configured` if the variable is not 1 second to a year. */
export function storeTtlOf({ PDF_STORE_TTL: text = '' }: Pick<PdfVariables, 'PDF_STORE_TTL'>): number {
  if (text === '') return weekSeconds
  const seconds = Number(text)
  if (/^\d{1,8}$/.test(text) && seconds >= 1 && seconds <= yearSeconds) return seconds
  throw notConfigured(`PDF_STORE_TTL must be between 1 and ${yearSeconds} seconds.`)
}
