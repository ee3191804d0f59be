// Decides how a deployment treats Workers with containers: leaves them out, takes ready images, or requires Docker to
// build the images.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { variableOf } from '../stack/variables.ts'
import { withoutServices } from './bindings.ts'
import type { WorkerProject } from './components.ts'
import { Stop } from './stop.ts'

/** Leaves out the Workers of containers, and the bindings to them. */
export function withoutContainers(components: WorkerProject[]): WorkerProject[] {
  const gone = components.filter(isContainer).map(({ name }) => name)
  return components
    .filter((component) => !isContainer(component))
    .map((component) => withoutServices(component, (worker) => gone.includes(worker)).component)
}

/** Replaces images that would be built by those in the environment, such as `MEDIA_CONTAINER_IMAGE`. */
export const withImages = (components: WorkerProject[], env: NodeJS.ProcessEnv): WorkerProject[] =>
  components.map((component) => {
    const image = isContainer(component) && env[imageOf(component)]
    if (!image) return component
    const containers = component.config.containers?.map(({ image_build_context: _, ...rest }) => ({ ...rest, image }))
    return { ...component, config: { ...component.config, ...(containers && { containers }) } }
  })

/** Stops the deployment if an image must be built and Docker does not run. */
export function requireDocker(root: string, components: WorkerProject[]): void {
  const isBuilt = ({ file, config }: WorkerProject) =>
    config.containers?.some(({ image }) => image !== undefined && existsSync(join(root, dirname(file), image)))
  const built = components.filter(isBuilt)
  if (built.length === 0 || hasDocker()) return
  throw new Stop(
    `Docker builds the image of ${built.map(({ name }) => name).join(', ')}, and does not run here: start it, set ${built.map(imageOf).join(', ')} to an image in a registry, or deploy --without-containers`,
  )
}

const isContainer = ({ file }: WorkerProject) => file.startsWith('containers/')

const imageOf = ({ name }: WorkerProject) => `${variableOf(name)}_IMAGE`

/** Whether Docker runs, detected as wrangler does. */
const hasDocker = () =>
  spawnSync(process.env.WRANGLER_DOCKER_BIN || 'docker', ['info'], { stdio: 'ignore' }).status === 0
