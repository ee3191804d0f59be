// Merges the ids and names of a Cloudflare account into the wrangler configuration of a component.
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Config, WorkerProject } from './components.ts'
import { namesVariable } from './deployed.ts'
import { folder, writePrivate } from './state.ts'

interface Merge {
  /** Folder of the committed configuration, relative to the project. */
  from: string
  /** Folder of the merged configuration. */
  to: string
  /** Ids of D1 databases by name. */
  databases: Record<string, string>
  /**
   * Names in the secrets file, which must not be variables of the configuration too: Cloudflare would refuse the same
   * name twice.
   */
  secrets: string[]
  /** Value of the variable `DEPLOYED_NAMES`; none in a dry run. */
  deployedNames?: string[]
  /** Whether the component uses Postgres. Then its D1 database is left out of the configuration. */
  isOnPostgres: boolean
  /** `head_sampling_rate` of Workers Logs; undefined for the rate of the configuration. */
  samplingRate?: number | undefined
  /** Whether a text is the path of a file, and not, for example, an image in a registry. */
  isFile: (path: string) => boolean
}

/** Adds the account's ids to a configuration, and rewrites its relative paths for its new folder. */
export function mergeConfig(
  config: Config,
  { from, to, databases, secrets, deployedNames, isOnPostgres, samplingRate, isFile }: Merge,
): Config {
  const move = (path: string) => {
    const moved = posix.relative(to, posix.join(from, path))
    return moved.startsWith('.') ? moved : `./${moved}`
  }
  const moveAt = <T extends object>(object: T, ...keys: string[]): T => {
    const paths = Object.entries(object).filter(([key, value]) => keys.includes(key) && typeof value === 'string')
    return { ...object, ...Object.fromEntries(paths.map(([key, value]) => [key, move(value as string)])) }
  }
  const isOwn = ([name]: [string, unknown]) => !secrets.includes(name)
  // `secrets.required` is left out: with it, wrangler refuses to create a Worker without its secrets. Without it, the
  // Worker is created, and answers 503 until they are set.
  const { d1_databases, containers, assets, vars = {}, observability, secrets: _, ...rest } = config
  const kept = Object.entries(vars).filter(isOwn)
  if (deployedNames) kept.push([namesVariable, deployedNames.join(',')])
  return {
    ...moveAt(rest, 'main', 'base_dir', 'tsconfig'),
    ...(kept.length > 0 && { vars: Object.fromEntries(kept) }),
    ...(observability && { observability: { ...observability, ...logSettings(samplingRate) } }),
    ...(assets && { assets: moveAt(assets, 'directory') }),
    ...(containers && {
      containers: containers.map((container) => {
        const isBuilt = container.image !== undefined && isFile(posix.join(from, container.image))
        return isBuilt ? moveAt(container, 'image', 'image_build_context') : container
      }),
    }),
    ...(d1_databases &&
      !isOnPostgres && {
        d1_databases: d1_databases.map((database) => {
          const id = databases[database.database_name]
          return { ...moveAt(database, 'migrations_dir'), ...(id !== undefined && { database_id: id }) }
        }),
      }),
  }
}

/**
 * Query strings are never logged, whatever the configuration says: one may contain a one-time password or a phone
 * number.
 */
const logSettings = (samplingRate: number | undefined) => ({
  ...(samplingRate !== undefined && { head_sampling_rate: samplingRate }),
  redact_query_string: true,
})

/** Writes the merged configuration of a component, and returns its path relative to the project. */
export function writeConfig(
  root: string,
  { name, file, config }: WorkerProject,
  account: Pick<Merge, 'databases' | 'secrets' | 'deployedNames' | 'isOnPostgres' | 'samplingRate'>,
): string {
  const to = `${folder}/config`
  const isFile = (path: string) => existsSync(join(root, path))
  const merged = mergeConfig(config, { ...account, from: posix.dirname(file), to, isFile })
  writePrivate(join(root, to, `${name}.json`), `${JSON.stringify(merged, null, 2)}\n`)
  return `${to}/${name}.json`
}
