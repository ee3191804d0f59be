import { resolve } from 'node:path'
import type { Component } from '../../stack/components.ts'

/** The bare Worker that components are held against. */
export const floor: Component = {
  name: 'floor',
  config: resolve('scripts/bench/floor/wrangler.toml'),
  main: resolve('scripts/bench/floor/index.ts'),
}
