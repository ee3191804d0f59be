import { resolve } from 'node:path'
import type { WorkerFiles } from '../../scripts/stack/components.ts'

/** A Worker that calls the limiter only. */
export const limiter: WorkerFiles = {
  name: 'limiter',
  config: resolve('bench/otp/wrangler.toml'),
  main: resolve('bench/otp/index.ts'),
}
