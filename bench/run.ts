// npm run bench [component …]: measures each operation of a component, and a bare Worker with the same storage calls. The
// Workers run on workerd; a second process sends the load. Rounds of an operation and of its baseline take turns, so that a
// slower machine slows both. The median round counts.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { verdict } from '../scripts/lib/verdict.ts'
import { components } from '../scripts/stack/components.ts'
import { type Stack, startStack } from '../scripts/stack/stack.ts'
import { line, median } from './figures.ts'
import { floor } from './floor/component.ts'
import { installPeers } from './install.ts'
import type { Measured } from './load.ts'
import type { Bench, BenchOperation } from './operation.ts'

const rounds = 3
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const connections = 16

const moduleOf = (name: string) => resolve('bench', `${name}.ts`)

const requested = process.argv.slice(2)
const unknown = requested.filter(
  (name) => !existsSync(moduleOf(name)) || !components().some((one) => one.name === name),
)
if (unknown.length > 0) {
  console.error(`There is no benchmark of ${unknown.join(', ')}`)
  process.exit(1)
}
const names =
  requested.length > 0
    ? requested
    : components()
        .map(({ name }) => name)
        .filter((name) => existsSync(moduleOf(name)))

await installPeers().catch((error) => console.error(`The libraries to compare with cannot be installed: ${error}`))

const benches = new Map<string, Bench>()
for (const name of names) benches.set(name, await import(moduleOf(name)))

const stateDir = await mkdtemp(join(tmpdir(), 'quartermaster-bench-'))
const stack = await startStack({
  port: 0,
  stateDir,
  variables: Object.assign({}, ...[...benches.values()].map(({ variables }) => variables)),
  components: [...components(), floor],
  log: () => undefined,
  direct: [...names, 'floor'],
})
try {
  for (const [name, module] of benches) await bench(name, module, stack)
} finally {
  await stack.dispose()
  await rm(stateDir, { recursive: true })
}

async function bench(name: string, { operations, prepare, compare }: Bench, stack: Stack) {
  const origin = stack.origins[name]!
  console.log(`\n${name}`)
  await prepare?.(stack, origin)
  const measured = new Map<string, Measured>()
  for (const operation of operations) {
    const result = await measure(name, operation)
    measured.set(operation.name, result.own)
    console.log(row(operation, result, measured))
  }
  for await (const more of compare?.(origin, seconds) ?? []) console.log(more)
}

interface Result {
  own: Measured
  ratio: number | undefined
}

async function measure(component: string, operation: BenchOperation): Promise<Result> {
  const own: Measured[] = []
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const mine = await load(moduleOf(component), operation.name, stack.origins[component]!, operation)
    own.push(mine)
    if (!operation.floor) continue
    const bare = await load(moduleOf('floor'), operation.floor, stack.origins.floor!, operation)
    ratios.push(mine.rate / bare.rate)
  }
  const by = median(own.map(({ rate }) => rate))
  return { own: own.find(({ rate }) => rate === by)!, ratio: ratios.length > 0 ? median(ratios) : undefined }
}

async function load(module: string, name: string, origin: string, operation: BenchOperation): Promise<Measured> {
  const settings = [module, name, origin, String(operation.connections ?? connections), String(seconds)]
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/load.ts', ...settings])
  return JSON.parse(stdout) as Measured
}

function row({ name, goal }: BenchOperation, { own, ratio }: Result, measured: Map<string, Measured>) {
  const share = ratio === undefined ? '' : `${ratio.toFixed(2)} floor`
  const failed = own.failed > 0 ? `${own.failed} FAILED` : ''
  return line(name, own, share.padEnd(10), goalOf(goal, own, ratio, measured), failed)
}

function goalOf(
  goal: BenchOperation['goal'],
  { rate, p50 }: Measured,
  ratio = 0,
  measured: Map<string, Measured>,
): string {
  if (!goal) return ''
  if ('ratio' in goal) return verdict(ratio >= goal.ratio, `${goal.ratio} of the floor`)
  if ('rate' in goal) return verdict(rate >= goal.rate, `${goal.rate}/s`)
  if ('p50' in goal) return verdict(p50 <= goal.p50, `p50 of ${goal.p50} ms`)
  const times = p50 / measured.get(goal.of)!.p50
  return verdict(times <= goal.within, `within ${goal.within} of ${goal.of}, is ${times.toFixed(2)}`)
}
