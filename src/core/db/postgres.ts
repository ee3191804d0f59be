import { notConfigured } from '#core/failure'
import { withTlsMode } from './tls.ts'

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
  /** TLS of connections: `verify-full` unless given, `disable` for a server on this machine. */
  PG_SSLMODE?: string
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

/**
 * The Postgres that the environment names, if it names one; 503 where it cannot be read. Connections over TCP use TLS
 * unless the server is local; Hyperdrive encrypts its own.
 */
export const postgresOf = (env: PostgresEnv): Postgres | undefined => postgresAt(env, addressOf(env))

/** The same Postgres at another host, `host` or `host:port`, without Hyperdrive. */
export function postgresOn(host: string, { HYPERDRIVE: _, ...env }: PostgresEnv): Postgres | undefined {
  const address = addressOf(env)
  if (!address) return undefined
  const url = new URL(address)
  url.host = host
  return postgresAt(env, url.href)
}

const addressOf = (env: PostgresEnv) => (env.DATABASE_URL ? checked(env.DATABASE_URL) : fromParts(env))

function postgresAt(env: PostgresEnv, address: string | undefined): Postgres | undefined {
  if (!address) return undefined
  const url = env.HYPERDRIVE?.connectionString ?? withTlsMode(address, env.PG_SSLMODE)
  const isNeon = new URL(url).hostname.endsWith('.neon.tech')
  if (!env.PG_SCHEMA || env.PG_SCHEMA === 'public') return { url, isNeon }
  if (isNeon) throw notConfigured('PG_SCHEMA needs a Postgres over TCP; Neon is called over HTTP')
  return { url, isNeon, searchPath: `"${env.PG_SCHEMA.replaceAll('"', '""')}"` }
}

/** The replicas of the Postgres that the environment names; a pool is the primary's alone. */
export function replicasOf({ PG_SLAVES = '', ...env }: PostgresEnv): Postgres[] {
  const hosts = PG_SLAVES.split(',').map((host) => host.trim())
  return hosts.flatMap((host) => {
    if (!host) return []
    if (!URL.parse(`postgresql://${host}`)?.hostname)
      throw notConfigured('PG_SLAVES must be comma-separated replicas, each host or host:port')
    return postgresOn(host, env) ?? []
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
