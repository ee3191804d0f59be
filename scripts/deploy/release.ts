import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { postgresOf } from '../../src/core/db/postgres.ts'
import { Failure } from '../../src/core/failure.ts'
import { migratePostgres } from '../stack/postgres.ts'
import type { Component } from './components.ts'
import { writeConfig } from './merge.ts'
import { bucketsOf, databasesOf, ensureBuckets, ensureDatabases } from './resources.ts'
import { type Secrets, secretsOf, type Variables } from './secrets.ts'
import { folder, readState, type State, writePrivate, writeState } from './state.ts'
import { Stop } from './stop.ts'
import type { Wrangler } from './wrangler.ts'

export interface Release {
  root: string
  /** The account's id, or a name for the one that wrangler chooses. */
  account: string
  secrets: Secrets
  wrangler: Wrangler
  say: (line: string) => void
}

/** Makes what the components need, then brings each its migrations and its code, in the given order. */
export async function release(components: Component[], on: Release): Promise<void> {
  const { root, account, secrets, wrangler, say } = on
  const state = readState(root, account)
  const onD1 = components.filter(({ name }) => !isOnPostgres(name, secretsOf(secrets, name)))
  Object.assign(state.databases, await ensureDatabases(databasesOf(onD1), wrangler, say))
  writeState(root, account, state)
  await ensureBuckets(bucketsOf(components), wrangler, say)
  for (const component of components) {
    try {
      await releaseOne(component, state, on)
    } catch (error) {
      if (error instanceof Stop) throw new Stop(`${component.name}: ${error.message}`)
      throw error
    }
  }
}

async function releaseOne(component: Component, state: State, on: Release): Promise<void> {
  const { root, account, wrangler, say } = on
  const { name } = component
  const variables = secretsOf(on.secrets, name)
  const names = Object.keys(variables).sort()
  const config = writeConfig(root, component, {
    databases: state.databases,
    secrets: names,
    isOnPostgres: isOnPostgres(name, variables),
  })
  const gone = (state.secrets[name] ?? []).filter((secret) => !names.includes(secret))
  const keep = (secrets: string[]) => {
    state.secrets[name] = secrets
    writeState(root, account, state)
  }
  // Those that go are forgotten last, so that what is cut off is done again.
  keep([...names, ...gone])
  await migrate(component, variables, config, on)
  const { deployed } = await withSecrets(root, name, variables, (flags) => wrangler(['deploy', '-c', config, ...flags]))
  if (!deployed?.version_id) throw new Stop('wrangler did not deploy, and did not say why')
  const { targets } = deployed
  say(targets.length > 0 ? `${name}: deployed to ${targets.join(', ')}` : `${name}: deployed`)
  const removed = await removeSecrets(gone, config, wrangler)
  if (removed.length > 0) say(`${name}: removed ${removed.join(', ')}, which the secrets file no longer has`)
  keep(names)
}

/** Removes secrets from a Worker, and returns those that it had. */
async function removeSecrets(names: string[], config: string, wrangler: Wrangler): Promise<string[]> {
  if (names.length === 0) return []
  const { stdout } = await wrangler(['secret', 'list', '--format', 'json', '-c', config])
  const listed = Listed.parse(JSON.parse(stdout.slice(stdout.search(/^\[/m))))
  const removed = names.filter((name) => listed.some((secret) => secret.name === name))
  if (removed.length > 0) {
    const nothing = Object.fromEntries(removed.map((name) => [name, null]))
    await wrangler(['secret', 'bulk', '-c', config], JSON.stringify(nothing))
  }
  return removed
}

const Listed = z.array(z.object({ name: z.string() }))

function isOnPostgres(component: string, variables: Variables): boolean {
  try {
    return postgresOf(variables) !== undefined
  } catch (error) {
    if (!Failure.is(error)) throw error
    throw new Stop(`The Postgres of ${component} is not configured: ${error.message}`)
  }
}

async function migrate({ name, config }: Component, variables: Variables, file: string, on: Release): Promise<void> {
  if (isOnPostgres(name, variables)) {
    const applied = await migratePostgres([name], variables).catch((error: NodeJS.ErrnoException) => {
      // A connection that fails on every address has a code only.
      throw new Stop(`the Postgres migrations failed: ${error.message || error.code}`)
    })
    if (applied.length > 0) on.say(`${name}: applied ${applied.join(', ')}`)
    return
  }
  for (const { database_name, migrations_dir } of config.d1_databases ?? []) {
    if (migrations_dir === undefined) continue
    await on.wrangler(['d1', 'migrations', 'apply', database_name, '--remote', '-c', file])
    on.say(`${name}: the database ${database_name} is up to date`)
  }
}

/** Lends the variables to wrangler in a file, as neither arguments nor the environment are private. */
async function withSecrets<T>(
  root: string,
  name: string,
  variables: Variables,
  use: (flags: string[]) => Promise<T>,
): Promise<T> {
  if (Object.keys(variables).length === 0) return use([])
  const file = join(root, folder, `${name}.secrets.json`)
  try {
    writePrivate(file, JSON.stringify(variables))
    return await use(['--secrets-file', file])
  } finally {
    rmSync(file, { force: true })
  }
}
