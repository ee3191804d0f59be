// Finds the Workers of this repository, and reads their wrangler.toml.
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Json } from 'miniflare'
import { readConfigs, type SourcelessOptions } from './platform.ts'

/** A Worker of the repository and its files. The gateway is one of them. */
export interface WorkerFiles {
  name: string
  /** Path of its wrangler.toml. */
  config: string
  main: string
}

export const gateway: WorkerFiles = {
  name: 'gateway',
  config: resolve('wrangler.toml'),
  main: resolve('src/gateway/index.ts'),
}

/** All components: the Workers with a folder under `workers/`. */
export const components = (): WorkerFiles[] =>
  readdirSync('workers', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join('workers', entry.name, 'wrangler.toml')))
    .map(({ name }) => ({
      name,
      config: resolve('workers', name, 'wrangler.toml'),
      main: resolve('workers', name, 'index.ts'),
    }))

export interface Configured extends WorkerFiles {
  options: SourcelessOptions
  /** Plain values from `[vars]` of the configuration. */
  vars: Record<string, Json>
  /** Names of the secrets that the configuration requires. */
  secrets: string[]
  databases: Database[]
}

export interface Database {
  /** Name of the database in the local state. */
  id: string
  /** Path of its folder of migrations. */
  migrations: string
}

/** Reads the configurations of Workers, and makes the settings for the local runtime. */
export async function configure(components: WorkerFiles[]): Promise<Configured[]> {
  const read = await readConfigs(components.map(({ config }) => config))
  return components.map((component, at) => {
    const { config, options } = read[at]!
    const databases = config.d1_databases.map(({ binding, database_name = component.name, migrations_dir = '' }) => ({
      binding,
      id: database_name,
      migrations: resolve(component.config, '..', migrations_dir),
    }))
    // Each database gets an id: without one, all components would share one database under the name `DB`.
    const d1Databases = Object.fromEntries(databases.map(({ binding, id }) => [binding, id]))
    const secrets = config.secrets?.required ?? []
    return { ...component, options: { ...options, d1Databases }, vars: config.vars, secrets, databases }
  })
}
