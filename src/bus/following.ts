import { open } from '#core/db/open'
import { describe, log } from '#core/http/log'
import type { Env } from './bindings.ts'
import { findPeer } from './catching-up.ts'
import { instancesOf } from './env.ts'
import { schema } from './schema.ts'
import { countSkipped } from './skipped.ts'

const objectOf = (env: Env, url: string) => env.SYNCHRONISER.getByName(url)

/** Sees that every instance of the configuration is read from now on. */
export async function followInstances(env: Env): Promise<void> {
  await Promise.all(instancesOf(env).map((url) => objectOf(env, url).follow(url)))
}

/** The same for a request, which is answered whether it succeeds or not: the clock sees to it again. */
export const tryToFollow = (env: Env) =>
  followInstances(env).catch((error) =>
    log('error', { component: 'bus', route: 'synchronisation', ...describe(error) }),
  )

/** How far the reading of each instance is. */
export const readInstances = (env: Env) =>
  Promise.all(
    instancesOf(env).map(async (url) => ({
      url,
      ...(await findPeer(open(env, schema), url)),
      ...(await objectOf(env, url).state()),
      pending: await countSkipped(open(env, schema), url),
    })),
  )
