import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'

/** The variables that the PDF generator reads. */
export interface PdfVariables extends CoreEnv {
  CHROMIUM_CONTAINER_URL?: string
  /** The container's `TOKEN`, where it has one. */
  CHROMIUM_CONTAINER_TOKEN?: string
  /** Seconds; 0, which is none, unless given. */
  PDF_CACHE_TTL?: string
  /** Seconds for which a document with `store` is kept; a week by default. */
  PDF_STORE_TTL?: string
}

const year = 31_536_000

/** For how many seconds a document is given again, 0 for not at all; 503 where the variable says neither. */
export function cacheTtlOf({ PDF_CACHE_TTL: text = '' }: Pick<PdfVariables, 'PDF_CACHE_TTL'>): number {
  const seconds = Number(text)
  if (/^\d{0,8}$/.test(text) && seconds <= year) return seconds
  throw notConfigured(`PDF_CACHE_TTL must be between 0 and ${year} seconds.`)
}

const week = 604_800

/** The seconds for which a document with `store` is kept; 503 if the variable is not 1 to a year. */
export function storeTtlOf({ PDF_STORE_TTL: text = '' }: Pick<PdfVariables, 'PDF_STORE_TTL'>): number {
  if (text === '') return week
  const seconds = Number(text)
  if (/^\d{1,8}$/.test(text) && seconds >= 1 && seconds <= year) return seconds
  throw notConfigured(`PDF_STORE_TTL must be between 1 and ${year} seconds.`)
}
