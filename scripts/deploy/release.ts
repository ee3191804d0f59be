// Carries out a deployment: creates resources, then migrates and uploads each component.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { postgresOf } from '#core/db/postgres'
import { Failure } from '#core/failure'
import { migratePostgres } from '../stack/postgres.ts'
import { commitFlags } from './commit.ts'
import { isGateway, type WorkerProject } from './components.ts'
import { addressIn } from './drain.ts'
import { writeConfig } from './merge.ts'
import type { DeployPlan } from './plan.ts'
import { bucketsOf, databasesOf, ensureBuckets, ensureDatabases } from './resources.ts'
import { samplingRateOf } from './sampling-rate.ts'
import { type DeploySecrets, type DeployVariables, migrationVariablesOf } from './secrets.ts'
import { type AccountState, folder, readState, writePrivate, writeState } from './state.ts'
import { Stop } from './stop.ts'
import type { Wrangler } from './wrangler.ts'

interface Release {
  root: string
  /** Id of the account, or a placeholder if wrangler chooses the account. State files are stored by it. */
  account: string
  secrets: DeploySecrets
  /** Plans by component. */
  plans: Map<string, DeployPlan>
  wrangler: Wrangler
  say: (line: string) => void
  /** Drains the queue while its code is replaced, if it is deployed already. */
  drain: Drain
}

/** Does some work while the queue is drained. */
export type Drain = (state: AccountState, save: () => void, work: () => Promise<void>) => Promise<void>

/** Creates resources, then migrates and uploads each component in the given order. */
export async function release(components: WorkerProject[], on: Release): Promise<void> {
  const { root, account, plans, wrangler, say } = on
  const state = readState(root, account)
  const onD1 = components.filter(({ name }) => !isOnPostgres(name, plans.get(name)!.variables))
  Object.assign(state.databases, await ensureDatabases(databasesOf(onD1), wrangler, say))
  writeState(root, account, state)
  await ensureBuckets(bucketsOf(components), wrangler, say)
  for (const component of components) {
    try {
      const releaseIt = () => releaseOne(component, plans.get(component.name)!, state, on)
      if (component.name === 'queue') await on.drain(state, () => writeState(root, account, state), releaseIt)
      else await releaseIt()
    } catch (error) {
      if (error instanceof Stop) throw new Stop(`${component.name}: ${error.message}`)
      throw error
    }
  }
}

async function releaseOne(component: WorkerProject, plan: DeployPlan, state: AccountState, on: Release): Promise<void> {
  const { root, wrangler, say } = on
  const { name } = component
  const { variables, removed, kept } = plan
  const secrets = Object.keys(variables).sort()
  const account = {
    ...{ databases: state.databases, secrets, isOnPostgres: isOnPostgres(name, variables) },
    samplingRate: samplingRateOf(on.secrets, name),
  }
  const configure = (deployedNames: string[]) => writeConfig(root, component, { ...account, deployedNames })
  // Records also the names of secrets that are still to be removed, so that the next deployment completes an
  // interrupted one.
  const config = configure([...secrets, ...removed])
  await migrate(component, variables, config, on)
  const version = commitFlags(root)
  const { deployed } = await withSecrets(root, name, variables, (flags) =>
    wrangler(['deploy', '-c', config, ...version, ...flags]),
  )
  if (!deployed?.version_id) throw new Stop('wrangler did not deploy, and printed no reason')
  const { targets } = deployed
  if (isGateway(component) && addressIn(targets)) {
    state.url = addressIn(targets)!
    writeState(root, on.account, state)
  }
  say(targets.length > 0 ? `${name}: deployed to ${targets.join(', ')}` : `${name}: deployed`)
  if (removed.length > 0) {
    const nothing = Object.fromEntries(removed.map((secret) => [secret, null]))
    await wrangler(['secret', 'bulk', '-c', config], JSON.stringify(nothing))
    await wrangler(['deploy', '-c', configure(secrets), ...version, '--containers-rollout', 'none'])
    say(`${name}: removed ${removed.join(', ')}`)
  }
  if (kept.length > 0) say(`${name}: keeps ${kept.join(', ')}, which no deployment has set`)
}

/** Whether a component's tables are in Postgres. Stops the deployment if the address is invalid. */
export function isOnPostgres(component: string, variables: DeployVariables): boolean {
  try {
    return postgresOf(variables) !== undefined
  } catch (error) {
    if (!Failure.is(error)) throw error
    throw new Stop(`The Postgres address of ${component} is invalid: ${error.message}`)
  }
}

async function migrate(component: WorkerProject, variables: DeployVariables, file: string, on: Release): Promise<void> {
  const { name, config } = component
  if (isOnPostgres(name, variables)) {
    const applied = await migratePostgres([name], migrationVariablesOf(on.secrets, component)).catch(
      (error: NodeJS.ErrnoException) => {
        // The code is shown if the message is empty: that is so if the connection fails on every address.
        throw new Stop(`the Postgres migrations failed: ${error.message || error.code}`)
      },
    )
    if (applied.length > 0) on.say(`${name}: applied ${applied.join(', ')}`)
    return
  }
  for (const { database_name, migrations_dir } of config.d1_databases ?? []) {
    if (migrations_dir === undefined) continue
    await on.wrangler(['d1', 'migrations', 'apply', database_name, '--remote', '-c', file])
    on.say(`${name}: the database ${database_name} is up to date`)
  }
}

/**
 * Passes variables to wrangler in a private file, because other users of the machine can read arguments and
 * environments.
 */
async function withSecrets<T>(
  root: string,
  name: string,
  variables: DeployVariables,
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
