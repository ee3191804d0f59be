// The document of the PDF benchmark.
import { readFileSync } from 'node:fs'

const sample = readFileSync('docs/samples/invoice.html', 'utf8')
const rows = 6

/** The sample invoice on one A4 page, with this number, so that no two documents are equal. */
export function invoice(n: number): string {
  let row = 0
  const page = sample.replace(/ {8}<tr>\n {10}<td>.*?<\/tr>\n/gs, (text) => (row++ < rows ? text : ''))
  return page.replaceAll('2026-0417', `2026-${String(n).padStart(4, '0')}`)
}

/** The component's default print options, for the contenders. */
export const options = {
  format: 'A4',
  preferCSSPageSize: true,
  printBackground: true,
  margin: { top: '10mm', right: '10mm', bottom: '10mm', left: '10mm' },
} as const
