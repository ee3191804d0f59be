// Benchmark of the PDF component: its speed and memory, compared with puppeteer and other programs.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { workOf } from '../scripts/lib/cpu.ts'
import { childrenOf } from '../scripts/lib/processes.ts'
import { has } from '../scripts/lib/programs.ts'
import { verdict } from '../scripts/lib/verdict.ts'
import type { Stack } from '../scripts/stack/stack.ts'
import { line, median } from './figures.ts'
import type { BenchOperation } from './operation.ts'
import type { Contenders, PrintMeasurement } from './pdf/contenders.ts'
import { measureMemory } from './pdf/memory.ts'
import { type Remote, start } from './queue/remote.ts'

const rounds = 3
const clientCounts = [1, 4, 16]
const goal = 0.9
const documents = Number(process.env.BENCH_DOCUMENTS ?? 1_000)

/** No operations: the comparison with peers is the whole benchmark. */
export const operations: BenchOperation[] = []

/** Variables of the stack, which make the container start its browser before the first document. */
export const variables = { WARM: 'true' }

let stack: Stack
let folder: string

export async function prepare(started: Stack) {
  stack = started
  folder = join(stack.stateDir, 'pdf')
  await mkdir(folder)
  await stack.containers.chromium!.up()
}

/** Compares the component with its peers. They take turns, so that a slower machine slows all. */
export async function* compare(origin: string, seconds: number): AsyncIterable<string> {
  const contenders = await start<Contenders>('bench/pdf/contenders.ts', folder)
  try {
    yield `one page of A4, by ${await contenders.launch()}`
    for (const crowd of clientCounts) yield* compareAt(contenders, origin, crowd, seconds)
    await contenders.close()
    yield* measureMemory(stack.containers.chromium!, origin, contenders, documents)
  } finally {
    await contenders.end()
  }
}

async function* compareAt(contenders: Remote<Contenders>, origin: string, crowd: number, seconds: number) {
  const all = await contendersOf(contenders, origin)
  const made = all.map((): Costed[] => [])
  for (let round = 0; round < rounds; round++)
    for (const [i, contender] of all.entries()) made[i]!.push(await costOf(contender, crowd, seconds))
  const [ours, puppeteers] = made as [Costed[], Costed[]]
  const share = median(ours.map(({ rate }, round) => rate / puppeteers[round]!.rate))
  for (const [i, { name }] of all.entries()) {
    const met = verdict(share >= goal, `${goal} of puppeteer, is ${share.toFixed(2)}`)
    yield rowOf(i === 0 ? `${crowd} at a time, ${name}` : `  ${name}`, made[i]!, i === 0 ? met : '')
  }
  for (const name of commands) if (!has(name)) yield `  without ${name}`
}

interface Contender {
  name: string
  measure(crowd: number, seconds: number): Promise<PrintMeasurement>
  /** Ids of the processes that do the work. Their children count too. */
  processes: number[]
}

const commands = ['weasyprint', 'wkhtmltopdf'] as const

/** The contenders: the component first, puppeteer second, then the others. */
async function contendersOf(contenders: Remote<Contenders>, origin: string): Promise<Contender[]> {
  const processes = [await contenders.pid()]
  const service = [
    stack.containers.chromium!.pid()!,
    ...childrenOf(process.pid).flatMap(({ pid, name }) => (name === 'workerd' ? pid : [])),
  ]
  return [
    { name: 'the service', measure: (...how) => contenders.service(origin, ...how), processes: service },
    { name: 'puppeteer, called directly', measure: (...how) => contenders.puppeteer(...how), processes },
    ...commands
      .filter(has)
      .map((name) => ({ name, measure: (...how: [number, number]) => contenders[name](...how), processes })),
  ]
}

interface Costed extends PrintMeasurement {
  /** CPU time per document in milliseconds, which depends little on other load. */
  work: number
}

async function costOf({ measure, processes }: Contender, crowd: number, seconds: number): Promise<Costed> {
  const worked = () => processes.reduce((sum, pid) => sum + workOf(pid), 0)
  const before = worked()
  const made = await measure(crowd, seconds)
  return { ...made, work: (worked() - before) / made.documents }
}

/** A line of the report. Rates have one decimal, because they are small. */
function rowOf(name: string, made: Costed[], ...notes: string[]): string {
  const rate = median(made.map((one) => one.rate))
  const middle = made.find((one) => one.rate === rate)!
  const work = `${median(made.map((one) => one.work)).toFixed(0)} ms of CPU`
  return line(name, { p50: middle.p50, p99: middle.p99 }, `${rate.toFixed(1)}/s`.padEnd(8), work.padEnd(14), ...notes)
}
