// Decides before the first upload of a deployment how the variables of each Worker change.
import type { WorkerProject } from './components.ts'
import type { DeployedWorker } from './deployed.ts'
import { type DeploySecrets, type DeployVariables, secretsOf } from './secrets.ts'
import { Stop } from './stop.ts'
import { isRead } from './variables.ts'

export interface DeployPlan {
  /** Variables and secrets that are uploaded with the code. */
  variables: DeployVariables
  /** Names of secrets that are removed from the Worker. */
  removed: string[]
  /** Names of secrets that were set by hand, and stay. */
  kept: string[]
}

/**
 * Whether a secret may be removed only with `--remove`. Without a signing or encryption key, stored data cannot be read
 * or verified. Without the address of its Postgres, a component would switch to an empty D1 database.
 */
export const isProtected = (name: string) =>
  /_SECRET$|_(PRIVATE|SECRET|SIGNING)_KEY$/.test(name) || isPostgresAddress(name)

const isPostgresAddress = (name: string) => name === 'DATABASE_URL' || name === 'PG_HOST'

/** Whether `--remove` names a variable: `NAME` for every component, or `component.NAME`. */
const isRemovalRequested = (remove: string[], component: string, name: string) =>
  remove.includes(name) || remove.includes(`${component}.${name}`)

/**
 * Compares the secrets file with each deployed Worker. Stops if the file lacks a protected secret that a deployment set or may
 * have set, or a Postgres address, or if the file still has a secret of `--remove`.
 */
export function planVariables(
  components: WorkerProject[],
  deployed: Map<string, DeployedWorker>,
  secrets: DeploySecrets,
  remove: string[],
): Map<string, DeployPlan> {
  const plans = components.map((component) => planOne(component, deployed.get(component.name), secrets, remove))
  const refused = plans.flatMap(({ missing }) => missing)
  if (refused.length > 0) throw new Stop(refused.join('\n'))
  return new Map(components.map(({ name }, at) => [name, plans[at]!.plan]))
}

function planOne(
  component: WorkerProject,
  deployed: DeployedWorker | undefined,
  secrets: DeploySecrets,
  remove: string[],
) {
  const { name, reads, config } = component
  const variables = secretsOf(secrets, component)
  const both = Object.keys(variables).find((variable) => isRemovalRequested(remove, name, variable))
  if (both) throw new Stop(`The secrets file has ${both} for ${name}: remove the line, or leave out --remove`)
  // A variable of the configuration or of the file replaces a secret of the same name, so that secret is not surplus.
  const replaced = { ...config.vars, ...variables }
  const surplus = (deployed?.secrets ?? []).filter((variable) => !(variable in replaced))
  // A deployment without stored names was made by an older version, which set all shared variables of the file on every
  // Worker.
  const own = deployed?.names ?? Object.keys(secrets.shared)
  const removed = surplus.filter((variable) => own.includes(variable) || isRemovalRequested(remove, name, variable))
  // Without stored names, a protected secret counts as required, since a deployment or a person may have set it. A
  // missing Postgres address always stops the deployment: migrations would run on D1 while the Worker keeps using
  // Postgres.
  const isRequired = (variable: string) =>
    deployed?.names === undefined || removed.includes(variable) || isPostgresAddress(variable)
  const missing = surplus
    .filter(
      (variable) => isProtected(variable) && isRead(reads, variable) && !isRemovalRequested(remove, name, variable),
    )
    .filter(isRequired)
    .map(
      (variable) =>
        `${name}: the secrets file has no ${variable}, which the deployed Worker has. Add the line, or remove the secret with --remove ${variable}`,
    )
  return { plan: { variables, removed, kept: surplus.filter((variable) => !removed.includes(variable)) }, missing }
}
