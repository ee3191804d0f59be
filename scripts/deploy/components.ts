// Finds the Workers of the project with their wrangler configurations, and selects those to deploy.
import { globSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { z } from 'zod'
import { readRawConfig } from '../stack/platform.ts'
import { Stop } from './stop.ts'
import { type Reads, readsOf } from './variables.ts'

const Database = z.looseObject({
  binding: z.string(),
  database_name: z.string(),
  migrations_dir: z.string().optional(),
})
const Bucket = z.looseObject({ binding: z.string(), bucket_name: z.string() })
const ObjectBinding = z.looseObject({ name: z.string(), class_name: z.string(), script_name: z.string().optional() })

/** The fields of a wrangler configuration that a deployment reads. Other fields pass through unchanged. */
const Config = z.looseObject({
  name: z.string(),
  main: z.string().optional(),
  vars: z.record(z.string(), z.unknown()).optional(),
  d1_databases: z.array(Database).optional(),
  r2_buckets: z.array(Bucket).optional(),
  services: z.array(z.looseObject({ binding: z.string(), service: z.string() })).optional(),
  durable_objects: z.looseObject({ bindings: z.array(ObjectBinding).optional() }).optional(),
  containers: z.array(z.looseObject({ image: z.string().optional() })).optional(),
  secrets: z.looseObject({ required: z.array(z.string()).optional() }).optional(),
  observability: z.looseObject({}).optional(),
  assets: z.looseObject({ directory: z.string().optional() }).optional(),
})
export type Config = z.infer<typeof Config>

export interface WorkerProject {
  /** The Worker's name. */
  name: string
  /** Path of the Worker's wrangler configuration, relative to the project, with forward slashes. */
  file: string
  config: Config
  /** The variables that its code and its configuration read. */
  reads: Reads
}

/** Whether a Worker is the gateway, whose configuration is in the root folder. */
export const isGateway = ({ file }: WorkerProject) => file === 'wrangler.toml'

/** Finds every Worker of the project: the components, the containers, and the gateway. */
export function findComponents(root: string): WorkerProject[] {
  const files = ['workers/*/wrangler.toml', 'containers/*/wrangler.toml', 'wrangler.toml']
    .flatMap((pattern) => globSync(pattern, { cwd: root }).sort())
    .map((file) => file.split(sep).join('/'))
  const components = files.map((file) => readComponent(root, file))
  for (const [at, { name, file }] of components.entries()) {
    const first = components.findIndex((other) => other.name === name)
    if (first !== at) throw new Stop(`${components[first]!.file} and ${file} have the same name, ${name}`)
  }
  return components
}

function readComponent(root: string, file: string): WorkerProject {
  const parsed = Config.safeParse(readConfig(root, file))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Stop(`${file}: ${issue!.path.join('.')}: ${issue!.message}`)
  }
  const { name, main = 'index.ts', vars = {}, secrets } = parsed.data
  const { names, prefixes } = readsOf(root, posix.join(posix.dirname(file), main))
  const reads = { names: [...names, ...Object.keys(vars), ...(secrets?.required ?? [])], prefixes }
  return { name, file, config: parsed.data, reads }
}

function readConfig(root: string, file: string): unknown {
  try {
    // Copied, because the tables of the TOML parser have no prototype and some checks reject such objects.
    return structuredClone(readRawConfig(join(root, file)))
  } catch (error) {
    throw new Stop(`${file} is not TOML: ${(error as Error).message.split('\n')[0]}`)
  }
}

/** The named components, or all. */
export function selectComponents(components: WorkerProject[], names: string[]): WorkerProject[] {
  const unknown = names.find((name) => components.every((component) => component.name !== name))
  if (unknown !== undefined) {
    throw new Stop(`No component is named ${unknown}. Choose from ${components.map(({ name }) => name).join(', ')}`)
  }
  return names.length === 0 ? components : components.filter(({ name }) => names.includes(name))
}
