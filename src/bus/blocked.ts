import { and, eq, type SQL, sql } from 'drizzle-orm'
import { parseJson } from '#core/http/json'
import { LoggedChange } from './contract.ts'
import { insertWhere } from './insert-where.ts'
import type { Bus } from './schema.ts'

type OfClient = Extract<LoggedChange, { kind: 'client'; is_deleted: false }>

/** Keeps a change that has to wait for its secret: a statement for a batch. Of two changes of a user the newer one stays. */
export function blockChange({ run, blocked }: Bus, change: OfClient, isBlocked: SQL) {
  const { name, secret_hash, at, origin } = change
  const row = { name, secret_hash, at, origin, change: JSON.stringify(change) }
  return run(sql`
    ${insertWhere(blocked, row, sql`WHERE ${isBlocked}`)}
    ON CONFLICT (name) DO UPDATE SET
      secret_hash = excluded.secret_hash, at = excluded.at, origin = excluded.origin, change = excluded.change
    WHERE (excluded.at, excluded.origin) > (${blocked.at}, ${blocked.origin})`)
}

/** Makes a user's secret worthless, whose successor has to wait: a statement for a batch. */
export const retireSecret = ({ db, clients }: Bus, name: string, nobodys: string, isBlocked: SQL) =>
  db
    .update(clients)
    .set({ secret_hash: nobodys })
    .where(and(eq(clients.name, name), isBlocked))

/** Changes that no longer have to wait. What was outdone meanwhile is forgotten. */
export async function findUnblocked({ db, blocked, clients, changes }: Bus, most: number): Promise<LoggedChange[]> {
  const isOutdone = sql`EXISTS (
    SELECT 1 FROM ${changes} known WHERE known.kind = 'client' AND known.client = ${blocked.name}
    AND (known.at, known.origin) >= (${blocked.at}, ${blocked.origin}))`
  const isFree = sql`NOT EXISTS (
    SELECT 1 FROM ${clients} other WHERE other.secret_hash = ${blocked.secret_hash} AND other.name <> ${blocked.name})`
  const [, found] = await db.batch([
    db.delete(blocked).where(isOutdone),
    db.select({ change: blocked.change }).from(blocked).where(isFree).limit(most),
  ])
  return found.map(({ change }) => LoggedChange.parse(parseJson(change)))
}
