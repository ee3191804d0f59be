// Warnings before a deployment about its secrets file: missing and unused variables.
import { isGateway, type WorkerProject } from './components.ts'
import { type DeploySecrets, hasAccess, secretsOf, unreadOf } from './secrets.ts'

/** One line for each missing or unused variable of the secrets file. */
export function warningsOf(all: WorkerProject[], selected: WorkerProject[], secrets: DeploySecrets): string[] {
  const closed = closedOf(selected, secrets)
  const incomplete = selected.flatMap((component) => missingOf(component, secrets))
  const unread = unreadOf(secrets, all)
  return [
    ...(closed.length > 0
      ? [
          `${closed.join(', ')} will answer 503 unless access was set before: the secrets file has neither AUTH_TOKENS, nor HTTP_AUTH_USERNAME and HTTP_AUTH_PASSWORD, nor OPEN=true for them`,
        ]
      : []),
    ...(incomplete.length > 0
      ? [`the secrets file has no ${incomplete.join(', ')}: without it that component answers 503 not_configured`]
      : []),
    ...(unread.length > 0
      ? [`no component reads ${unread.join(', ')}, so no Worker gets it; component.NAME sets a variable regardless`]
      : []),
  ]
}

/**
 * Components for which no access is configured, so that they answer 503. The gateway and the Workers of containers are
 * left out, since they check no access themselves.
 */
const closedOf = (components: WorkerProject[], secrets: DeploySecrets) =>
  components
    .filter((component) => !isGateway(component) && component.file.startsWith('workers/'))
    .filter((component) => !hasAccess({ ...component.config.vars, ...secretsOf(secrets, component) }))
    .map(({ name }) => name)

/** The required secrets that a component does not get, each as `component.NAME`. */
const missingOf = (component: WorkerProject, secrets: DeploySecrets) => {
  const variables = secretsOf(secrets, component)
  const required = component.config.secrets?.required ?? []
  return required.filter((name) => !(name in variables)).map((name) => `${component.name}.${name}`)
}
