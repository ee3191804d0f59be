// All Workers of this repository in one local runtime. `npm start`, the tests and the benchmark share it.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { postgresOf } from '#core/db/postgres'
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
  /** 0: any free one. */
  port: number
  stateDir: string
  /** What every component gets, besides what a local start sets. */
  variables?: Variables
  /** Those that run beside the gateway; all of them unless given. */
  components?: WorkerFiles[]
  /** The servers of containers; those that belong to one of the components unless given. */
  containers?: ContainerServer[]
  /** The names of those that also get an address of their own, past the gateway. */
  direct?: string[]
  /** The port of the runtime's inspector; there is none unless given. */
  inspector?: number
  /** Takes each line that a Worker logs, and one for each container that dies. */
  log?: (line: string) => void
  /** Runs the Workers; all of them in one process unless given. */
  run?: (options: RunOptions) => Promise<Running>
}

export interface Stack {
  /** Without a slash at its end. The runtime itself listens there: nothing stands between it and a client. */
  url: string
  components: string[]
  /** The addresses of those that were asked for as `direct`. */
  origins: Record<string, string>
  /** By component. They may still be starting. */
  containers: Record<string, RunningContainer>
  /** Where the data lies. */
  stateDir: string
  /** The migrations that this start applied. */
  migrated: string[]
  /** The secrets that nobody set, and the file that has them. */
  secrets: { file: string; names: string[] }
  /** A component's D1 database. */
  database(component: string): Promise<D1Database>
  /** What the gateway's clock does every minute. */
  sweep(): Promise<void>
  /** Ends the runtime and the containers, and gives the state folder back. */
  dispose(): Promise<void>
}

/** Brings everything up, with migrations applied before the first request can come in. */
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

/** What a local start sets. */
const local = { LOCAL: 'true', ALLOW_PRIVATE_TARGETS: 'true' }

async function start(options: StackOptions, unlock: () => void): Promise<Stack> {
  const { stateDir, variables = {}, components = all(), log = console.log } = options
  const servers = options.containers ?? serversOf(components)
  const containers = await startContainers({ servers, variables: { ...local, ...variables }, stateDir, log })
  const names = components.map(({ name }) => name)
  const trap = await startMailTrap({ components: names, variables, stateDir })
  const given = { ...options, components, log, variables: { ...variables, ...containers.variables, ...trap.variables } }
  try {
    const { dispose, ...stack } = await startRuntime(given)
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
  variables: given = {},
}: Runtime) {
  const workers = [gateway, ...components]
  // Where wrangler's `--persist-to` looks, given the state folder.
  const persist = join(stateDir, 'v3')
  await makeSiteFolder()
  const [bundles, { configured, secrets, variables, migrated }, site] = await Promise.all([
    bundle(workers),
    prepare(workers, stateDir, given, persist),
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

/** All that can be done while the bundler works. */
async function prepare(workers: WorkerFiles[], stateDir: string, variables: Variables, persist: string) {
  const configured = await configure(workers)
  const required = configured.flatMap(({ secrets }) => secrets)
  const names = [...new Set(required)].filter((name) => !variables[name])
  const { file, secrets } = secretsOf(names, stateDir)
  const migrated = await migrate(configured, variables, persist)
  return { configured, secrets: { file, names }, variables: { ...variables, ...secrets }, migrated }
}

async function migrate(configured: Configured[], variables: Variables, persist: string): Promise<string[]> {
  const stateful = configured.filter(({ databases }) => databases.length > 0)
  if (postgresOf(variables))
    return migratePostgres(
      stateful.map(({ name }) => name),
      variables,
    )
  return migrateD1(
    stateful.flatMap(({ databases }) => databases),
    persist,
  )
}

/** Where the components find each other. No `BASE_URL`: links follow the address that a request came to. */
const addressesOf = (url: string, components: WorkerFiles[]): Variables =>
  Object.fromEntries(components.map(({ name }) => [`${variableOf(name)}_URL`, `${url}/${name}`]))
