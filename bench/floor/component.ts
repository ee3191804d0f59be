// Describes the bare Worker to the stack that runs the benchmarks.
import { resolve } from 'node:path'
import type { WorkerFiles } from '../../scripts/stack/components.ts'

/** The bare Worker whose speed is the baseline (the floor) of the components. */
export const floor: WorkerFiles = {
  name: 'floor',
  config: resolve('bench/floor/wrangler.toml'),
  main: resolve('bench/floor/index.ts'),
}
