// Additional settings for the tests of one component: variables, and servers that the tests call.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The type of the export `setup` in `tests/<component>/setup.ts`, which exists only if the tests need settings. */
export interface TestSetup {
  /** Variables and secrets. */
  bindings?: Record<string, string>
  /**
   * Servers that the tests call, each a global setup in `tests/support`. Postgres is started for every component, and
   * is not listed.
   */
  servers?: string[]
}

export async function setupOf(component: string): Promise<TestSetup> {
  const file = resolve(`tests/${component}/setup.ts`)
  return existsSync(file) ? (await import(pathToFileURL(file).href)).setup : {}
}

/** Names of the Workers that a configuration binds as services. In tests, stubs replace these Workers. */
export const boundServices = (configPath: string): string[] =>
  [...readFileSync(configPath, 'utf8').matchAll(/^service = "([\w-]+)"$/gm)].map(([, name]) => name!)
