import { resolve } from 'node:path'
import type { Component } from '../../stack/components.ts'

/** A Worker that parses and verifies what it is sent, and stores nothing. */
export const signed: Component = {
  name: 'signed',
  config: resolve('scripts/bench/signature/wrangler.toml'),
  main: resolve('scripts/bench/signature/index.ts'),
}
