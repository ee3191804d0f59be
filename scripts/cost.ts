// npm run cost [-- component …] [--write]: counts the rows, calls and requests of each operation, and prints them with
// their price on Cloudflare and the first limit that growing traffic reaches. --write puts the tables into
// docs/costs.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { type Cost, measure } from './cost/measure.ts'
import { operations } from './cost/operations/operations.ts'
import { lineOf, pageOf, textOf } from './cost/report.ts'

const page = 'docs/costs.md'
const markers = ['<!-- begin: npm run cost -- --write -->', '<!-- end -->'] as const

const names = process.argv.slice(2).filter((argument) => argument !== '--write')
const isWritten = process.argv.includes('--write')
const unknown = names.filter((name) => !(name in operations))
if (unknown.length > 0) {
  console.error(
    `No operations are defined for ${unknown.join(', ')}. Choose from ${Object.keys(operations).join(', ')}`,
  )
  process.exit(1)
}

const costs: Cost[] = []
for await (const cost of measure(names.length > 0 ? names : Object.keys(operations))) {
  costs.push(cost)
  console.log(lineOf(cost))
}
console.log(`\n${textOf(costs)}`)
if (isWritten) writeFileSync(page, withTables(readFileSync(page, 'utf8')))

function withTables(text: string): string {
  const [begin, end] = markers.map((marker) => text.indexOf(marker)) as [number, number] // One index per marker.
  if (begin < 0 || end < begin) throw new Error(`${page} must have ${markers.join(' and ')}`)
  const start = begin + markers[0].length
  return `${text.slice(0, start)}\n\n${pageOf(costs, text.slice(start, end))}\n\n${text.slice(end)}`
}
