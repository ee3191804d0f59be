// Describes the Worker in this folder to the stack that runs the benchmarks.
import { resolve } from 'node:path'
import type { WorkerFiles } from '../../scripts/stack/components.ts'

/** A Worker that parses and verifies the signature in a request, and stores nothing. */
export const signed: WorkerFiles = {
  name: 'signed',
  config: resolve('bench/signature/wrangler.toml'),
  main: resolve('bench/signature/index.ts'),
}
