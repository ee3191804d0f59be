import { open } from '#core/db/open'
import { ensureAdministrator } from './administrator.ts'
import { administratorOf, checkConfiguration, type Env } from './env.ts'
import { schema } from './schema.ts'

/** What must be there before anything is served or read from another instance: the administrator, and the instance's name. */
export async function prepareInstance(env: Env): Promise<void> {
  checkConfiguration(env)
  await ensureAdministrator(open(env, schema), administratorOf(env), new Date())
}
