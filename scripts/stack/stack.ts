// All Workers of this repository in one local runtime. `npm start`, the tests and the benchmark share it.
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from 'miniflare'
import { postgresOf } from '../../src/core/db/postgres.ts'
import { bundle, type Module } from './bundle.ts'
import { components as all, type Component, type Configured, configure, gateway } from './components.ts'
import { migrateD1 } from './d1.ts'
import { lock } from './lock.ts'
import { migratePostgres } from './postgres.ts'
import { secretsOf } from './secrets.ts'
import type { Variables } from './variables.ts'
import { watchRuntime } from './watchdog.ts'

export interface StackOptions {
  /** 0: any free one. */
  port: number
  stateDir: string
  /** What every component gets, besides what a local start sets. */
  variables?: Variables
  /** Those that run beside the gateway; all of them unless given. */
  components?: Component[]
  /** Takes each line that a Worker logs. */
  log?: (line: string) => void
}

export interface Stack {
  /** Without a slash at its end. The runtime itself listens there: nothing stands between it and a client. */
  url: string
  components: string[]
  /** Where the data lies. */
  stateDir: string
  /** The migrations that this start applied. */
  migrated: string[]
  /** The secrets that nobody set, and the file that has them. */
  secrets: { file: string; names: string[] }
  /** What the gateway's clock does every minute. */
  sweep(): Promise<void>
  /** Ends the runtime and gives the state folder back. */
  dispose(): Promise<void>
}
const host = '127.0.0.1'

/** Brings everything up, with migrations applied before the first request can come in. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const stateDir = resolve(options.stateDir)
  const unlock = lock(stateDir)
  watchRuntime()
  try {
    return await start({ ...options, stateDir, port: await freePort(options.port) }, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

async function start(
  { port, stateDir, variables = {}, components = all(), log = console.log }: StackOptions,
  unlock: () => void,
) {
  const workers = [gateway, ...components]
  const bundled = bundle(workers)
  const configured = await configure(workers)
  const { file, secrets } = secretsOf(missing(configured, variables), stateDir)
  const [modules, migrated] = await Promise.all([bundled, migrate(configured, variables, stateDir)])
  const url = `http://localhost:${port}`
  const given = { ...localVariables(url, components), ...secrets, ...variables }
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      workers: configured.map((worker) => workerOf(worker, modules.get(worker.name)!, { port, url, given, workers })),
      host,
      resourcePersistencePath: persistOf(stateDir),
      handleStructuredLogs: ({ message }) => log(message),
      log: new Log(LogLevel.ERROR),
      logRequests: false,
      cf: false,
    }),
  )
  await runtime.ready
  return {
    url,
    components: components.map(({ name }) => name),
    stateDir,
    migrated,
    secrets: { file, names: Object.keys(secrets) },
    sweep: async () => void (await (await runtime.getWorker('gateway')).scheduled({ cron: '* * * * *' })),
    dispose: async () => {
      await runtime.dispose()
      unlock()
    },
  }
}

/** Where wrangler's `--persist-to` looks, given the state folder. */
const persistOf = (stateDir: string) => join(stateDir, 'v3')

const missing = (configured: Configured[], variables: Variables) =>
  [...new Set(configured.flatMap(({ secrets }) => secrets))].filter((name) => !variables[name])

async function migrate(configured: Configured[], variables: Variables, stateDir: string): Promise<string[]> {
  const stateful = configured.filter(({ databases }) => databases.length > 0)
  if (postgresOf(variables))
    return migratePostgres(
      stateful.map(({ name }) => name),
      variables,
    )
  return migrateD1(
    stateful.flatMap(({ databases }) => databases),
    persistOf(stateDir),
  )
}

/** Where the components find each other. No `BASE_URL`: links follow the address that a request came to. */
const localVariables = (url: string, components: Component[]): Variables => ({
  LOCAL: 'true',
  ALLOW_PRIVATE_TARGETS: 'true',
  ...Object.fromEntries(components.map(({ name }) => [`${bindingOf(name)}_URL`, `${url}/${name}`])),
})

const bindingOf = (component: string) => component.toUpperCase().replaceAll('-', '_')

interface Context {
  port: number
  url: string
  given: Variables
  workers: Component[]
}

function workerOf({ name, options, vars }: Configured, modules: Module[], { port, url, given, workers }: Context) {
  const { serviceBindings = {}, ...rest } = options
  const isHere = (target: unknown) => workers.some((worker) => worker.name === targetOf(target))
  return {
    ...rest,
    name,
    modules,
    rootPath: resolve('.build'),
    bindings: { ...vars, SELF_URL: `${url}/${name}`, ...given },
    serviceBindings: Object.fromEntries(Object.entries(serviceBindings).filter(([, target]) => isHere(target))),
    ...(name === gateway.name && { unsafeDirectSockets: [{ host, port }] }),
  } satisfies V4WorkerOptions
}

const targetOf = (target: unknown) => (typeof target === 'string' ? target : (target as { name?: string }).name)

/** The port, or a free one for 0; refuses one that is taken. */
async function freePort(port: number): Promise<number> {
  const server = createServer()
  try {
    await new Promise<void>((listening, failed) => server.once('error', failed).listen(port, host, listening))
    return (server.address() as { port: number }).port
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === 'EADDRINUSE' ? new Error(`Port ${port} is taken; set PORT to another one`) : error
  } finally {
    await new Promise((closed) => server.close(closed))
  }
}
