import { notConfigured } from '#core/failure'

/** What names a Postgres: one address, or its parts. */
export interface PostgresEnv {
  DATABASE_URL?: string
  /** Where bound, connections go through it; switch its query cache off. */
  HYPERDRIVE?: { connectionString: string }
  PG_HOST?: string
  PG_PORT?: string
  PG_DATABASE?: string
  PG_SCHEMA?: string
  PG_USER?: string
  PG_PASSWORD?: string
  /** Comma-separated replicas, each `host` or `host:port`, with the same database, user and schema. */
  PG_SLAVES?: string
}

/** A Postgres as the drivers take it. */
export interface Postgres {
  url: string
  /** Whether it speaks Neon's SQL over HTTP. */
  isNeon: boolean
  searchPath?: string
}

/** The Postgres that the environment names, if it names one; 503 where it cannot be read. */
export function postgresOf(env: PostgresEnv): Postgres | undefined {
  const named = env.DATABASE_URL ? checked(env.DATABASE_URL) : fromParts(env)
  if (!named) return undefined
  const url = env.HYPERDRIVE?.connectionString ?? named
  const isNeon = new URL(url).hostname.endsWith('.neon.tech')
  if (!env.PG_SCHEMA || env.PG_SCHEMA === 'public') return { url, isNeon }
  if (isNeon) throw notConfigured('PG_SCHEMA needs a Postgres over TCP; Neon is called over HTTP')
  return { url, isNeon, searchPath: `"${env.PG_SCHEMA.replaceAll('"', '""')}"` }
}

/** The replicas of the Postgres that the environment names; a pool is the primary's alone. */
export function replicasOf({ HYPERDRIVE: _, PG_SLAVES = '', ...env }: PostgresEnv): Postgres[] {
  const primary = postgresOf(env)
  const hosts = PG_SLAVES.split(',').map((host) => host.trim())
  return hosts.flatMap((host) => {
    if (!host || !primary) return []
    if (!URL.parse(`postgresql://${host}`)?.hostname)
      throw notConfigured('PG_SLAVES must be comma-separated replicas, each host or host:port')
    const url = new URL(primary.url)
    url.host = host
    return { ...primary, url: url.href }
  })
}

function checked(address: string): string {
  const url = URL.parse(address)
  if (url && /^postgres(ql)?:$/.test(url.protocol) && url.hostname) return address
  throw notConfigured('DATABASE_URL must be an address such as postgresql://user:password@host:5432/database')
}

function fromParts({ PG_HOST, PG_PORT = '5432', PG_DATABASE, PG_USER, PG_PASSWORD }: PostgresEnv): string | undefined {
  if (!PG_HOST) return undefined
  const absent = Object.entries({ PG_DATABASE, PG_USER }).flatMap(([name, value]) => (value ? [] : [name]))
  if (!PG_DATABASE || !PG_USER) throw notConfigured(`Set ${absent.join(' and ')} besides PG_HOST`)
  const url = URL.parse(`postgresql://${PG_HOST}:${PG_PORT}`)
  if (!url?.hostname) throw notConfigured('PG_HOST must be a host, and PG_PORT the number of a port')
  url.pathname = `/${encodeURIComponent(PG_DATABASE)}`
  url.username = encodeURIComponent(PG_USER)
  url.password = encodeURIComponent(PG_PASSWORD ?? '')
  return url.href
}
