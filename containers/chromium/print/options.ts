// Parses and validates the JSON body of POST /pdf.
import { HttpError, invalid } from '../../shared/http-error.ts'
import { paperOf, type Sheet } from './paper.ts'

type Source = { html: string } | { link: string }

export interface PrintOptions {
  source: Source
  sheet: Sheet
  scale: number
  /**
   * HTML of the header. Header and footer are both set or both undefined, since Chromium prints its default for a
   * missing one.
   */
  header: string | undefined
  footer: string | undefined
  printBackground: boolean
  /** Pages to print, such as `1-3`. Empty for all pages. */
  pageRanges: string
  waitFor: WaitFor
  media: 'print' | 'screen'
}

export type WaitFor = 'load' | 'domcontentloaded' | 'networkidle' | { selector: string }

type Body = Record<string, unknown>

/** Reads the print options. Throws `validation_failed` with the name of a parameter that is not valid. */
export function readOptions(body: Body): PrintOptions {
  const header = text(body, 'header_html')
  const footer = text(body, 'footer_html')
  const hasHeaderOrFooter = header !== undefined || footer !== undefined
  return {
    source: sourceOf(body),
    sheet: paperOf(body),
    scale: scaleOf(body.scale),
    // An empty element replaces a missing header or footer. Otherwise Chromium would print the address and the date
    // there.
    header: hasHeaderOrFooter ? (header ?? '<span></span>') : undefined,
    footer: hasHeaderOrFooter ? (footer ?? '<span></span>') : undefined,
    printBackground: flag(body, 'print_background', true),
    pageRanges: rangesOf(body.page_ranges),
    waitFor: waitForOf(body.wait_for),
    media: mediaOf(body.media),
  }
}

function sourceOf(body: Body): Source {
  const html = text(body, 'html')
  const link = text(body, 'link')
  if (html !== undefined && link === undefined) return { html }
  if (link === undefined || html !== undefined)
    throw new HttpError(400, 'validation_failed', 'Give exactly one of "html" and "link".')
  const url = URL.parse(link)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) throw invalid('link')
  return { link: url.href }
}

function scaleOf(value: unknown): number {
  if (value === undefined || value === null) return 1
  if (typeof value !== 'number' || !(value >= 0.1 && value <= 2)) throw invalid('scale')
  return value
}

const range = /^\s*(\d{1,6}|\d{1,6}\s*-\s*\d{0,6}|-\s*\d{1,6})\s*$/

function rangesOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  if (typeof value !== 'string' || value.length > 1_000) throw invalid('page_ranges')
  const parts = value.split(',')
  if (!parts.every((part) => range.test(part) && isAscending(part))) throw invalid('page_ranges')
  return value
}

function isAscending(part: string): boolean {
  const [first = '', last = ''] = part.split('-').map((end) => end.trim())
  return first !== '0' && last !== '0' && (first === '' || last === '' || Number(first) <= Number(last))
}

function waitForOf(value: unknown): WaitFor {
  if (value === undefined || value === null) return 'load'
  if (value === 'load' || value === 'domcontentloaded' || value === 'networkidle') return value
  const [, selector] = typeof value === 'string' ? (/^selector:\s*(\S.{0,999})$/s.exec(value) ?? []) : []
  if (selector === undefined) throw invalid('wait_for')
  return { selector }
}

function mediaOf(value: unknown): 'print' | 'screen' {
  if (value === undefined || value === null) return 'print'
  if (value !== 'print' && value !== 'screen') throw invalid('media')
  return value
}

function text(body: Body, name: string): string | undefined {
  const value = body[name] ?? undefined
  if (value !== undefined && typeof value !== 'string') throw invalid(name)
  return value
}

function flag(body: Body, name: string, fallback: boolean): boolean {
  const value = body[name] ?? fallback
  if (typeof value !== 'boolean') throw invalid(name)
  return value
}
