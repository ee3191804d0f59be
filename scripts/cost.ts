// npm run cost [-- component …] [--write]: what each operation reads, writes and calls, counted where it happens, with its
// price and the first limit that it meets as it becomes more frequent. --write puts the tables of these into docs/costs.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { type Cost, measure } from './cost/measure.ts'
import { operations } from './cost/operations/operations.ts'
import { lineOf, pageOf, textOf } from './cost/report.ts'

const page = 'docs/costs.md'
const markers = ['<!-- begin: npm run cost -- --write -->', '<!-- end -->'] as const

const asked = process.argv.slice(2).filter((argument) => argument !== '--write')
const isWritten = process.argv.includes('--write')
const unknown = asked.filter((name) => !(name in operations))
if (unknown.length > 0) {
  console.error(`There is nothing to count of ${unknown.join(', ')}; there are ${Object.keys(operations).join(', ')}`)
  process.exit(1)
}

const costs: Cost[] = []
for await (const cost of measure(asked.length > 0 ? asked : Object.keys(operations))) {
  costs.push(cost)
  console.log(lineOf(cost))
}
console.log(`\n${textOf(costs)}`)
if (isWritten) writeFileSync(page, filled(readFileSync(page, 'utf8')))

function filled(text: string): string {
  const [begin, end] = markers.map((marker) => text.indexOf(marker)) as [number, number] // One for each marker.
  if (begin < 0 || end < begin) throw new Error(`${page} must have ${markers.join(' and ')}`)
  const start = begin + markers[0].length
  return `${text.slice(0, start)}\n\n${pageOf(costs, text.slice(start, end))}\n\n${text.slice(end)}`
}
