// npm run cost [-- component …] [--write] [--bills]: counts the rows, calls and requests of each operation, and prints them
// with their price and the first limit that growing traffic reaches. --write puts the tables and the bills that follow from them
// into docs/costs.md. --bills measures nothing: it writes the prices and the bills again.
import { readFileSync, writeFileSync } from 'node:fs'
import { billsAsText } from './cost/bill-text.ts'
import { partOf, withPart } from './cost/markdown.ts'
import { type Cost, measure, measured } from './cost/measure.ts'
import { usagesIn } from './cost/page-usage.ts'
import { lineOf, pageOf, textOf } from './cost/report.ts'

const page = 'docs/costs.md'
const options = ['--write', '--bills']

const args = process.argv.slice(2)
const names = args.filter((argument) => !options.includes(argument))
const [isWritten, isOnlyBills] = options.map((option) => args.includes(option))
const unknown = names.filter((name) => !(name in measured))
if (unknown.length > 0) {
  console.error(`No operations are defined for ${unknown.join(', ')}. Choose from ${Object.keys(measured).join(', ')}`)
  process.exit(1)
}

const costs: Cost[] = []
if (!isOnlyBills) {
  for await (const cost of measure(names.length > 0 ? names : Object.keys(measured))) {
    costs.push(cost)
    console.log(lineOf(cost))
  }
  console.log(`\n${textOf(costs)}`)
}
if (isWritten || isOnlyBills) writeFileSync(page, updated(readFileSync(page, 'utf8')))

/** The page with these costs, and with the bills that follow from its tables. */
function updated(text: string): string {
  const tables = pageOf(costs, partOf(text, 'tables'))
  return withPart(withPart(text, 'tables', tables), 'bills', billsAsText(usagesIn(tables)))
}
