// The local runtime: one process, with one listener per address.
import { resolve } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from 'miniflare'
import type { Module } from './bundle.ts'
import { type Configured, gateway } from './components.ts'
import { host } from './port.ts'
import type { Variables } from './variables.ts'
import { watchRuntime } from './watchdog.ts'

interface RunOptions {
  configured: Configured[]
  modules: Map<string, Module[]>
  variables: Variables
  /** `<COMPONENT>_URL` of each; who has a component bound needs no address of it. */
  addresses: Variables
  /** Where the gateway listens. */
  url: string
  direct: string[]
  /** The port of the inspector, where there is to be one. */
  inspector: number | undefined
  /** The folder of all databases, objects and files. */
  persist: string
  /** The folder of the console and the guide. */
  site: string
  log: (line: string) => void
}

/** Runs the Workers, and resolves once they listen. */
export async function run(options: RunOptions) {
  watchRuntime()
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      workers: options.configured.map((worker) => workerOf(worker, options)),
      host,
      resourcePersistencePath: options.persist,
      handleStructuredLogs: ({ message }) => options.log(message),
      log: new Log(LogLevel.ERROR),
      logRequests: false,
      ...(options.inspector !== undefined && { inspectorHost: host, inspectorPort: options.inspector }),
      cf: false, // else it asks the network where this machine is
    }),
  )
  const origins = await originsOf(runtime, options.direct).catch(async (error: unknown) => {
    await runtime.dispose()
    throw error
  })
  return {
    origins,
    sweep: async () => {
      const worker = await runtime.getWorker(gateway.name)
      await worker.scheduled({ cron: '* * * * *' })
    },
    database: (component: string) => runtime.getD1Database('DB', component),
    dispose: () => runtime.dispose(),
  }
}

async function originsOf(runtime: Miniflare, names: string[]): Promise<Record<string, string>> {
  await runtime.ready
  const origins = names.map(async (name) => [name, (await runtime.unsafeGetDirectURL(name)).origin])
  return Object.fromEntries(await Promise.all(origins))
}

/** The listener of a Worker's own is the runtime's; Miniflare's would change headers, and compress replies. */
function workerOf(
  { name, options, vars }: Configured,
  { configured, modules, variables, addresses, url, direct, site }: RunOptions,
) {
  const { serviceBindings = {}, ...rest } = options
  const isHere = (target: unknown) => configured.some((worker) => worker.name === targetOf(target))
  // A component that is not there yet is not bound.
  const bound = Object.fromEntries(Object.entries(serviceBindings).filter(([, target]) => isHere(target)))
  const others = Object.fromEntries(
    Object.entries(addresses).filter(([variable]) => !(variable.replace(/_URL$/, '') in bound)),
  )
  const port = name === gateway.name ? Number(new URL(url).port) : direct.includes(name) ? 0 : undefined
  return {
    ...rest,
    name,
    modules: modules.get(name)!,
    ...(options.assets && { assets: { ...options.assets, directory: site } }),
    rootPath: resolve('.build'),
    bindings: { ...vars, SELF_URL: `${url}/${name}`, ...others, ...variables },
    serviceBindings: bound,
    ...(port !== undefined && { unsafeDirectSockets: [{ host, port }] }),
  } satisfies V4WorkerOptions
}

const targetOf = (target: unknown) => (typeof target === 'string' ? target : (target as { name?: string }).name)
