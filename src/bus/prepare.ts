import type { DatabaseEnv } from '#core/db/open'
import { open } from '#core/db/open'
import { ensureAdministrator } from './administrator.ts'
import type { BusVariables } from './env.ts'
import { administratorOf, checkConfiguration } from './env.ts'
import { schema } from './schema.ts'

/** What must be there before anything is served or read from another instance: the administrator, and the instance's name. */
export async function prepareInstance(env: DatabaseEnv & BusVariables): Promise<void> {
  checkConfiguration(env)
  await ensureAdministrator(open(env, schema), administratorOf(env), new Date())
}
