// Describes the Worker in this folder to the stack that runs the benchmarks.
import { resolve } from 'node:path'
import type { WorkerFiles } from '../../../scripts/stack/components.ts'

/** The Worker that times searches inside of durable objects. */
export const engine: WorkerFiles = {
  name: 'engine',
  config: resolve('bench/search/object/wrangler.toml'),
  main: resolve('bench/search/object/index.ts'),
}
