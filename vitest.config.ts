import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { makeSiteFolder } from './scripts/site.ts'

const components = readdirSync('workers', { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
)

/**
 * Workers of the queue, `one-0` with one daemon, `dozen-0` with twelve and so on: each test has its own. Those named `keyed`
 * run at most two tasks of a key at a time.
 */
const queueWorkers = Object.fromEntries(
  Object.entries({ one: 1, two: 2, dozen: 12, keyed: { daemons: 8, per_key: { concurrency: 2 } } }).flatMap(
    ([name, daemons]) => Array.from({ length: 30 }, (_, i) => [`${name}-${i}`, daemons]),
  ),
)

/** What a component's tests have bound besides what all have. */
const bindings: Record<string, Record<string, string>> = {
  queue: {
    QUEUE_SECRET: 'the secret of the tests',
    QUEUE_WORKERS: JSON.stringify(queueWorkers),
    ALLOW_PRIVATE_TARGETS: 'true',
  },
  bus: {
    BOX_ADMIN_SECRET: 'the secret of the tests',
    QUEUE_BACK_URL: 'http://bus.test',
    ALLOW_PRIVATE_TARGETS: 'true',
  },
  otp: { OTP_SECRET: 'the secret of the tests' },
  payment: { PAYMENT_PUBLIC_ID: 'pk_tests', ALLOW_PRIVATE_TARGETS: 'true' },
  pdf: { ALLOW_PRIVATE_TARGETS: 'true' },
  delivery: {
    DELIVERY_SECRET: 'the secret of the tests',
    ALLOW_PRIVATE_TARGETS: 'true',
  },
}

/** What stands in for the Workers that a component's configuration binds; its tests give it their own. */
const standIns: Record<string, string[]> = {
  bus: ['queue'],
  media: ['media-container'],
  email: ['media'],
  pdf: ['chromium-container'],
  otp: ['queue'],
  notification: ['queue'],
  delivery: ['queue', 'sms', 'email', 'feed'],
}

/** The servers that a component's tests call, besides the Postgres of all components. */
const servers: Record<string, string[]> = {
  core: ['deaf', 'target'],
  queue: ['target'],
  bus: ['target'],
  sms: ['target', 'sms-providers'],
  email: ['smtp'],
  otp: ['bot'],
  delivery: ['target'],
  payment: ['target'],
  media: ['media-clips', 'media-pictures', 'media-container'],
  signature: ['signed'],
}

/** Where tests of what a component shares with another one are, besides its own. */
const shared: Record<string, string[]> = { fulltext: ['tests/search/**/*.test.ts'] }

const down = 'export default { fetch: () => new Response(null, { status: 503 }) }'

const standIn = (name: string) => ({ name, modules: true, script: down })

/** In milliseconds: long enough for what takes a second, on a machine that does other things besides. */
const patience = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } }

/** A component's tests run inside its own Worker, configured as it is deployed. */
const component = async (name: string, configPath = `workers/${name}/wrangler.toml`) => {
  const migrations = `migrations/${name}`
  const MIGRATIONS = existsSync(`${migrations}/d1`) ? await readD1Migrations(`${migrations}/d1`) : []
  const POSTGRES_MIGRATIONS = globSync(`${migrations}/postgres/*.sql`)
    .sort()
    .map((file) => readFileSync(file, 'utf8'))
  const { TEST_DATABASE_URL = '' } = process.env
  return {
    // A package's "browser" field would have Vite load what it has for Node alone by the name of "node:".
    ...(name === 'media' && { resolve: { mainFields: ['module'] } }),
    plugins: [
      cloudflareTest({
        wrangler: { configPath },
        miniflare: {
          workers: (standIns[name] ?? []).map(standIn),
          // Not by the name that the component looks for: it would make all pictures.
          ...(name === 'media' && { images: { binding: 'LOCAL_IMAGES' } }),
          bindings: {
            ...{ LOCAL: 'true', COMPONENT: name, MIGRATIONS, POSTGRES_MIGRATIONS, TEST_DATABASE_URL },
            // What is counted is sent some seconds later, when the test may be over; those of the metrics turn them on.
            METRICS: 'false',
            // An error code that an endpoint does not declare fails the call.
            STRICT_ERRORS: 'true',
            ...bindings[name],
          },
        },
      }),
    ],
    test: {
      name,
      include: [`tests/${name}/**/*.test.ts`, ...(shared[name] ?? [])],
      setupFiles: 'tests/support/databases.ts',
      globalSetup: ['postgres', ...(servers[name] ?? [])].map((file) => `tests/support/${file}.ts`),
      ...patience,
    },
  }
}

// The gateway's configuration names its folder.
await makeSiteFolder()

/** The gateway's own tests give it its components; those that its configuration binds are stood in for. */
const gateway = {
  plugins: [
    cloudflareTest({
      wrangler: { configPath: 'wrangler.toml' },
      miniflare: {
        workers: components.map(standIn),
      },
    }),
  ],
  test: { name: 'gateway', include: ['tests/gateway/**/*.test.ts'], ...patience },
}

/** All of it over HTTP, as `npm start` runs it. */
const stack = {
  // Everything is started, and killed and started again: that may take minutes.
  test: {
    name: 'stack',
    include: ['tests/stack/**/*.test.ts'],
    ...patience,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    // As for the components' own tests; also for each `npm start` that a test runs.
    env: { STRICT_ERRORS: 'true' },
  },
}

/** The typed client, against servers of the tests. */
const client = {
  test: { name: 'client', include: ['tests/client/**/*.test.ts'], ...patience },
}

/** The servers of `containers/`, as plain processes. */
const containers = {
  test: { name: 'containers', include: ['tests/containers/**/*.test.ts'], ...patience },
}

/** The deployment, against an API on this machine. */
const deploy = {
  test: { name: 'deploy', include: ['tests/deploy/**/*.test.ts'], ...patience },
}

/** The projects by name, each configured only if the run needs it. */
const projects: Record<string, () => unknown> = {
  core: () => component('core', 'tests/core/worker/wrangler.toml'),
  ...Object.fromEntries(components.map((name) => [name, () => component(name)])),
  gateway: () => gateway,
  stack: () => stack,
  client: () => client,
  containers: () => containers,
  deploy: () => deploy,
}

/** The projects of the test files that the command names (`vitest run tests/badge/path`); all projects if it names none. */
function requestedProjects(): string[] {
  const names = process.argv.flatMap((argument) => /^tests\/([a-z]+)\b/.exec(argument)?.[1] ?? [])
  const known = names.flatMap((name) =>
    name === 'search' ? ['fulltext'] : Object.hasOwn(projects, name) ? [name] : [],
  )
  return known.length === 0 || known.length < names.length ? Object.keys(projects) : [...new Set(known)]
}

export default defineConfig(async () => ({
  test: {
    // A Worker logs every request; what a test that failed has logged is shown.
    silent: 'passed-only' as const,
    // Most of what tests do is to wait for another process.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: (await Promise.all(requestedProjects().map((name) => projects[name]?.()))) as never[],
  },
}))
