// Sets up the built-in administrator of the bus before its first request.
import { sql } from 'drizzle-orm'
import type { DatabaseEnv } from '#core/db/open'
import { open } from '#core/db/open'
import { notConfigured } from '#core/failure'
import { logChange } from './changes.ts'
import type { Administrator, BusVariables } from './env.ts'
import { administratorOf, checkConfiguration } from './env.ts'
import { insertWhere } from './insert-where.ts'
import { changeLogLock, lockForBatch } from './lock.ts'
import { type Bus, schema } from './schema.ts'
import { hashOf, newSecret } from './secrets.ts'

/**
 * Creates or updates the administrator of the configuration, and gives the instance a name. The administrator of an earlier
 * configuration loses its secret and its rights, and is from then on in the replication log. If nothing has changed, no row is written.
 */
async function ensureAdministrator(bus: Bus, { name, secret }: Administrator, now: Date): Promise<void> {
  const { db, clients, settings } = bus
  const secret_hash = await hashOf(secret)
  const right = { secret_hash, is_admin: true, is_disabled: false, updated_at: now }
  const isFormer = sql`name IN (SELECT value FROM ${settings} WHERE name = 'administrator' AND value <> ${name})`
  const [other] = await db
    .select({ id: clients.id })
    .from(clients)
    .where(sql`secret_hash = ${secret_hash} AND name <> ${name} AND NOT ${isFormer}`)
  if (other) throw notConfigured('BOX_ADMIN_SECRET is already the secret of another user. Choose another one.')
  const former = sql`SELECT name AS client, '' AS collection FROM ${clients} WHERE ${isFormer}`
  const isMissing = sql`WHERE NOT EXISTS (SELECT 1 FROM ${clients} WHERE name = ${name})`
  await db.batch([
    lockForBatch(bus, changeLogLock),
    db.insert(settings).values({ name: 'instance', value: crypto.randomUUID() }).onConflictDoNothing(),
    logChange(bus, { kind: 'client', is_deleted: false, what: former }, now),
    db
      .update(clients)
      .set({ secret_hash: await hashOf(newSecret()), is_admin: false, is_disabled: true, updated_at: now })
      .where(isFormer),
    // Checks first that the user is missing, since an `INSERT` with a conflict would use up an id at each start.
    bus.run(sql`${insertWhere(clients, { name, ...right, created_at: now }, isMissing)} ON CONFLICT (name) DO NOTHING`),
    db
      .update(clients)
      .set(right)
      .where(
        sql`name = ${name} AND (${clients.secret_hash} <> ${secret_hash} OR NOT ${clients.is_admin} OR ${clients.is_disabled})`,
      ),
    db
      .insert(settings)
      .values({ name: 'administrator', value: name })
      .onConflictDoUpdate({ target: settings.name, set: { value: name }, setWhere: sql`${settings.value} <> ${name}` }),
  ])
}

/** Checks the configuration and ensures the administrator, before the first request or replication. Throws 503 if it is invalid. */
export async function prepareInstance(env: DatabaseEnv & BusVariables): Promise<void> {
  checkConfiguration(env)
  await ensureAdministrator(open(env, schema), administratorOf(env), new Date())
}
