import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

const components = readdirSync('workers', { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
)

/** A component's tests run inside its own Worker, configured as it is deployed. */
const component = async (name: string, configPath = `workers/${name}/wrangler.toml`) => {
  const migrations = `migrations/${name}`
  const MIGRATIONS = existsSync(`${migrations}/d1`) ? await readD1Migrations(`${migrations}/d1`) : []
  const POSTGRES_MIGRATIONS = globSync(`${migrations}/postgres/*.sql`)
    .sort()
    .map((file) => readFileSync(file, 'utf8'))
  const { TEST_DATABASE_URL = '' } = process.env
  return {
    plugins: [
      cloudflareTest({
        wrangler: { configPath },
        miniflare: { bindings: { LOCAL: 'true', COMPONENT: name, MIGRATIONS, POSTGRES_MIGRATIONS, TEST_DATABASE_URL } },
      }),
    ],
    test: {
      name,
      include: [`tests/${name}/**/*.test.ts`],
      setupFiles: 'tests/support/databases.ts',
    },
  }
}

/** The gateway's own tests give it its components; those that its configuration binds are stood in for. */
const gateway = {
  plugins: [
    cloudflareTest({
      wrangler: { configPath: 'wrangler.toml' },
      miniflare: {
        workers: components.map((name) => ({ name, modules: true, script: 'export default {}' })),
      },
    }),
  ],
  test: { name: 'gateway', include: ['tests/gateway/**/*.test.ts'] },
}

/** All of it over HTTP, as `npm start` runs it. */
const stack = {
  test: { name: 'stack', include: ['tests/stack/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
}

/** The deployment, against an API on this machine. */
const deploy = {
  test: { name: 'deploy', include: ['tests/deploy/**/*.test.ts'] },
}

export default defineConfig(async () => ({
  test: {
    // A Worker logs every request; what a test that failed has logged is shown.
    silent: 'passed-only' as const,
    globalSetup: ['tests/support/postgres.ts', 'tests/support/target.ts'],
    projects: await Promise.all([
      component('core', 'tests/core/worker/wrangler.toml'),
      ...components.map((name) => component(name)),
      gateway,
      stack,
      deploy,
    ]),
  },
}))
