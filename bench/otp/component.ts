// Describes the Worker in this folder to the stack that runs the benchmarks.
import { resolve } from 'node:path'
import type { WorkerFiles } from '../../scripts/stack/components.ts'

/** A Worker that only calls the limiter of one-time passwords. */
export const limiter: WorkerFiles = {
  name: 'limiter',
  config: resolve('bench/otp/wrangler.toml'),
  main: resolve('bench/otp/index.ts'),
}
