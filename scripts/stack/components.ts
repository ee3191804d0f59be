// The Workers of this repository, and what their wrangler.toml says of them.
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Json, LegacyWorkerOptions } from 'miniflare'

/** A Worker by its files; the gateway is one of them. */
export interface WorkerFiles {
  name: string
  /** Its wrangler.toml. */
  config: string
  main: string
}

export const gateway: WorkerFiles = {
  name: 'gateway',
  config: resolve('wrangler.toml'),
  main: resolve('src/gateway/index.ts'),
}

/** Every component that has a folder under `workers/`. */
export const components = (): WorkerFiles[] =>
  readdirSync('workers', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join('workers', entry.name, 'wrangler.toml')))
    .map(({ name }) => ({
      name,
      config: resolve('workers', name, 'wrangler.toml'),
      main: resolve('workers', name, 'index.ts'),
    }))

/** A Worker as the local runtime takes it, without its code. */
type LocalWorkerOptions = Omit<LegacyWorkerOptions, 'modules' | 'modulesRoot' | 'script' | 'scriptPath'>

export interface Configured extends WorkerFiles {
  options: LocalWorkerOptions
  /** Plain values from `[vars]`. */
  vars: Record<string, Json>
  /** Names from `[secrets] required`. */
  secrets: string[]
  databases: Database[]
}

export interface Database {
  /** The name of the database in the local state. */
  id: string
  /** Its folder of migrations. */
  migrations: string
}

/** What is read here of a wrangler.toml; Wrangler's own type is not published. */
interface Config {
  vars: Record<string, Json>
  secrets?: { required?: string[] }
  d1_databases: { binding: string; database_name?: string; migrations_dir?: string }[]
}

/** Reads the configurations. Wrangler is loaded late, since that takes a second in which the bundler can work. */
export async function configure(components: WorkerFiles[]): Promise<Configured[]> {
  const quiet = {
    WRANGLER_LOG: 'error',
    WRANGLER_WRITE_LOGS: 'false',
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'false',
  }
  Object.assign(process.env, quiet)
  const { unstable_getMiniflareWorkerOptions: optionsOf, unstable_readConfig: read } = await import('wrangler')
  return components.map((component) => {
    const config: Config = read({ config: component.config })
    const { modulesRules, ...options } = optionsOf(component.config).workerOptions
    const databases = config.d1_databases.map(({ binding, database_name = component.name, migrations_dir = '' }) => ({
      binding,
      id: database_name,
      migrations: resolve(component.config, '..', migrations_dir),
    }))
    // Without an id two components' `DB` would be one database.
    options.d1Databases = Object.fromEntries(databases.map(({ binding, id }) => [binding, id]))
    return { ...component, options, vars: config.vars, secrets: config.secrets?.required ?? [], databases }
  })
}
