// Creates the missing D1 databases and R2 buckets of a deployment.
import { z } from 'zod'
import type { WorkerProject } from './components.ts'
import { Stop } from './stop.ts'
import type { Wrangler } from './wrangler.ts'

const Databases = z.array(z.object({ uuid: z.string(), name: z.string() }))

/** Returns the ids of the D1 databases by name. Creates missing databases. */
export async function ensureDatabases(
  names: string[],
  wrangler: Wrangler,
  say: (line: string) => void,
): Promise<Record<string, string>> {
  if (names.length === 0) return {}
  const before = await listDatabases(wrangler)
  const missing = names.filter((name) => !(name in before))
  for (const name of missing) {
    await wrangler(['d1', 'create', name])
    say(`created the database ${name}`)
  }
  const after = missing.length > 0 ? await listDatabases(wrangler) : before
  return Object.fromEntries(names.map((name) => [name, after[name] ?? notListed(name)]))
}

async function listDatabases(wrangler: Wrangler): Promise<Record<string, string>> {
  const { stdout } = await wrangler(['d1', 'list', '--json'])
  const databases = Databases.parse(JSON.parse(stdout.slice(stdout.search(/^\[/m))))
  return Object.fromEntries(databases.map(({ name, uuid }) => [name, uuid]))
}

function notListed(name: string): never {
  throw new Stop(`The database ${name} was created, but the account does not list it yet; deploy again`)
}

/** Creates missing R2 buckets. Existing ones stay unchanged. */
export async function ensureBuckets(names: string[], wrangler: Wrangler, say: (line: string) => void): Promise<void> {
  if (names.length === 0) return
  const { stdout } = await wrangler(['r2', 'bucket', 'list'])
  const listed = [...stdout.matchAll(/^name:\s+(\S+)$/gm)].map(([, name]) => name!)
  for (const name of names.filter((name) => !listed.includes(name))) {
    try {
      await wrangler(['r2', 'bucket', 'create', name])
      say(`created the bucket ${name}`)
    } catch (error) {
      // Error 10004 means that the bucket exists. The list has only the first page of buckets, so an existing one may
      // be missing from it.
      if (!(error instanceof Stop && error.message.includes('10004'))) throw error
    }
  }
}

/** The names of the databases and buckets that components bind, without duplicates. */
export const databasesOf = (components: WorkerProject[]) => [
  ...new Set(components.flatMap(({ config }) => config.d1_databases?.map((bound) => bound.database_name) ?? [])),
]

export const bucketsOf = (components: WorkerProject[]) => [
  ...new Set(components.flatMap(({ config }) => config.r2_buckets?.map((bound) => bound.bucket_name) ?? [])),
]
