// Selects the Workers of a deployment, and the bindings between them.
import { isGateway, type WorkerProject } from './components.ts'
import type { DeployedWorker } from './deployed.ts'

/** A component without its bindings to Workers that do not exist, and the names of those Workers. */
interface Bound {
  component: WorkerProject
  absent: string[]
}

export function withoutServices(component: WorkerProject, isAbsent: (worker: string) => boolean): Bound {
  const { services, ...rest } = component.config
  if (!services) return { component, absent: [] }
  const left = services.filter(({ service }) => !isAbsent(service))
  const absent = services.map(({ service }) => service).filter(isAbsent)
  return { component: { ...component, config: { ...rest, services: left } }, absent }
}

/**
 * The named components, and the gateway if it does not bind all of them yet: without the gateway they have no public
 * address.
 */
export function withGateway(
  selected: WorkerProject[],
  all: WorkerProject[],
  deployed: Map<string, DeployedWorker>,
): WorkerProject[] {
  const gateway = all.find(isGateway)
  if (!gateway || selected.includes(gateway)) return selected
  const bound = deployed.get(gateway.name)?.services ?? []
  const routed = gateway.config.services?.map(({ service }) => service) ?? []
  const isMissing = selected.some(({ name }) => routed.includes(name) && !bound.includes(name))
  return isMissing ? [...selected, gateway] : selected
}

/** Names of the Workers that the selected ones bind and that are not selected themselves. */
export const boundElsewhere = (selected: WorkerProject[], all: WorkerProject[]): string[] => {
  const bound = selected.flatMap(({ config }) => config.services?.map(({ service }) => service) ?? [])
  return all
    .filter((component) => !selected.includes(component) && bound.includes(component.name))
    .map(({ name }) => name)
}

/**
 * Removes the bindings to Workers of the project that do not exist in the account, since Cloudflare would refuse them.
 */
export const bindPresent = (components: WorkerProject[], all: WorkerProject[], present: string[]): Bound[] =>
  components.map((component) =>
    withoutServices(component, (worker) => !present.includes(worker) && all.some(({ name }) => name === worker)),
  )
