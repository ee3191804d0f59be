// The other instances of the bus: starts a synchroniser for each, and reads their replication state. Also reads the name of this instance.
import { eq } from 'drizzle-orm'
import { open } from '#core/db/open'
import { describe, log } from '#core/http/log'
import type { Env } from './bindings.ts'
import { instancesOf } from './env.ts'
import { findPeer } from './replication.ts'
import { type Bus, schema } from './schema.ts'
import { countSkipped } from './skipped-changes.ts'

const synchroniserOf = (env: Env, url: string) => env.SYNCHRONISER.getByName(url)

/** Starts reading the log of every instance in the configuration. Called every minute. */
export async function followInstances(env: Env): Promise<void> {
  await Promise.all(instancesOf(env).map((url) => synchroniserOf(env, url).follow(url)))
}

/** Calls `followInstances` before a request. An error is only logged, so that the request does not fail: the next sweep tries again. */
export const tryToFollow = (env: Env) =>
  followInstances(env).catch((error) =>
    log('error', { component: 'bus', route: 'synchronisation', ...describe(error) }),
  )

/** The replication state of each instance. */
export const readInstances = (env: Env) =>
  Promise.all(
    instancesOf(env).map(async (url) => ({
      url,
      ...(await findPeer(open(env, schema), url)),
      ...(await synchroniserOf(env, url).state()),
      pending: await countSkipped(open(env, schema), url),
    })),
  )

// Cache of the instance's name per database. The name is generated before the first request and never changes.
const names = new WeakMap<Bus, string>()

/** The name of this instance: random, and permanent for its database. */
export async function instanceName(bus: Bus): Promise<string> {
  const { db, settings } = bus
  const known = names.get(bus)
  if (known) return known
  const [row] = await db.select().from(settings).where(eq(settings.name, 'instance'))
  names.set(bus, row!.value)
  return row!.value
}
