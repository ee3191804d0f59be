import { Failure } from '#core/failure'

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
}

/** A Postgres as the drivers take it. */
export interface Postgres {
  url: string
  /** Whether it speaks Neon's SQL over HTTP. */
  isNeon: boolean
  searchPath?: string
}

/** The Postgres that the environment names, if it names one. */
export function postgresOf(env: PostgresEnv): Postgres | undefined {
  const named = env.DATABASE_URL || fromParts(env)
  if (!named) return undefined
  const url = env.HYPERDRIVE?.connectionString ?? named
  const isNeon = new URL(url).hostname.endsWith('.neon.tech')
  if (!env.PG_SCHEMA || env.PG_SCHEMA === 'public') return { url, isNeon }
  if (isNeon) throw new Failure('not_configured', 'PG_SCHEMA needs a Postgres over TCP; Neon is called over HTTP')
  return { url, isNeon, searchPath: `"${env.PG_SCHEMA.replaceAll('"', '""')}"` }
}

function fromParts({ PG_HOST, PG_PORT = '5432', PG_DATABASE, PG_USER, PG_PASSWORD }: PostgresEnv): string | undefined {
  if (!PG_HOST || !PG_DATABASE || !PG_USER) return undefined
  const url = new URL(`postgresql://${PG_HOST}:${PG_PORT}`)
  url.pathname = `/${encodeURIComponent(PG_DATABASE)}`
  url.username = encodeURIComponent(PG_USER)
  url.password = encodeURIComponent(PG_PASSWORD ?? '')
  return url.href
}
