// Benchmark of the queue: its operations, and a comparison with BullMQ and graphile-worker.
import { post } from '../scripts/lib/post.ts'
import { verdict } from '../scripts/lib/verdict.ts'
import type { Stack } from '../scripts/stack/stack.ts'
import { line, median } from './figures.ts'
import type { Measured } from './load.ts'
import type { BenchOperation } from './operation.ts'
import type { QueueContender } from './queue/contender.ts'
import { type Figure, figures } from './queue/figures.ts'
import { isolation } from './queue/isolation.ts'
import { startPeers } from './queue/peers.ts'
import { start } from './queue/remote.ts'
import type { BenchTarget } from './queue/target.ts'
import { isolated, isolatedSettings, unread, widths, workerOf } from './queue/workers.ts'

const rounds = 3

/** Tasks of a dead key, and the goal for the 99th percentile of the start delay of the other keys behind them. */
const deadTasks = 10_000
const maxIsolationMs = 50

export const variables = {
  QUEUE_WORKERS: JSON.stringify(
    Object.fromEntries([
      [unread, 1],
      [isolated, isolatedSettings],
      ...widths.map((daemons) => [workerOf(daemons), daemons]),
    ]),
  ),
}

export const operations: BenchOperation[] = [
  {
    name: 'POST /task',
    request: (n) => ({
      method: 'POST',
      path: '/task',
      body: { worker: unread, url: 'http://127.0.0.1:9/', json: { n, text: 'Lorem ipsum dolor sit amet' } },
    }),
    floor: 'object',
  },
]

export const prepare = (_: Stack, origin: string) => post(origin, '/worker/pause', { worker: unread })

/** Compares the queues. They take turns, so that a slower machine slows all, and the median round counts. */
export async function* compare(origin: string, seconds: number): AsyncIterable<string> {
  const target = await start<BenchTarget>('bench/queue/target.ts')
  const url = await target.url()
  const ours = await start<QueueContender>('bench/queue/ours.ts', origin, url)
  const peers = await startPeers(url)
  try {
    for (const reason of peers.missing) yield reason
    const contenders = new Map([['ours', ours], ...peers.contenders])
    for (const figure of figures) {
      const results = new Map<string, Partial<Measured>[]>()
      for (let round = 0; round < rounds; round++)
        for (const [name, contender] of contenders) {
          const result = await figure.measure(contender, target, seconds)
          results.set(name, [...(results.get(name) ?? []), result])
        }
      yield* rows(figure, results)
    }
    yield line('start delay, 8 idle daemons', await isolation(origin, target, seconds, 0))
    const delay = await isolation(origin, target, seconds, deadTasks)
    yield line('start delay behind a dead key', delay, ''.padEnd(10), verdictOf({ p99: maxIsolationMs }, delay))
  } finally {
    await peers.stop()
    await ours.end()
    await target.end()
  }
}

function* rows({ name, goal }: Figure, results: Map<string, Partial<Measured>[]>): Generator<string> {
  const figureOf = ({ rate, p99 }: Partial<Measured>) => (rate ?? p99)!
  const middle = (all: Partial<Measured>[]) => all.find((one) => figureOf(one) === median(all.map(figureOf)))!
  const [own, ...peers] = [...results].map(([peer, all]) => ({ peer, result: middle(all) }))
  yield line(name, own!.result, ''.padEnd(10), goal ? verdictOf(goal, own!.result) : '')
  for (const { peer, result } of peers) {
    const [mine, theirs] = [figureOf(own!.result), figureOf(result)]
    const times = result.rate === undefined ? theirs / mine : mine / theirs
    yield line(`  ${peer}`, result, `${times.toFixed(2)} times`.padEnd(10), verdict(times > 1, `ahead of ${peer}`))
  }
}

function verdictOf(goal: NonNullable<Figure['goal']>, { rate = 0, p99 = 0 }: Partial<Measured>): string {
  if ('rate' in goal) return verdict(rate >= goal.rate, `${goal.rate}/s`)
  return verdict(p99 <= goal.p99, `p99 of ${goal.p99} ms`)
}
