// Adds, rotates and deletes the signing secrets of a collection's handler, webhooks and subscribers.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { invalid } from '#core/failure'
import type { Env } from './bindings.ts'
import { logChange } from './changes.ts'
import { findCollection } from './collections.ts'
import type { NewSigningSecret, SigningSecretDeletion } from './contract/subscriptions.ts'
import { failure, missing } from './errors.ts'
import { changeLogLock, lockForBatch } from './lock.ts'
import type { Bus } from './schema.ts'
import { newSigningSecret, sealSecret } from './signing.ts'
import type { TargetSecrets } from './target-secrets.ts'

/** Maximum number of origins of webhooks that have secrets, and of secrets that sign at a time. */
const maxOrigins = 100
const maxSecrets = 2

/** Maximum number of tries of a change that loses against concurrent changes of the same secrets. */
const maxTries = 5

/** The stored secrets of a target: in the row of the collection, or of the subscription. */
interface Place {
  kind: 'collection' | 'subscription'
  json: string
  what: SQL
  /** Statement that replaces the stored JSON. */
  replace: ReturnType<typeof replaceIn>
}

const isSubscription = (target: string) => /^[0-9a-f-]{36}$/i.test(target)

/** Adds a secret to a target. Both the new and the previous one sign until the previous one is deleted. */
export async function addSigningSecret(
  bus: Bus,
  env: Env,
  { collection, target, secret }: NewSigningSecret,
  now: Date,
) {
  const added = secret ?? newSigningSecret()
  const sealed = await sealSecret(env, added)
  const secrets = await change(bus, collection, target, now, (before) => [sealed, ...before].slice(0, maxSecrets))
  return { target, secret: added, secrets }
}

/** Deletes the older secret of a target, or all. */
export async function deleteSigningSecret(
  bus: Bus,
  { collection, target, which }: SigningSecretDeletion,
  now: Date,
): Promise<void> {
  if (which === 'all' && isSubscription(target)) throw invalid('which', 'A subscription keeps one secret')
  await change(bus, collection, target, now, (before) => {
    if (before.length === 0 || (which === 'older' && before.length === 1)) throw missing('signing_secret', { target })
    return which === 'all' ? [] : before.slice(0, 1)
  })
}

/** The targets of a collection that have secrets, without subscriptions, which `GET /subscriptions` lists. */
export async function listSigningSecrets(bus: Bus, name: string) {
  const { id } = await findCollection(bus, { name })
  const { json } = await placeOf(bus, id, name, 'handler')
  const secrets = JSON.parse(json) as TargetSecrets
  return Object.entries(secrets).map(([target, { length }]) => ({ target, secrets: length }))
}

/** Replaces the secrets of a target, unless they were changed meanwhile: then again. Returns their number. */
async function change(
  bus: Bus,
  name: string,
  target: string,
  now: Date,
  next: (before: string[]) => string[],
): Promise<number> {
  const { id } = await findCollection(bus, { name })
  for (let tries = 0; tries < maxTries; tries++) {
    const place = await placeOf(bus, id, name, target)
    const { json, count } = changed(place, target, next)
    const [, , done] = await bus.db.batch([
      lockForBatch(bus, changeLogLock),
      logChange(bus, { kind: place.kind, is_deleted: false, what: place.what }, now),
      place.replace(json, now),
    ])
    if (done.length > 0) return count
  }
  throw new Error('The secrets were changed concurrently too often')
}

function changed({ kind, json }: Place, target: string, next: (before: string[]) => string[]) {
  if (kind === 'subscription') {
    const secrets = next(JSON.parse(json) as string[])
    return { json: JSON.stringify(secrets), count: secrets.length }
  }
  const { [target]: before = [], ...others } = JSON.parse(json) as TargetSecrets
  const secrets = next(before)
  if (before.length === 0 && Object.keys(others).length > maxOrigins) throw failure('signing_secrets_full')
  return { json: JSON.stringify(secrets.length > 0 ? { ...others, [target]: secrets } : others), count: secrets.length }
}

async function placeOf(bus: Bus, id: number, name: string, target: string): Promise<Place> {
  const { db, collections, subscriptions } = bus
  if (isSubscription(target)) {
    const isChosen = and(eq(subscriptions.id, target), eq(subscriptions.collection, name))!
    const [found] = await db.select({ json: subscriptions.secrets }).from(subscriptions).where(isChosen)
    if (!found) throw missing('subscription', { id: target })
    const isSame = and(isChosen, eq(subscriptions.secrets, found.json))!
    const what = sql`SELECT id AS client, collection FROM ${subscriptions} WHERE ${isSame}`
    return { kind: 'subscription', ...found, what, replace: replaceIn(bus, 'subscriptions', isSame) }
  }
  const isChosen = and(eq(collections.id, id), eq(collections.is_ready, true))!
  const [found] = await db.select({ json: collections.secrets }).from(collections).where(isChosen)
  if (!found) throw missing('collection', { name })
  const isSame = and(isChosen, eq(collections.secrets, found.json))!
  const what = sql`SELECT '' AS client, name AS collection FROM ${collections} WHERE ${isSame}`
  return { kind: 'collection', ...found, what, replace: replaceIn(bus, 'collections', isSame) }
}

const replaceIn = (bus: Bus, table: 'collections' | 'subscriptions', isSame: SQL) => (secrets: string, now: Date) =>
  bus.db
    .update(bus[table] as Bus['collections'])
    .set({ secrets, updated_at: now })
    .where(isSame)
    .returning({ secrets: sql<string>`secrets` })
