// Stores changes of other instances that could not be applied, and retries them.
import { and, asc, count, eq, lt } from 'drizzle-orm'
import { parseJson } from '#core/http/json'
import type { TargetEnv } from '#core/outgoing/url'
import { applyChange, findNewer } from './apply.ts'
import { LoggedChange } from './contract/replication.ts'
import type { Bus } from './schema.ts'

const retryIntervalMs = 60_000

/** Maximum length of a stored change. No version of the bus writes a longer one: such a change is reported, but not stored or retried. */
const maxChangeCharacters = 120_000

/** Maximum number of stored changes per instance. Further changes are reported, but not stored or retried. */
const maxSkipped = 1_000

interface Skipped {
  url: string
  position: number
  reason: string
}

/** Stores a change of another instance that could not be applied, for retries. */
export async function storeSkipped(bus: Bus, { url, position, reason }: Skipped, data: unknown): Promise<void> {
  const { db, skipped } = bus
  const change = JSON.stringify(data) ?? 'null'
  if (change.length > maxChangeCharacters || (await countSkipped(bus, url)) >= maxSkipped) return
  const row = { reason, change, tried_at: new Date() }
  await db
    .insert(skipped)
    .values({ url, position, ...row })
    .onConflictDoUpdate({ target: [skipped.url, skipped.position], set: row })
}

/** Retries skipped changes, each at most once a minute, those with the oldest attempt first. */
export async function retrySkipped(
  bus: Bus,
  env: TargetEnv,
  builtin: string,
  url: string,
  limit: number,
): Promise<void> {
  const { db, skipped } = bus
  const before = new Date(Date.now() - retryIntervalMs)
  const due = await db
    .select()
    .from(skipped)
    .where(and(eq(skipped.url, url), lt(skipped.tried_at, before)))
    .orderBy(asc(skipped.tried_at))
    .limit(limit)
  for (const { position, reason, change } of due) {
    const known = LoggedChange.safeParse(parseJson(change)).data
    const reasonLeft = known ? await retry(bus, env, builtin, known) : reason
    const isThis = and(eq(skipped.url, url), eq(skipped.position, position))
    if (reasonLeft === undefined) await db.delete(skipped).where(isThis)
    else await db.update(skipped).set({ reason: reasonLeft, tried_at: new Date() }).where(isThis)
  }
}

/** Returns the reason if the change still cannot be applied. A change that a newer one has replaced counts as applied. */
async function retry(bus: Bus, env: TargetEnv, builtin: string, change: LoggedChange): Promise<string | undefined> {
  const [due] = await findNewer(bus, [change])
  return due && applyChange(bus, env, builtin, due, new Date())
}

export async function countSkipped({ db, skipped }: Bus, url: string): Promise<number> {
  const [total] = await db.select({ n: count() }).from(skipped).where(eq(skipped.url, url))
  return total!.n
}
