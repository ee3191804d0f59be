import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { scales, userDay } from '../../../scripts/cost/assumptions.ts'
import { activeSeconds, billOf } from '../../../scripts/cost/bill.ts'
import { billsAsText } from '../../../scripts/cost/bill-text.ts'
import { idleDollars, idleSeconds, instance, maxInstances, nothing } from '../../../scripts/cost/container.ts'
import { partOf, tablesIn } from '../../../scripts/cost/markdown.ts'
import { type PageUsage, usagesIn } from '../../../scripts/cost/page-usage.ts'
import { dollarsPerMillion, dollarsWithLogs } from '../../../scripts/cost/prices.ts'
import { pageOf } from '../../../scripts/cost/report.ts'

const page = readFileSync('docs/costs.md', 'utf8')
const tables = partOf(page, 'tables')
const bills = partOf(page, 'bills')
const usages = usagesIn(tables)

const number = (cell: string) => Number(cell.replaceAll(/[,*\s]/g, ''))

describe('the tables of docs/costs.md', () => {
  it('have the prices of the script', () => {
    expect(pageOf([], tables)).toBe(tables.trim())
  })

  const rows = tables
    .split(/^(?=### )/m)
    .slice(1)
    .flatMap((section) => {
      const component = section.slice('### '.length, section.indexOf('\n'))
      const [[heads = [], ...cells] = []] = tablesIn(section)
      return cells.map((row) => ({
        name: `${component} ${row[0]!.replace(/ \*$/, '')}`,
        of: (head: string) => Number(row[heads.indexOf(head)]),
      }))
    })

  it.each(rows)('have the price of $name', ({ name, of }) => {
    const usage = usages.get(name)!
    // The figures of the page are rounded: CPU to a millisecond, rows to a tenth or to one.
    const rounding = 0.02 + 0.01 * of('with logs')
    expect(Math.abs(of('$ a million') - dollarsPerMillion(usage))).toBeLessThan(rounding)
    expect(Math.abs(of('with logs') - dollarsWithLogs(usage))).toBeLessThan(rounding + 0.6 * 0.5)
    expect(of('log events')).toBeGreaterThanOrEqual(2)
  })

  it('count at least three log events of each request', () => {
    const few = rows.filter(({ name, of }) => of('log events') < 3 * of('requests') && !name.startsWith('gateway'))
    expect(few.map(({ name }) => name)).toEqual([])
  })

  it('have the container of each document and video', () => {
    for (const name of ['pdf POST /pdf, one page', 'media POST /video, until it is mp4'])
      expect(usages.get(name)).toMatchObject({ vcpu_s: expect.toSatisfy((n) => n > 0), container_gib_s: expect.toSatisfy((n) => n > 0) }) // biome-ignore format: one line
  })
})

describe('the bills of docs/costs.md', () => {
  it('follow from the tables', () => {
    expect(bills.trim()).toBe(billsAsText(usages))
  })

  const [summary = [], ...others] = tablesIn(bills)
  const shown = others.slice(0, scales.length)

  it.each(shown.map((table, at) => ({ title: scales[at]!.title, table, summary: summary[at + 1]! })))(
    'of $title have lines that are right, and their sum',
    ({ table, summary: [, , , withoutLogs, withLogs, sampled] }) => {
      const lines = table.slice(1, -1).map(([of, ...cells]) => [of, ...cells.map(number)] as [string, ...number[]])
      const dollarsOf = (line: (typeof lines)[number]) => line[4]!
      for (const [of, used, included, price, dollars] of lines.slice(1)) {
        const unit = of.endsWith('GB') ? 1 : 1e6
        expect(Math.abs((Math.max(0, used! - included!) * price!) / unit - dollars!), of).toBeLessThan(of.endsWith('GB') ? 0.05 : 0.01) // biome-ignore format: one line
      }
      const total = lines.reduce((sum, line) => sum + dollarsOf(line), 0)
      expect(number(table.at(-1)![4]!)).toBeCloseTo(total, 1)
      expect(number(withLogs!)).toBeCloseTo(total, 1)
      const [, events, included, price, logs] = lines.find(([of]) => of === 'log events')!
      expect(number(withoutLogs!)).toBeCloseTo(total - logs!, 1)
      expect(number(sampled!)).toBeCloseTo(total - logs! + (Math.max(0, events! / 10 - included!) * price!) / 1e6, 1)
    },
  )

  it('cost more with more users', () => {
    expect(shown.map((table) => number(table.at(-1)![4]!))).toEqual(
      shown.map((table) => number(table.at(-1)![4]!)).toSorted((a, b) => a - b),
    )
  })
})

describe('billOf', () => {
  const each: PageUsage = { ...nothing, requests: 1, d1_written: 2, log_events: 3, growth: 0 }
  const names = [...Object.keys(userDay), 'gateway the work of every minute, in all components']
  const times = Object.values(userDay).reduce((sum, n) => sum + n, 0)
  const bill = billOf({ title: '', users: 100_000, isolates: 1 }, new Map(names.map((name) => [name, each])))
  const usedOf = (of: string) => bill.lines.find((line) => line.of === of)!

  it('multiplies the use of each operation with its times, and adds the work of every minute', () => {
    const operations = times * 100_000 * 30 + 43_200
    expect(usedOf('Worker requests').used).toBeCloseTo(operations)
    expect(usedOf('Worker requests').dollars).toBeCloseTo(((operations - 10e6) / 1e6) * 0.3)
    expect(usedOf('D1 rows written').dollars).toBeCloseTo(((2 * operations - 50e6) / 1e6) * 1)
    // One isolate sends its metrics every ten seconds.
    expect(bill.logs.used).toBeCloseTo(3 * operations + 259_200)
    expect(usedOf('object rows written').used).toBeCloseTo(6 * 259_200)
  })

  it('bills nothing that is included', () => {
    const small = billOf({ title: '', users: 1, isolates: 1 }, new Map(names.map((name) => [name, each])))
    expect(small.total).toBe(5)
  })

  it('finds the users of a number of requests a second', () => {
    const busy = billOf(
      { title: '', requestsPerSecond: 1_000, isolates: 1 },
      new Map(names.map((name) => [name, each])),
    )
    expect(busy.users).toBe(Math.round((1_000 * 86_400) / times))
    expect(busy.requestsPerSecond).toBeCloseTo(1_000, 1)
  })
})

describe('a container', () => {
  it('has the size, the number and the idle time of its configuration', () => {
    const configurations = globSync('containers/*/wrangler.toml').map((file) => readFileSync(file, 'utf8'))
    expect(configurations.length).toBe(2)
    for (const text of configurations) {
      expect(text).toContain(`instance_type = "${instance.type}"`)
      expect(text).toContain(`max_instances = ${maxInstances}\n`)
    }
    for (const file of globSync('containers/*/worker.ts'))
      expect(readFileSync(file, 'utf8')).toContain(`sleepAfter = '${idleSeconds / 60}m'`)
  })

  it('costs memory and disk while it is idle', () => {
    expect(idleDollars()).toBeCloseTo(600 * (8 * 0.0000025 + 16 * 0.00000007), 10)
  })

  it('runs for the idle time after a rare request, and always after frequent ones', () => {
    expect(activeSeconds(3, 600)).toBeCloseTo(1_800, -1)
    expect(activeSeconds(1e9, 600)).toBeCloseTo(30 * 86_400)
  })
})
