import { resolve } from 'node:path'
import type { Component } from '../../../stack/components.ts'

/** The Worker that times searches inside of durable objects. */
export const engine: Component = {
  name: 'engine',
  config: resolve('scripts/bench/search/object/wrangler.toml'),
  main: resolve('scripts/bench/search/object/index.ts'),
}
