import { and, asc, count, eq, lt } from 'drizzle-orm'
import { parseJson } from '#core/http/json'
import type { TargetEnv } from '#core/outgoing/url'
import { applyChange, findNewer } from './apply.ts'
import { LoggedChange } from './contract.ts'
import type { Bus } from './schema.ts'

const retryAfterMs = 60_000

/** A larger change is of no version of the bus; it is reported, and not tried again. */
const maxChangeCharacters = 20_000

/** At most so many changes of an instance are kept; a further one is reported, and not tried again. */
const maxSkipped = 1_000

interface Skipped {
  url: string
  position: number
  reason: string
}

/** Keeps a change of another instance that could not be applied, to try it again. */
export async function keepSkipped(bus: Bus, { url, position, reason }: Skipped, data: unknown): Promise<void> {
  const { db, skipped } = bus
  const change = JSON.stringify(data) ?? 'null'
  if (change.length > maxChangeCharacters || (await countSkipped(bus, url)) >= maxSkipped) return
  const row = { reason, change, tried_at: new Date() }
  await db
    .insert(skipped)
    .values({ url, position, ...row })
    .onConflictDoUpdate({ target: [skipped.url, skipped.position], set: row })
}

/** Tries skipped changes again, each at most once a minute, the ones that were tried longest ago first. */
export async function retrySkipped(
  bus: Bus,
  env: TargetEnv,
  builtin: string,
  url: string,
  limit: number,
): Promise<void> {
  const { db, skipped } = bus
  const before = new Date(Date.now() - retryAfterMs)
  const due = await db
    .select()
    .from(skipped)
    .where(and(eq(skipped.url, url), lt(skipped.tried_at, before)))
    .orderBy(asc(skipped.tried_at))
    .limit(limit)
  for (const { position, reason, change } of due) {
    const known = LoggedChange.safeParse(parseJson(change)).data
    const left = known ? await retry(bus, env, builtin, known) : reason
    const isThis = and(eq(skipped.url, url), eq(skipped.position, position))
    if (left === undefined) await db.delete(skipped).where(isThis)
    else await db.update(skipped).set({ reason: left, tried_at: new Date() }).where(isThis)
  }
}

/** Returns the reason if the change still cannot be applied; a change that a newer one has replaced is done. */
async function retry(bus: Bus, env: TargetEnv, builtin: string, change: LoggedChange): Promise<string | undefined> {
  const [due] = await findNewer(bus, [change])
  return due && applyChange(bus, env, builtin, due, new Date())
}

export async function countSkipped({ db, skipped }: Bus, url: string): Promise<number> {
  const [total] = await db.select({ n: count() }).from(skipped).where(eq(skipped.url, url))
  return total!.n
}
