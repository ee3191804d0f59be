// The load process of a benchmark: sends requests over kept-open connections, and prints the measurement as JSON. node
// bench/load.ts <module> <operation> <origin> <connections> <seconds>
import { performance } from 'node:perf_hooks'
import type { BenchOperation } from './operation.ts'
import { wireTo } from './wire.ts'

export interface Measured {
  /** Replies a second. */
  rate: number
  /** Latency in milliseconds: median and 99th percentile. */
  p50: number
  p99: number
  /** Number of replies that are not 2xx. */
  failed: number
}

const [module, name, origin, connections, seconds] = process.argv.slice(2) as [string, string, string, string, string]
const { operations } = (await import(module)) as { operations: BenchOperation[] }
const { request } = operations.find((operation) => operation.name === name)!

const warmUp = 500
const started = performance.now() + warmUp
const ended = started + Number(seconds) * 1_000
const times: number[] = []
let failed = 0
let sent = 0

await Promise.all(Array.from({ length: Number(connections) }, client))
times.sort((a, b) => a - b)
const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
const measured: Measured = { rate: times.length / Number(seconds), p50: at(0.5), p99: at(0.99), failed }
console.log(JSON.stringify(measured))

async function client() {
  const wire = wireTo(origin)
  while (performance.now() < ended) {
    const before = performance.now()
    const status = await wire.ask(request(sent++))
    if (before >= started) times.push(performance.now() - before)
    if (status >= 300) failed++
  }
  wire.close()
}
