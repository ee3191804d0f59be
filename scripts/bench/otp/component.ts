import { resolve } from 'node:path'
import type { Component } from '../../stack/components.ts'

/** A Worker that asks the limiter, and does nothing else. */
export const limiter: Component = {
  name: 'limiter',
  config: resolve('scripts/bench/otp/wrangler.toml'),
  main: resolve('scripts/bench/otp/index.ts'),
}
