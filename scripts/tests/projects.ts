// The configuration of each vitest project, made only for the projects that a run needs.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { makeSiteFolder } from '../site.ts'
import { filesReachedFrom } from './imports.ts'
import { nodeProjects, type Tier } from './selection.ts'
import { boundServices, setupOf } from './setup.ts'

/**
 * Number of test files that run at a time. Each project needs it, since it inherits nothing. Tests of `npm test` mostly wait for another
 * process. Those of whole stacks keep several processes busy each.
 */
const maxWorkersOf = (tier: Tier): number =>
  tier === 'fast' ? availableParallelism() + 1 : Math.max(2, availableParallelism() - 1)

/** Timeouts in milliseconds. They are long because a busy machine can take a minute for the work of a second. */
const timeouts = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } }

const stack = {
  // Tests of the stack start, kill and restart whole stacks, which may take minutes on a busy machine.
  ...{ testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 120_000 } } },
  // Undeclared error codes fail a call, as in the tests of components, also in each `npm start` that a test runs.
  env: { STRICT_ERRORS: 'true' },
}

/** The configuration of a project that runs `include` in a tier. */
export async function projectConfig(name: string, include: string[], tier: Tier): Promise<object> {
  // Without `extends: false`, Vitest loads vitest.config.ts once more for each project, which takes half a second each.
  return { extends: false, ...(await ownConfig(name, include, tier)) }
}

async function ownConfig(name: string, include: string[], tier: Tier): Promise<object> {
  const test = {
    name,
    include,
    ...timeouts,
    maxWorkers: maxWorkersOf(tier),
    provide: { tier, fuzzRuns: fuzzRuns(tier) },
  }
  if (name === 'unit') return { test: { ...test, pool: 'threads', isolate: false } }
  if (name === 'stack') return { test: { ...test, ...stack } }
  if (nodeProjects.includes(name)) return { test }
  if (name === 'gateway') return gateway(test)
  return component(name, test)
}

/**
 * Maximum number of runs of a property test: `FUZZ_RUNS`, 10 in `npm test`, or `null` for the number in the test
 * itself.
 */
function fuzzRuns(tier: Tier): number | null {
  const { FUZZ_RUNS } = process.env
  if (FUZZ_RUNS) return Number(FUZZ_RUNS)
  return tier === 'fast' ? 10 : null
}

/**
 * Packages with many modules that most tests load. Vite bundles each into one module, since each runtime would load all
 * modules one by one.
 */
const bundledPackages = [
  ...['drizzle-orm', 'drizzle-orm/d1', 'drizzle-orm/neon-http', 'drizzle-orm/pg-core', 'drizzle-orm/sqlite-core'],
  ...['zod', 'hono', 'hono/utils/accept', '@neondatabase/serverless', 'fast-check'],
]

interface Test {
  name: string
  include: string[]
  provide: { tier: Tier }
}

const usesPostgres = ({ include, provide }: Test): boolean =>
  provide.tier !== 'fast' && include.some((file) => filesReachedFrom(file).has('tests/support/databases.ts'))

/** The project of a component: its tests run inside its own Worker, with its deployed configuration. */
async function component(name: string, test: Test) {
  // In `npm test` the files of a component share one runtime, which halves the CPU time: tests/support/databases.ts
  // deletes all data before each file. With Postgres each file needs its own runtime, since modules that stay loaded
  // keep the database of the first file.
  const isolate = test.provide.tier !== 'fast'
  const migrations = `migrations/${name}`
  const MIGRATIONS = existsSync(`${migrations}/d1`) ? await readD1Migrations(`${migrations}/d1`) : []
  const POSTGRES_MIGRATIONS = globSync(`${migrations}/postgres/*.sql`)
    .sort()
    .map((file) => readFileSync(file, 'utf8'))
  const { TEST_DATABASE_URL = '' } = process.env
  const { bindings = {}, servers = [] } = await setupOf(name)
  const configPath = name === 'core' ? 'tests/core/worker/wrangler.toml' : `workers/${name}/wrangler.toml`
  return {
    // Ignores the "browser" field of packages in media: Vite would load their files for Node under names that begin
    // with "node:".
    ...(name === 'media' && { resolve: { mainFields: ['module'] } }),
    plugins: [
      cloudflareTest({
        wrangler: { configPath },
        miniflare: {
          workers: boundServices(configPath).map(standIn),
          // Binds the local images under another name than the component looks for. Under its own name, the runtime and
          // not the tests' stand-in would make all pictures.
          ...(name === 'media' && { images: { binding: 'LOCAL_IMAGES' } }),
          bindings: {
            ...{ LOCAL: 'true', COMPONENT: name, MIGRATIONS, POSTGRES_MIGRATIONS, TEST_DATABASE_URL },
            // Metrics are off: counts are sent seconds later, when the test may be over. Tests of the metrics turn them
            // on.
            METRICS: 'false',
            // The same holds for rows of the audit log.
            AUDIT: 'off',
            // A call fails if it returns an error code that its endpoint does not declare.
            STRICT_ERRORS: 'true',
            ...bindings,
          },
        },
      }),
    ],
    test: {
      ...test,
      isolate,
      deps: { optimizer: { ssr: { enabled: true, include: bundledPackages } } },
      setupFiles: 'tests/support/databases.ts',
      globalSetup: [...(usesPostgres(test) ? ['postgres'] : []), ...servers].map((file) => `tests/support/${file}.ts`),
    },
  }
}

/**
 * The project of the gateway. Its tests give it their own components, and stubs replace the Workers that its
 * configuration binds.
 */
async function gateway(test: Test) {
  // The folder must exist, since the gateway's configuration names it.
  await makeSiteFolder()
  const workers = boundServices('wrangler.toml').map(standIn)
  return { plugins: [cloudflareTest({ wrangler: { configPath: 'wrangler.toml' }, miniflare: { workers } })], test }
}

const down = 'export default { fetch: () => new Response(null, { status: 503 }) }'

const standIn = (name: string) => ({ name, modules: true, script: down })
