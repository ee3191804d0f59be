import { existsSync, readdirSync } from 'node:fs'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

const components = readdirSync('workers', { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
)

/** A component's tests run inside its own Worker, configured as it is deployed. */
const component = async (name: string, configPath = `workers/${name}/wrangler.toml`) => {
  const migrations = `migrations/${name}/d1`
  const MIGRATIONS = existsSync(migrations) ? await readD1Migrations(migrations) : []
  return {
    plugins: [
      cloudflareTest({
        wrangler: { configPath },
        miniflare: { bindings: { LOCAL: 'true', COMPONENT: name, MIGRATIONS } },
      }),
    ],
    test: { name, include: [`tests/${name}/**/*.test.ts`], setupFiles: 'tests/support/databases.ts' },
  }
}

export default defineConfig(async () => ({
  test: {
    globalSetup: ['tests/support/postgres.ts', 'tests/support/target.ts'],
    projects: await Promise.all([
      component('core', 'tests/core/worker/wrangler.toml'),
      ...components.map((name) => component(name)),
    ]),
  },
}))
