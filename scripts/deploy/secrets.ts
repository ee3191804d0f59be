// Parses the secrets file of a deployment, and selects the secrets of each component.
import { parseEnv } from 'node:util'
import type { WorkerProject } from './components.ts'
import { namesVariable } from './deployed.ts'
import { Stop } from './stop.ts'
import { isRead } from './variables.ts'

/** Variables and their values. */
export type DeployVariables = Record<string, string>

/** The content of a secrets file: shared variables, and those of single components. */
export interface DeploySecrets {
  shared: DeployVariables
  /** Variables by component. */
  own: Record<string, DeployVariables>
}

export const noSecrets: DeploySecrets = { shared: {}, own: {} }

/** The share of logs that are stored: a setting of the deployment, and no variable of a Worker. */
export const samplingVariable = 'LOG_SAMPLING_RATE'

/** Parses dotenv text: `NAME=` is for every component, `component.NAME=` for one. */
export function parseSecrets(text: string, components: string[]): DeploySecrets {
  const secrets: DeploySecrets = { shared: {}, own: {} }
  for (const [key, value] of Object.entries(parseEnv(text))) {
    const [, component, name] = /^(?:([^.]*)\.)?([A-Za-z_][A-Za-z0-9_]*)$/.exec(key) ?? []
    if (name === undefined) throw new Stop(`The secrets file has an invalid variable name: ${key}`)
    if (name === 'LOCAL') throw new Stop('The secrets file sets LOCAL, which gives everyone access: remove the line')
    if (name === namesVariable)
      throw new Stop(`The secrets file sets ${namesVariable}, which the deployment sets itself: remove the line`)
    if (component === undefined) {
      secrets.shared[name] = value!
      continue
    }
    if (!components.includes(component)) throw new Stop(`The secrets file names an unknown component: ${key}`)
    secrets.own[component] = { ...secrets.own[component], [name]: value! }
  }
  return secrets
}

/**
 * The variables of a component: the shared ones that its code reads, and those set for it alone, which take precedence.
 * An empty value unsets a variable.
 */
export function secretsOf(
  { shared, own }: DeploySecrets,
  { name, reads }: Pick<WorkerProject, 'name' | 'reads'>,
): DeployVariables {
  const read = Object.entries(shared).filter(([variable]) => isRead(reads, variable))
  const all = { ...Object.fromEntries(read), ...own[name] }
  return Object.fromEntries(
    Object.entries(all).filter(([variable, value]) => value !== '' && variable !== samplingVariable),
  )
}

/** Variables that no Worker reads, but migrations do: the address of the server behind a connection pooler. */
const forMigrations = ['PG_REAL_HOST']

/** A component's variables, including those that only its migrations read. */
export function migrationVariablesOf(secrets: DeploySecrets, { name, reads }: WorkerProject): DeployVariables {
  return secretsOf(secrets, { name, reads: { ...reads, names: [...reads.names, ...forMigrations] } })
}

/** The shared variables that no Worker reads. */
export const unreadOf = ({ shared }: DeploySecrets, components: WorkerProject[]): string[] =>
  Object.keys(shared).filter(
    (name) =>
      ![...forMigrations, samplingVariable].includes(name) && !components.some(({ reads }) => isRead(reads, name)),
  )

/** Whether the variables configure access to the API. Without them, a component answers 503. */
export const hasAccess = (variables: Record<string, unknown>) =>
  Boolean(variables.AUTH_TOKENS || (variables.HTTP_AUTH_USERNAME && variables.HTTP_AUTH_PASSWORD)) ||
  variables.OPEN === 'true'

/**
 * Removes secret values from a text that is printed. Values that are too short to be secret stay, since they occur by
 * chance.
 */
export const redact = (text: string, values: string[]) =>
  values
    .filter((value) => value.length > 5)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, value) => rest.replaceAll(value, '***'), text)
