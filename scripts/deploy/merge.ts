import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Config, WorkerProject } from './components.ts'
import { namesVariable } from './deployed.ts'
import { folder, writePrivate } from './state.ts'

interface Merge {
  /** The folder of the committed configuration, relative to the project. */
  from: string
  /** The folder of the merged one. */
  to: string
  /** The ids of D1 databases by name. */
  databases: Record<string, string>
  /** Names that come from the secrets file, and so are not variables of the configuration. */
  secrets: string[]
  /** Names that the Worker is to keep as those that a deployment has set; none for a dry run. */
  deployedNames?: string[]
  /** A component on Postgres has no D1 database. */
  isOnPostgres: boolean
  /** Tells a path from other text, such as a registry's image. */
  isFile: (path: string) => boolean
}

/** A configuration with the account's ids, and with paths that lead from its new place to the same files. */
export function mergeConfig(
  config: Config,
  { from, to, databases, secrets, deployedNames, isOnPostgres, isFile }: Merge,
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
  // Without a secret that it requires a component answers 503; wrangler would refuse to create its Worker.
  const { d1_databases, containers, assets, vars = {}, observability, secrets: _, ...rest } = config
  const kept = Object.entries(vars).filter(isOwn)
  if (deployedNames) kept.push([namesVariable, deployedNames.join(',')])
  return {
    ...moveAt(rest, 'main', 'base_dir', 'tsconfig'),
    ...(kept.length > 0 && { vars: Object.fromEntries(kept) }),
    // A query string can hold a one-time password or a phone number: no deployment may log it.
    ...(observability && { observability: { ...observability, redact_query_string: true } }),
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

/** Writes a component's merged configuration and returns where it lies, relative to the project. */
export function writeConfig(
  root: string,
  { name, file, config }: WorkerProject,
  account: Pick<Merge, 'databases' | 'secrets' | 'deployedNames' | 'isOnPostgres'>,
): string {
  const to = `${folder}/config`
  const isFile = (path: string) => existsSync(join(root, path))
  const merged = mergeConfig(config, { ...account, from: posix.dirname(file), to, isFile })
  writePrivate(join(root, to, `${name}.json`), `${JSON.stringify(merged, null, 2)}\n`)
  return `${to}/${name}.json`
}
