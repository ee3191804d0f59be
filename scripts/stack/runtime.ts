// Runs the Workers of a stack in the local runtime: one process, with one listener per address.
import { resolve } from 'node:path'
import { Log, LogLevel } from 'miniflare'
import type { Module } from './bundle.ts'
import { type Configured, gateway } from './components.ts'
import {
  listenerOf,
  type Miniflare,
  originOf,
  type RuntimeSettings,
  startRuntime,
  type WorkerOptions,
} from './platform.ts'
import { host } from './port.ts'
import type { Variables } from './variables.ts'
import { watchRuntime } from './watchdog.ts'

export interface RunOptions {
  configured: Configured[]
  modules: Map<string, Module[]>
  variables: Variables
  /** `<COMPONENT>_URL` of each component. A Worker gets only the addresses of components that it does not bind. */
  addresses: Variables
  /** Public address of the gateway. */
  url: string
  /** Port of the gateway; by default the port of `url`. */
  gatewayPort?: number
  direct: string[]
  /** Port of the runtime's inspector (Chrome DevTools Protocol); undefined for none. */
  inspector: number | undefined
  /** Folder of all databases, objects and files. */
  persist: string
  /** Folder of the console and the guide. */
  site: string
  log: (line: string) => void
}

/** The running Workers of a stack. */
export interface Running {
  /** Addresses of the `direct` components. */
  origins: Record<string, string>
  sweep(): Promise<void>
  database(component: string): Promise<D1Database>
  dispose(): Promise<void>
}

/** Starts the Workers, and resolves when they listen. */
export async function run(options: RunOptions): Promise<Running> {
  watchRuntime()
  const { inspector } = options
  const runtime = startRuntime({
    ...settingsOf(options.configured, options),
    ...(inspector !== undefined && { inspectorHost: host, inspectorPort: inspector }),
  })
  const origins = await originsOf(runtime, options.direct).catch(async (error: unknown) => {
    await runtime.dispose()
    throw error
  })
  return {
    origins,
    sweep: () => sweepBy(runtime),
    database: (component) => runtime.getD1Database('DB', component),
    dispose: () => runtime.dispose(),
  }
}

/** Runs the gateway's cron trigger once. */
export async function sweepBy(runtime: Miniflare): Promise<void> {
  const worker = await runtime.getWorker(gateway.name)
  await worker.scheduled({ cron: '* * * * *' })
}

/** The runtime's settings for these Workers, which may be some of the stack's or all. */
export const settingsOf = (workers: Configured[], options: RunOptions): RuntimeSettings => ({
  workers: workers.map((worker) => workerOf(worker, options)),
  host,
  resourcePersistencePath: options.persist,
  handleStructuredLogs: ({ message }) => options.log(message),
  log: new Log(LogLevel.ERROR),
  logRequests: false,
})

async function originsOf(runtime: Miniflare, names: string[]): Promise<Record<string, string>> {
  await runtime.ready
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await originOf(runtime, name)])))
}

function workerOf(
  { name, options, vars }: Configured,
  { configured, modules, variables, addresses, url, gatewayPort = Number(new URL(url).port), direct, site }: RunOptions,
) {
  const { serviceBindings = {}, ...rest } = options
  // Leaves out bindings to components that do not run, since the runtime would refuse them.
  const isHere = (target: unknown) => isAddress(target) || configured.some((worker) => worker.name === targetOf(target))
  const bound = Object.fromEntries(Object.entries(serviceBindings).filter(([, target]) => isHere(target)))
  const others = Object.fromEntries(
    Object.entries(addresses).filter(([variable]) => !(variable.replace(/_URL$/, '') in bound)),
  )
  const port = name === gateway.name ? gatewayPort : direct.includes(name) ? 0 : undefined
  return {
    ...rest,
    name,
    modules: modules.get(name)!,
    ...(options.assets && { assets: { ...options.assets, directory: site } }),
    rootPath: resolve('.build'),
    bindings: { ...vars, SELF_URL: `${url}/${name}`, ...others, ...variables },
    serviceBindings: bound,
    ...(port !== undefined && listenerOf(host, port)),
  } satisfies WorkerOptions
}

const targetOf = (target: unknown) => (typeof target === 'string' ? target : (target as { name?: string }).name)

/** Whether a service binding leads to an external server instead of a Worker. */
const isAddress = (target: unknown) => typeof target === 'object' && target !== null && 'external' in target
