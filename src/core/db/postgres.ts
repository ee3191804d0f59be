// Reads from the environment variables which Postgres a component uses: a URL or its parts, Hyperdrive, and read
// replicas. Does not connect.
import { notConfigured } from '#core/failure'
import { withTlsMode } from './tls.ts'

/** Environment variables that name a Postgres: one URL (`DATABASE_URL`), or its parts (`PG_*`). */
export interface PostgresEnv {
  DATABASE_URL?: string
  /**
   * Hyperdrive binding. If bound, connections go through Hyperdrive. Its query cache must be disabled: cached replies
   * would hide a component's latest writes.
   */
  HYPERDRIVE?: { connectionString: string }
  PG_HOST?: string
  PG_PORT?: string
  PG_DATABASE?: string
  PG_SCHEMA?: string
  PG_USER?: string
  PG_PASSWORD?: string
  /** TLS mode. Default: `verify-full`, or `disable` for a server on this machine. */
  PG_SSLMODE?: string
  /** Comma-separated replicas, each `host` or `host:port`, with the same database, user and schema. */
  PG_SLAVES?: string
}

/** Connection settings of a Postgres. */
export interface Postgres {
  url: string
  /** Whether the Postgres is a Neon server, which is called over HTTP instead of TCP. */
  isNeon: boolean
  searchPath?: string
}

/**
 * The Postgres that the variables name; `undefined` if they name none. Throws 503 if they are invalid. Connections over
 * TCP use TLS unless the server is local; Hyperdrive encrypts its connections itself.
 */
export const postgresOf = (env: PostgresEnv): Postgres | undefined => postgresAt(env, addressOf(env))

/**
 * Returns the settings of the same Postgres on another host (`host` or `host:port`), without Hyperdrive, which pools
 * connections to the primary only.
 */
export function postgresOn(host: string, { HYPERDRIVE: _, ...env }: PostgresEnv): Postgres | undefined {
  const address = addressOf(env)
  if (!address) return undefined
  const url = new URL(address)
  url.host = host
  return postgresAt(env, url.href)
}

const addressOf = (env: PostgresEnv) => (env.DATABASE_URL ? checkAddress(env.DATABASE_URL) : addressFromParts(env))

function postgresAt(env: PostgresEnv, address: string | undefined): Postgres | undefined {
  if (!address) return undefined
  const url = env.HYPERDRIVE?.connectionString ?? withTlsMode(address, env.PG_SSLMODE)
  const isNeon = new URL(url).hostname.endsWith('.neon.tech')
  if (!env.PG_SCHEMA || env.PG_SCHEMA === 'public') return { url, isNeon }
  if (isNeon)
    throw notConfigured(
      'PG_SCHEMA does not work with Neon, which is called over HTTP. Unset it, or use another Postgres.',
    )
  return { url, isNeon, searchPath: `"${env.PG_SCHEMA.replaceAll('"', '""')}"` }
}

/** The read replicas in `PG_SLAVES`, each called without Hyperdrive, which pools connections to the primary only. */
export function replicasOf({ PG_SLAVES = '', ...env }: PostgresEnv): Postgres[] {
  const hosts = PG_SLAVES.split(',').map((host) => host.trim())
  return hosts.flatMap((host) => {
    if (!host) return []
    if (!URL.parse(`postgresql://${host}`)?.hostname)
      throw notConfigured('PG_SLAVES must be a comma-separated list of replicas, each host or host:port.')
    return postgresOn(host, env) ?? []
  })
}

function checkAddress(address: string): string {
  const url = URL.parse(address)
  if (url && /^postgres(ql)?:$/.test(url.protocol) && url.hostname) return address
  throw notConfigured('DATABASE_URL must be a URL such as postgresql://user:password@host:5432/database.')
}

function addressFromParts({
  PG_HOST,
  PG_PORT = '5432',
  PG_DATABASE,
  PG_USER,
  PG_PASSWORD,
}: PostgresEnv): string | undefined {
  if (!PG_HOST) return undefined
  const absent = Object.entries({ PG_DATABASE, PG_USER }).flatMap(([name, value]) => (value ? [] : [name]))
  if (!PG_DATABASE || !PG_USER) throw notConfigured(`Set ${absent.join(' and ')} in addition to PG_HOST.`)
  const url = URL.parse(`postgresql://${PG_HOST}:${PG_PORT}`)
  if (!url?.hostname) throw notConfigured('PG_HOST must be a host name or an IP address, and PG_PORT a port number.')
  url.pathname = `/${encodeURIComponent(PG_DATABASE)}`
  url.username = encodeURIComponent(PG_USER)
  url.password = encodeURIComponent(PG_PASSWORD ?? '')
  return url.href
}
