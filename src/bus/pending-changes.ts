// Replicated changes that wait because another user here still has the new secret. They are applied when it is free.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { parseJson } from '#core/http/json'
import { LoggedChange } from './contract/replication.ts'
import { insertWhere } from './insert-where.ts'
import type { Bus } from './schema.ts'

type OfClient = Extract<LoggedChange, { kind: 'client'; is_deleted: false }>

/** Statement that stores a change that cannot be applied yet, since another user has the secret. Only a user's newest change is kept. */
export function holdChange({ run, blocked }: Bus, change: OfClient, isBlocked: SQL) {
  const { name, secret_hash, at, origin } = change
  const row = { name, secret_hash, at, origin, change: JSON.stringify(change) }
  return run(sql`
    ${insertWhere(blocked, row, sql`WHERE ${isBlocked}`)}
    ON CONFLICT (name) DO UPDATE SET
      secret_hash = excluded.secret_hash, at = excluded.at, origin = excluded.origin, change = excluded.change
    WHERE (excluded.at, excluded.origin) > (${blocked.at}, ${blocked.origin})`)
}

/** Statement that invalidates a user's old secret while the new one is not free, so that the replaced secret is not accepted until then. */
export const retireSecret = ({ db, clients }: Bus, name: string, unusableHash: string, isBlocked: SQL) =>
  db
    .update(clients)
    .set({ secret_hash: unusableHash })
    .where(and(eq(clients.name, name), isBlocked))

/** Returns stored changes whose secret is free now. Deletes superseded changes. */
export async function findReleased({ db, blocked, clients, changes }: Bus, limit: number): Promise<LoggedChange[]> {
  const isSuperseded = sql`EXISTS (
    SELECT 1 FROM ${changes} known WHERE known.kind = 'client' AND known.client = ${blocked.name}
    AND (known.at, known.origin) >= (${blocked.at}, ${blocked.origin}))`
  const isFree = sql`NOT EXISTS (
    SELECT 1 FROM ${clients} other WHERE other.secret_hash = ${blocked.secret_hash} AND other.name <> ${blocked.name})`
  const [, found] = await db.batch([
    db.delete(blocked).where(isSuperseded),
    db.select({ change: blocked.change }).from(blocked).where(isFree).limit(limit),
  ])
  return found.map(({ change }) => LoggedChange.parse(parseJson(change)))
}
