// Starts all Workers of this repository in one local runtime, for `npm start`, the tests and the benchmarks.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { postgresOf } from '#core/db/postgres'
import { manifests } from '#manifests'
import { buildSite, makeSiteFolder } from '../site.ts'
import { bundle } from './bundle.ts'
import { components as all, type Configured, configure, gateway, type WorkerFiles } from './components.ts'
import { type ContainerServer, containerServers, type RunningContainer, startContainers } from './containers.ts'
import { migrateD1 } from './d1.ts'
import { lock } from './lock.ts'
import { startMailTrap } from './mail-trap.ts'
import { freePort } from './port.ts'
import { migratePostgres } from './postgres.ts'
import { type Running, type RunOptions, run as runAll } from './runtime.ts'
import { secretsOf } from './secrets.ts'
import { type Variables, variableOf } from './variables.ts'

export interface StackOptions {
  /** Port of the gateway. 0 for any free port. */
  port: number
  stateDir: string
  /** Variables of every component, in addition to those of a local start. */
  variables?: Variables
  /** The components to run; all by default. */
  components?: WorkerFiles[]
  /** Servers of containers to start. Default: those of the components. */
  containers?: ContainerServer[]
  /** Names of components that also get a separate listener, which is called without the gateway. */
  direct?: string[]
  /** Port of the runtime's inspector; none by default. */
  inspector?: number
  /** Called with each log line of Workers, and with a line for each container that dies. */
  log?: (line: string) => void
  /** Starts the Workers. Default: all in one process. */
  run?: (options: RunOptions) => Promise<Running>
}

export interface Stack {
  /** Address of the gateway without a trailing slash. The runtime listens there itself, without a proxy. */
  url: string
  components: string[]
  /** Addresses of the `direct` components. */
  origins: Record<string, string>
  /** Running containers by component. They may still be starting. */
  containers: Record<string, RunningContainer>
  /** Folder of the data. */
  stateDir: string
  /** Names of the migrations that this start applied. */
  migrated: string[]
  /** Names of the generated secrets, and the file that contains them. */
  secrets: { file: string; names: string[] }
  /** The D1 database of a component. */
  database(component: string): Promise<D1Database>
  /** Runs the gateway's cron trigger once, which runs the background work of every component. */
  sweep(): Promise<void>
  /** Stops the runtime and the containers, and unlocks the state folder. */
  dispose(): Promise<void>
}

/** Starts a stack. Migrations are applied before the first request. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const stateDir = resolve(options.stateDir)
  const unlock = lock(stateDir)
  try {
    return await start({ ...options, stateDir, port: await freePort(options.port) }, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

/** Variables of every local start: calls need no credentials, and private addresses are allowed. */
const local = { LOCAL: 'true', ALLOW_PRIVATE_TARGETS: 'true' }

async function start(options: StackOptions, unlock: () => void): Promise<Stack> {
  const { stateDir, variables = {}, components = all(), log = console.log } = options
  const servers = options.containers ?? serversOf(components)
  const containers = await startContainers({ servers, variables: { ...local, ...variables }, stateDir, log })
  const names = components.map(({ name }) => name)
  const trap = await startMailTrap({ components: names, variables, stateDir })
  const runtimeOptions = {
    ...options,
    components,
    log,
    variables: { ...variables, ...containers.variables, ...trap.variables },
  }
  try {
    const { dispose, ...stack } = await startRuntime(runtimeOptions)
    return {
      ...stack,
      containers: containers.running,
      dispose: async () => {
        await Promise.all([dispose(), containers.dispose(), trap.dispose()])
        unlock()
      },
    }
  } catch (error) {
    await Promise.all([containers.dispose(), trap.dispose()])
    throw error
  }
}

const serversOf = (components: WorkerFiles[]) => {
  const configs = components.map(({ config }) => readFileSync(config, 'utf8'))
  return containerServers().filter(({ name }) => configs.some((config) => config.includes(`"${name}-container"`)))
}

type Runtime = StackOptions & Required<Pick<StackOptions, 'components' | 'log'>>

async function startRuntime({
  port,
  stateDir,
  components,
  direct = [],
  inspector,
  log,
  run = runAll,
  variables: runtimeOptions = {},
}: Runtime) {
  const workers = [gateway, ...components]
  // The same folder as that in which wrangler stores data with `--persist-to`, so that wrangler commands find the
  // databases.
  const persist = join(stateDir, 'v3')
  await makeSiteFolder()
  const [bundles, { configured, secrets, variables, migrated }, site] = await Promise.all([
    bundle(workers),
    prepare(workers, stateDir, runtimeOptions, persist),
    buildSite(),
  ])
  const url = `http://localhost:${port}`
  const { origins, database, sweep, dispose } = await run({
    configured,
    modules: new Map([...bundles].map(([name, { modules }]) => [name, modules])),
    variables: { ...local, ...variables },
    addresses: addressesOf(url, components),
    url,
    direct,
    inspector,
    persist,
    site,
    log,
  })
  const names = components.map(({ name }) => name)
  return { url, components: names, origins, stateDir, migrated, secrets, database, sweep, dispose }
}

/** Prepares everything that does not need the bundles, such as migrations, while esbuild runs. */
async function prepare(workers: WorkerFiles[], stateDir: string, variables: Variables, persist: string) {
  const configured = await configure(workers)
  const required = configured.flatMap(({ secrets }) => secrets)
  const optional = manifests.flatMap(({ name, generatedSecrets = [] }) =>
    configured.some((component) => component.name === name) ? generatedSecrets : [],
  )
  const names = [...new Set([...required, ...optional])].filter((name) => !variables[name])
  const { file, secrets } = secretsOf(names, stateDir)
  const migrated = await migrate(configured, variables, persist)
  return { configured, secrets: { file, names }, variables: { ...variables, ...secrets }, migrated }
}

async function migrate(configured: Configured[], variables: Variables, persist: string): Promise<string[]> {
  if (postgresOf(variables))
    return migratePostgres(
      configured.map(({ name }) => name),
      variables,
    )
  return migrateD1(
    configured.flatMap(({ databases }) => databases),
    persist,
  )
}

/**
 * The addresses of the components as variables. `BASE_URL` is not set, so that links use the address of the request.
 */
const addressesOf = (url: string, components: WorkerFiles[]): Variables =>
  Object.fromEntries(components.map(({ name }) => [`${variableOf(name)}_URL`, `${url}/${name}`]))
