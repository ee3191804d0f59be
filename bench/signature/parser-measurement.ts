// Measures the parsing and verification of signatures in a Worker.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childrenOf, memoryOf, resetPeak } from '../../scripts/lib/processes.ts'
import { type Stack, startStack } from '../../scripts/stack/stack.ts'
import { line, median } from '../figures.ts'
import { signed } from './component.ts'
import { hostile, signedBySize } from './samples.ts'

const sizes = { '5 kB': 4_000, '100 kB': 99_000, '2 MB': 2_000_000 }

/**
 * Measures parsing and verification without HTTP and storage: the duration compared with peers, the duration for
 * rejected input, and the memory for 10 MB. Yields lines of the report.
 */
export async function* measureParsing(): AsyncIterable<string> {
  yield* onWorker(async function* (stack) {
    for (const [size, text] of signedBySize(sizes)) {
      for (const work of ['parse', 'parse by pkijs', 'verify', 'verify by pkijs']) {
        yield line(`${work}, ${size}`, { p50: await timeOf(stack, work, text) })
      }
    }
    for (const [name, text] of Object.entries(hostile)) {
      yield line(`refuse ${name}`, { p50: await timeOf(stack, 'parse', text) })
    }
    yield line('99 000 nodes by xmldom', { p50: await timeOf(stack, 'parse by xmldom', hostile['99 000 nodes']!) })
  })
  yield* memory()
}

async function timeOf(stack: Stack, work: string, body: string): Promise<number> {
  const url = `${stack.origins.signed}/?${new URLSearchParams({ work })}`
  const response = await fetch(url, { method: 'POST', body })
  return median((await response.json()) as number[])
}

/** Size of the heap of an isolate in megabytes. Buffers are outside of it. */
const heap = 96

const large = { '10 MB': 10_000_000 }

async function* memory(): AsyncIterable<string> {
  if (process.platform !== 'linux') return yield 'without Linux: no memory is measured'
  const forms: [string, string][] = [
    ['CMS', signedBySize(large)[0]![1]],
    ['CMS in pieces', signedBySize(large, ['-stream'])[0]![1]],
    ['XML', `<a>${'QUJD'.repeat(2_500_000)}</a>`],
  ]
  process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-heap-size=${heap}`
  try {
    for (const [name, text] of forms) {
      const work = name === 'XML' ? 'parse' : 'verify'
      yield* onWorker(async function* (stack, runtime) {
        resetPeak(runtime)
        const before = memoryOf(runtime).now
        await timeOf(stack, work, text)
        const grown = (memoryOf(runtime).peak - before) / 1024 / 1024
        yield `${`${work} 10 MB of ${name}, 10 times`.padEnd(32)}  workerd +${grown.toFixed(0)} MB`
      })
    }
  } finally {
    delete process.env.MINIFLARE_WORKERD_V8_FLAGS
  }
}

async function* onWorker(measure: (stack: Stack, runtime: number) => AsyncIterable<string>): AsyncIterable<string> {
  const stateDir = await mkdtemp(join(tmpdir(), 'quartermaster-signed-'))
  const others = new Set(runtimes())
  const settings = { port: 0, stateDir, components: [signed], containers: [], log: () => undefined, direct: ['signed'] }
  const stack = await startStack(settings)
  try {
    yield* measure(stack, runtimes().find((pid) => !others.has(pid))!)
  } finally {
    await stack.dispose()
    await rm(stateDir, { recursive: true })
  }
}

const runtimes = () => childrenOf(process.pid).flatMap(({ pid, name }) => (name === 'workerd' ? pid : []))
