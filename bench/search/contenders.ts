// The search engines that the benchmark compares, and how each is started.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasPostgres, startPostgres } from '../../scripts/lib/postgres-server.ts'
import { startChild } from './child.ts'
import type { IndexVariant, SearchContender } from './contender.ts'
import { startComponent } from './contenders/component.ts'
import { startObject } from './contenders/object.ts'

/** A search engine in the report, in order. Ours is the first. */
export interface ContenderEntry {
  name: string
  /** The reason why the engine is not measured; undefined if it is. */
  missing?: string
  start(variant: IndexVariant, folder: string): Promise<SearchContender>
}

export const entries = (origin: string): ContenderEntry[] => [
  { name: 'ours', start: (variant, folder) => startObject('ours', variant, folder) },
  { name: 'over HTTP', start: (variant) => startComponent(origin, variant) },
  { name: 'MiniSearch', start: (variant) => startNode('minisearch', variant) },
  { name: 'Orama', start: (variant) => startNode('orama', variant) },
  { name: 'PostgreSQL', ...(!hasPostgres() && { missing: 'it is not installed' }), start: startPostgresContender },
  { name: 'Xapian', ...(!hasXapian() && { missing: "Debian's python3-xapian is not installed" }), start: startXapian },
  { name: 'FTS5', start: (variant, folder) => startObject('fts5', variant, folder) },
]

/** Starts a search engine in Node, with a larger heap than Node's default: two hundred thousand documents need it. */
const startNode = (module: string, ...settings: string[]) =>
  startChild(process.execPath, '--max-old-space-size=12000', `bench/search/contenders/${module}.ts`, ...settings)

/**
 * Settings of Postgres, as recommended for a dedicated server. JIT compilation is off, since it would slow down these
 * queries.
 */
const tuning = {
  shared_buffers: '2GB',
  effective_cache_size: '4GB',
  work_mem: '64MB',
  maintenance_work_mem: '512MB',
  max_wal_size: '4GB',
  random_page_cost: '1.1',
  jit: 'off',
  plan_cache_mode: 'force_custom_plan',
  'pg_trgm.similarity_threshold': '0.2',
}

async function startPostgresContender(variant: IndexVariant): Promise<SearchContender> {
  const server = await startPostgres({ durable: true, settings: tuning })
  const contender = await startNode('postgres', variant, server.url)
  return {
    ...contender,
    end: async () => {
      await contender.end()
      server.stop()
    },
  }
}

/** Debian's Python, whatever other Python is on the PATH, since it has Debian's packages. */
const python = '/usr/bin/python3'

function hasXapian(): boolean {
  try {
    execFileSync(python, ['-c', 'import xapian'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function startXapian(variant: IndexVariant, folder: string): Promise<SearchContender> {
  const database = join(folder, 'xapian')
  mkdirSync(database)
  return startChild(python, 'bench/search/contenders/xapian_index.py', variant, database)
}
