import { resolve } from 'node:path'
import type { WorkerFiles } from '../../scripts/stack/components.ts'

/** A Worker that asks the limiter, and does nothing else. */
export const limiter: WorkerFiles = {
  name: 'limiter',
  config: resolve('bench/otp/wrangler.toml'),
  main: resolve('bench/otp/index.ts'),
}
