// npm run dev: runs everything as npm start does. A changed Worker restarts within a second and keeps its data, and the browser
// updates the console. Variables are those of npm start.
import { mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { changesOf } from './dev/changes.ts'
import { serveConsole } from './dev/console.ts'
import { startFront } from './dev/front.ts'
import { watch } from './dev/watch.ts'
import { DevWorkers } from './dev/workers.ts'
import { announce, keepSweeping } from './stack/announce.ts'
import { type Configured, components, gateway } from './stack/components.ts'
import { endWithNpm } from './stack/parents.ts'
import { lastingPort } from './stack/port.ts'
import type { RunOptions } from './stack/runtime.ts'
import { startStack } from './stack/stack.ts'
import { variablesOf } from './stack/variables.ts'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(0))
endWithNpm()

const began = performance.now()
const { PORT = '8787', STATE_DIR = '.state' } = process.env
const log = (line: string) => console.log(line)

const registry = resolve(STATE_DIR, 'registry')
/** Resolves when the last change is applied. Requests wait for this promise, so that none reaches a stopped Worker. */
let applied: Promise<void> = Promise.resolve()
let workers: DevWorkers | undefined
let persist = ''
let consoleAddress = ''

/** Changes the gateway's configuration so that requests for the console go to Vite. */
function adapt(worker: Configured): Configured {
  if (worker.name !== gateway.name) return worker
  const { assets, ...options } = worker.options
  const ASSETS = { external: { address: consoleAddress, http: {} } }
  return { ...worker, options: { ...options, serviceBindings: { ...options.serviceBindings, ASSETS } } }
}

async function run(options: RunOptions): Promise<DevWorkers> {
  rmSync(registry, { recursive: true, force: true })
  mkdirSync(registry, { recursive: true })
  const gatewayPort = await lastingPort()
  const front = await startFront(Number(new URL(options.url).port), gatewayPort, () => applied)
  consoleAddress = await serveConsole(front, options.site)
  workers = new DevWorkers({ ...options, configured: options.configured.map(adapt), gatewayPort, registry })
  persist = options.persist
  await workers.start()
  return workers
}

try {
  const stack = await startStack({ port: Number(PORT), stateDir: STATE_DIR, variables: variablesOf(process.env), run })
  const { containers } = stack
  const apply = await changesOf({
    components: [gateway, ...components()],
    workers: workers!,
    adapt,
    containers,
    persist,
    log,
  })
  watch((paths) => {
    applied = apply(paths).catch((error: unknown) => log(String(error)))
    return applied
  })
  announce(stack, performance.now() - began)
  keepSweeping(stack)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
