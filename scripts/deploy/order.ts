import { isGateway, type WorkerProject } from './components.ts'
import { Stop } from './stop.ts'

/**
 * Sorts the components of a deployment topologically: each after those that it binds, the gateway last. Throws if there
 * is a cycle.
 */
export function inOrder(components: WorkerProject[]): WorkerProject[] {
  const byName = new Map(components.map((component) => [component.name, component]))
  const ordered = new Set<WorkerProject>()

  const visit = (component: WorkerProject, path: string[]) => {
    if (ordered.has(component)) return
    const { name } = component
    if (path.includes(name)) {
      throw new Stop(`Components bind each other in a cycle: ${[...path.slice(path.indexOf(name)), name].join(' -> ')}`)
    }
    for (const bound of boundBy(component)) {
      const next = byName.get(bound)
      if (next) visit(next, [...path, name])
    }
    ordered.add(component)
  }

  const byGateway = (a: WorkerProject, b: WorkerProject) => Number(isGateway(a)) - Number(isGateway(b))
  for (const component of [...components].sort(byGateway)) visit(component, [])
  return [...ordered]
}

/** The Workers whose services or objects a component binds, except itself. */
function boundBy({ name, config }: WorkerProject): string[] {
  const services = config.services?.map(({ service }) => service) ?? []
  const objects = config.durable_objects?.bindings?.flatMap(({ script_name }) => script_name ?? []) ?? []
  return [...new Set([...services, ...objects])].filter((bound) => bound !== name).sort()
}
