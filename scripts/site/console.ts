// Builds the console, the browser app of the operators, with Vite.
import { resolve } from 'node:path'
import { build, type InlineConfig } from 'vite'

/** Vite options that both the built console and the one of `npm run dev` need. */
export const consoleOptions = {
  root: resolve('src/console'),
  base: '/console/',
  configFile: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
} satisfies InlineConfig

/** Builds the console into a folder, as pages and scripts under `/console/`. */
export async function buildConsole(to: string): Promise<void> {
  await build({
    ...consoleOptions,
    // The oldest browsers supported are those with `light-dark()` in CSS: for older ones, Vite would compile it to
    // rules that follow the system's theme only.
    build: {
      outDir: to,
      emptyOutDir: true,
      target: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: { polyfill: false },
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  })
}
