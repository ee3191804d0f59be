// Sends random parameters to the PDF API, which must reply in its documented form, never with an internal error.
import { createExecutionContext } from 'cloudflare:test'
import { pdf } from '#pdf/index'
import { fuzz } from '../support/fuzz.ts'
import { pdfOn } from './support.ts'

const { env } = pdfOn(undefined, { PDF_CACHE_TTL: '3600' })

fuzz(async (url, init) => pdf.fetch(new Request(url, init), env, createExecutionContext()), pdf, {
  html: ['<p>a', ' ', '[', '{}', '😀'.repeat(40_000)],
  html_link: ['', 'https://example.com/'],
  format: ['A4', 'letter'],
  landscape: [true, false],
  margin_top: ['1cm', 0, '0'],
  margin_left: ['12.5mm'],
  scale: [1, 0.1, 2],
  header_html: ['<b class="title">'],
  page_ranges: ['1', '2-3, 5'],
  wait_for: ['load', 'selector:a'],
  media: ['print', 'screen'],
  filename: ['a.pdf', 'ж', '%41'],
})
