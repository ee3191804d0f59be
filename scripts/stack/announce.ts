import { ownPrefixOf } from '#manifests'
import type { Stack } from './stack.ts'

/** Prints the addresses and folders of a stack that `npm start` has started. */
export function announce(stack: Stack, startedInMs: number): void {
  const { host } = new URL(stack.url)
  const width = Math.max(...stack.components.map((name) => name.length))
  const lines = stack.components.map((name) => {
    const docs = `${stack.url}/${name}${ownPrefixOf(name)}/_docs`
    return `  ${name.padEnd(width)}  ${stack.url}/${name}  http://${name}.${host}  docs: ${docs}`
  })
  console.log(`Quartermaster: ${stack.url} (${Math.round(startedInMs)} ms)`)
  console.log(lines.join('\n'))
  console.log(`Console: ${stack.url}/console/  Guide: ${stack.url}/docs/`)
  if (stack.migrated.length > 0) console.log(`Migrations applied: ${stack.migrated.length}`)
  if (stack.secrets.names.length > 0)
    console.log(`Generated secrets: ${stack.secrets.names.join(', ')}, in ${stack.secrets.file}`)
  console.log(`Data: ${stack.stateDir}`)
}

const sweepIntervalMs = 60_000

/**
 * Runs the gateway's cron trigger at once, for work that an earlier run left, and then every minute. A failed sweep is
 * ignored, since the runtime may be restarting after a crash.
 */
export function keepSweeping(stack: Stack): void {
  const sweep = () => void stack.sweep().catch(() => undefined)
  sweep()
  setInterval(sweep, sweepIntervalMs)
}
