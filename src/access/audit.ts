// The audit log: one object for each component and UTC day, and a table of these objects.
import { and, asc, desc, eq, gte, lt, lte, or } from 'drizzle-orm'
import type { AuditBatch } from '#core/access/access-service'
import { type DatabaseEnv, open } from '#core/db/open'
import { notConfigured } from '#core/failure'
import type { AuditDay, AuditResult, ChainCheck } from './audit-day.ts'
import type { Env } from './bindings.ts'
import type { AuditCursor, AuditDayOf, AuditEntry, AuditList } from './contract.ts'
import { type AccessStore, schema } from './schema.ts'

type AuditDays = DurableObjectNamespace<AuditDay>

type Day = { component: string; date: string }

const nameOf = ({ component, date }: Day) => `${component}/${date}`

const dateOf = (at: Date) => at.toISOString().slice(0, 10)

const dayMs = 86_400_000

/** Stores a batch. `known` has the names of objects that are in the table already. */
export async function storeBatch(
  { db, auditDays }: AccessStore,
  objects: AuditDays,
  known: Set<string>,
  component: string,
  batch: AuditBatch,
): Promise<void> {
  const day = { component, date: batch.date }
  const name = nameOf(day)
  if (!known.has(name)) {
    await db.insert(auditDays).values(day).onConflictDoNothing()
    known.add(name)
  }
  await objects.getByName(name).add(name, batch)
}

/** Reads of objects in one call. Each is a subrequest, of which Workers Free allows 50. */
const maxReads = 20

/** A page of the log: newest day first, then by component, then newest row first. */
export async function listAudit(
  store: AccessStore,
  objects: AuditDays,
  { after, from, to, limit, ...query }: AuditList,
): Promise<{ rows: AuditEntry[]; next?: AuditCursor }> {
  const rows: AuditEntry[] = []
  let last: AuditCursor | undefined
  let reads = 0
  const range = { from: from?.getTime(), to: to?.getTime() }
  for (const day of await daysOf(store, { after, from, to, component: query.component })) {
    let before = after?.date === day.date && after.component === day.component ? after : undefined
    do {
      const { key, operation } = query
      const position = before && { seq: before.seq, index: before.index }
      const found = await objects
        .getByName(nameOf(day))
        .read({ key, operation, ...range, before: position, limit: limit - rows.length })
      rows.push(...found.rows.map((row) => entryOf(day.component, row)))
      before = found.next && { ...day, ...found.next }
      last = before ?? { ...day, seq: 0, index: 0 }
      if (++reads === maxReads || rows.length === limit) return { rows, next: last }
    } while (before)
  }
  return { rows }
}

const entryOf = (component: string, { at, ...row }: AuditBatch['rows'][number]): AuditEntry => ({
  at: new Date(at),
  component,
  key: row.key,
  operation: row.operation,
  object: row.object,
  request_id: row.request,
  status: row.status,
  address: row.address,
})

/** The objects from the cursor on, in the order of the list. */
const daysOf = (
  { db, auditDays }: AccessStore,
  { after, from, to, component }: Pick<AuditList, 'after' | 'from' | 'to' | 'component'>,
): Promise<Day[]> =>
  db
    .select()
    .from(auditDays)
    .where(
      and(
        component === undefined ? undefined : eq(auditDays.component, component),
        from && gte(auditDays.date, dateOf(from)),
        to && lte(auditDays.date, dateOf(to)),
        after &&
          or(
            lt(auditDays.date, after.date),
            and(eq(auditDays.date, after.date), gte(auditDays.component, after.component)),
          ),
      ),
    )
    .orderBy(desc(auditDays.date), asc(auditDays.component))
    .limit(maxReads)

/** Checks the whole log of a component and day. A day that is in the table, but has no rows, is invalid. */
export async function verifyAudit(
  { db, auditDays }: AccessStore,
  objects: AuditDays,
  { component, date }: AuditDayOf,
): Promise<AuditResult> {
  const name = nameOf({ component, date })
  const object = objects.getByName(name)
  let checked: ChainCheck = await object.check(name)
  while ('next' in checked) checked = await object.check(name, checked.next)
  const { result } = checked
  if (result.rows > 0) return result
  const stored = await db
    .select()
    .from(auditDays)
    .where(and(eq(auditDays.component, component), eq(auditDays.date, date)))
  return { ...result, valid: result.valid && stored.length === 0 }
}

/** Objects that one sweep deletes. */
const maxDeletions = 20

/** Deletes the log of days that are older than `AUDIT_RETENTION`. The table has those that are left for the next sweep. */
export async function sweepAudit(
  env: Pick<Env, 'AUDIT_DAY' | 'AUDIT_RETENTION'> & DatabaseEnv,
  now: Date,
): Promise<void> {
  const { db, auditDays } = open(env, schema)
  const first = dateOf(new Date(now.getTime() - retentionDays(env.AUDIT_RETENTION) * dayMs))
  const old = await db
    .select()
    .from(auditDays)
    .where(lt(auditDays.date, first))
    .orderBy(asc(auditDays.date))
    .limit(maxDeletions)
  for (const day of old) {
    await env.AUDIT_DAY.getByName(nameOf(day)).clear()
    await db.delete(auditDays).where(and(eq(auditDays.component, day.component), eq(auditDays.date, day.date)))
  }
}

function retentionDays(retention = ''): number {
  if (retention === '') return 90
  if (/^[1-9]\d{0,3}$/.test(retention)) return Number(retention)
  throw notConfigured('AUDIT_RETENTION must be a whole number of days between 1 and 9999.')
}
