import { resolve } from 'node:path'
import { build } from 'vite'

/** Builds the console into a folder, as pages and scripts under `/console/`. */
export async function buildConsole(to: string): Promise<void> {
  await build({
    root: resolve('src/console'),
    base: '/console/',
    configFile: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: to,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  })
}
