import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { has } from '../../tests/support/programs.ts'
import type { Stack } from '../stack/stack.ts'
import { line, median, verdict } from './figures.ts'
import type { Measured } from './load.ts'
import type { Operation } from './operation.ts'
import type { Contenders } from './pdf/contenders.ts'
import { measureMemory } from './pdf/memory.ts'
import { type Remote, start } from './queue/remote.ts'

const rounds = 3
const crowds = [1, 4, 16]
const goal = 0.9
const documents = Number(process.env.BENCH_DOCUMENTS ?? 1_000)

/** All of it is held against a peer. */
export const operations: Operation[] = []

let stack: Stack
let folder: string

export async function prepare(given: Stack) {
  stack = given
  folder = join(stack.stateDir, 'pdf')
  await mkdir(folder)
  await stack.containers.chromium!.up()
}

/** The service and each peer in turn, so that a machine that slows down slows all. */
export async function* compare(origin: string, seconds: number): AsyncIterable<string> {
  const contenders = await start<Contenders>('scripts/bench/pdf/contenders.ts', folder)
  try {
    yield `one page of A4, by ${await contenders.launch()}`
    for (const crowd of crowds) yield* compareAt(contenders, origin, crowd, seconds)
    await contenders.close()
    yield* measureMemory(stack.containers.chromium!, origin, contenders, documents)
  } finally {
    await contenders.end()
  }
}

async function* compareAt(contenders: Remote<Contenders>, origin: string, crowd: number, seconds: number) {
  const peers = peersOf(contenders)
  const ours: Measured[] = []
  const theirs = peers.map((): Measured[] => [])
  for (let round = 0; round < rounds; round++) {
    ours.push(await contenders.service(origin, crowd, seconds))
    for (const [i, { measure }] of peers.entries()) theirs[i]!.push(await measure(crowd, seconds))
  }
  const share = median(ours.map(({ rate }, round) => rate / theirs[0]![round]!.rate))
  yield rowOf(
    `${crowd} at a time, the service`,
    ours,
    verdict(share >= goal, `${goal} of puppeteer, is ${share.toFixed(2)}`),
  )
  for (const [i, { name }] of peers.entries()) yield rowOf(`  ${name}`, theirs[i]!)
  for (const name of commands) if (!has(name)) yield `  without ${name}`
}

const commands = ['weasyprint', 'wkhtmltopdf'] as const

function peersOf(contenders: Remote<Contenders>) {
  const installed = commands.filter(has)
  return ['puppeteer' as const, ...installed].map((name) => ({
    name: name === 'puppeteer' ? 'puppeteer, called directly' : name,
    measure: (crowd: number, seconds: number) => contenders[name](crowd, seconds),
  }))
}

/** With a digit after the point: there are few in a second. */
function rowOf(name: string, measured: Measured[], ...said: string[]): string {
  const rate = median(measured.map((one) => one.rate))
  const middle = measured.find((one) => one.rate === rate)!
  return line(name, { p50: middle.p50, p99: middle.p99 }, `${rate.toFixed(1)}/s`.padEnd(10), ...said)
}
