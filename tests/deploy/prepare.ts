// Prepares a test of a deployment: a fake account, and a checkout of a small project.
import type { TestContext } from 'vitest'
import type { Bound } from './account.ts'
import { type Cloudflare, serveCloudflare } from './cloudflare.ts'
import { writeProject } from './project.ts'

export type Prepared = Awaited<ReturnType<typeof prepare>>

/**
 * Makes a new account or takes an existing one, and writes a checkout of the project with a secrets file. Both are
 * removed after the test.
 */
export async function prepare({ onTestFinished }: TestContext, secrets = 'OPEN=true', existing?: Cloudflare) {
  const cloudflare = existing ?? (await serveCloudflare())
  const project = writeProject(cloudflare.env)
  project.write({ '.deploy/secrets.env': secrets })
  onTestFinished(() => {
    project.stop('SIGKILL')
    if (!existing) cloudflare.close()
    project.remove()
  })
  const bindings = (script: string) =>
    Object.fromEntries(cloudflare.scripts.get(script)!.bindings.map(({ name, ...bound }: Bound) => [name, bound]))
  const tables = (database: string) =>
    cloudflare.databases
      .find(({ name }) => name === database)!
      .sql.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`)
      .all()
      .map(({ name }) => name)
  return { cloudflare, project, bindings, tables }
}
