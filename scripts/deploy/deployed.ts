// Reads the state of deployed Workers through wrangler: the names of their secrets, variables and bound Workers.
import { z } from 'zod'
import { Stop } from './stop.ts'
import type { Wrangler } from './wrangler.ts'

/**
 * Variable of each Worker with the names of the variables that the last deployment set, so that the next one can remove
 * those that are no longer in the file.
 */
export const namesVariable = 'DEPLOYED_NAMES'

export interface DeployedWorker {
  /** Names of the Worker's secrets, set by deployments or by hand. */
  secrets: string[]
  /** Names of the Workers that this Worker binds. */
  services: string[]
  /**
   * Names of the variables and secrets that the last deployment set; undefined if an older version deployed and did not
   * store them.
   */
  names: string[] | undefined
}

const Deployment = z.object({ versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })).min(1) })

const Binding = z.object({
  name: z.string(),
  type: z.string(),
  text: z.string().optional(),
  service: z.string().optional(),
})

const Version = z.object({ resources: z.object({ bindings: z.array(Binding).default([]) }) })

/** Reads the state of a deployed Worker; undefined if the account does not have the Worker. */
async function readDeployed(name: string, wrangler: Wrangler): Promise<DeployedWorker | undefined> {
  const deployment = await currentDeployment(name, wrangler)
  if (!deployment) return undefined
  const { version_id } = deployment.versions.reduce((most, version) =>
    version.percentage > most.percentage ? version : most,
  )
  const { stdout } = await wrangler(['versions', 'view', version_id, '--json', '--name', name])
  const { bindings } = Version.parse(jsonIn(stdout)).resources
  const listed = bindings.find((bound) => bound.name === namesVariable)?.text
  return {
    secrets: bindings.filter(({ type }) => type === 'secret_text').map((secret) => secret.name),
    services: bindings.flatMap(({ service }) => service ?? []),
    names: listed?.split(',').filter(Boolean),
  }
}

async function currentDeployment(name: string, wrangler: Wrangler) {
  try {
    const { stdout } = await wrangler(['deployments', 'status', '--json', '--name', name])
    return Deployment.parse(jsonIn(stdout))
  } catch (error) {
    if (error instanceof Stop && error.message.includes('10007')) return undefined
    throw error
  }
}

const jsonIn = (stdout: string): unknown => JSON.parse(stdout.slice(stdout.search(/^\{/m)))

/** Reads several Workers, some at a time. Leaves out those that the account does not have. */
export async function readAllDeployed(names: string[], wrangler: Wrangler): Promise<Map<string, DeployedWorker>> {
  const found = new Map<string, DeployedWorker>()
  const left = names.values()
  const read = async () => {
    for (const name of left) {
      const deployed = await readDeployed(name, wrangler)
      if (deployed) found.set(name, deployed)
    }
  }
  await Promise.all(Array.from({ length: concurrentReads }, read))
  return found
}

const concurrentReads = 4
