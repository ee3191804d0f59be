import { resolve } from 'node:path'
import type { WorkerFiles } from '../../scripts/stack/components.ts'

/** The bare Worker that sets the baseline (the floor) for components. */
export const floor: WorkerFiles = {
  name: 'floor',
  config: resolve('bench/floor/wrangler.toml'),
  main: resolve('bench/floor/index.ts'),
}
