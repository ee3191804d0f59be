// Additional settings of a component's tests.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What `tests/<component>/setup.ts` exports as `setup`, if the tests need anything. */
export interface TestSetup {
  /** Variables and secrets. */
  bindings?: Record<string, string>
  /** Servers that the tests call, each a global setup in `tests/support`. Postgres is started for every component. */
  servers?: string[]
}

export async function setupOf(component: string): Promise<TestSetup> {
  const file = resolve(`tests/${component}/setup.ts`)
  return existsSync(file) ? (await import(pathToFileURL(file).href)).setup : {}
}

/** Names of the Workers that a configuration binds as services. In tests, stubs replace them. */
export const boundServices = (configPath: string): string[] =>
  [...readFileSync(configPath, 'utf8').matchAll(/^service = "([\w-]+)"$/gm)].map(([, name]) => name!)
