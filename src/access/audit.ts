// The audit log: one object for each component and UTC day, and a table of these objects.
import { and, asc, desc, eq, gte, isNull, lt, lte, or } from 'drizzle-orm'
import type { AuditBatch } from '#core/access/access-service'
import { type DatabaseEnv, open } from '#core/db/open'
import { notConfigured } from '#core/failure'
import type { AuditDay, AuditResult, ChainCheck, ChainLink } from './audit-day.ts'
import type { Env } from './bindings.ts'
import type { AuditCursor, AuditDayOf, AuditEntry, AuditList } from './contract.ts'
import { type AccessStore, schema } from './schema.ts'

type AuditDays = DurableObjectNamespace<AuditDay>

type Day = { component: string; date: string }

const nameOf = ({ component, date }: Day) => `${component}/${date}`

const dateOf = (at: Date) => at.toISOString().slice(0, 10)

const dayMs = 86_400_000

/** Time after which the end of a chain that grows is stored in the table again. */
const anchorIntervalMs = 600_000

/**
 * Stores a batch. The table gets the end of the object's chain with the first batch that this isolate stores, and then every ten minutes,
 * so that an object that is emptied and begins a new chain is found. `anchored` has the time of the last anchor of each object.
 */
export async function storeBatch(
  store: AccessStore,
  objects: AuditDays,
  anchored: Map<string, number>,
  component: string,
  batch: AuditBatch,
): Promise<void> {
  const { db, auditDays } = store
  const day = { component, date: batch.date }
  const name = nameOf(day)
  const anchoredAt = anchored.get(name)
  // Before the object: rows of an object that the table does not have are neither listed nor deleted.
  if (anchoredAt === undefined) await db.insert(auditDays).values(day).onConflictDoNothing()
  const head = await objects.getByName(name).add(name, batch)
  const now = Date.now()
  if (anchoredAt !== undefined && now - anchoredAt < anchorIntervalMs) return
  await anchor(store, objects, day, head)
  if (anchoredAt === undefined) await anchorPrevious(store, objects, day)
  anchored.set(name, now)
}

/**
 * Stores the end of a chain. The chain must have the batch that is stored: else the log was replaced, and the stored one stays, so that
 * `verifyAudit` finds this.
 */
async function anchor(store: AccessStore, objects: AuditDays, day: Day, { seq, hash }: ChainLink): Promise<void> {
  const { db, auditDays } = store
  const known = await anchorOf(store, day)
  if (known.anchor && !(await objects.getByName(nameOf(day)).has(known.anchor))) return
  await db
    .insert(auditDays)
    .values({ ...day, anchor_seq: seq, anchor_hash: hash })
    .onConflictDoUpdate({
      target: [auditDays.date, auditDays.component],
      set: { anchor_seq: seq, anchor_hash: hash },
      // Another isolate may have stored a later one meanwhile.
      setWhere: known.anchor ? eq(auditDays.anchor_seq, known.anchor.seq) : isNull(auditDays.anchor_seq),
    })
}

/** Whether a day is in the table, and the batch that its log must have. Unknown for days of earlier versions. */
async function anchorOf({ db, auditDays }: AccessStore, { component, date }: Day) {
  const [stored] = await db
    .select()
    .from(auditDays)
    .where(and(eq(auditDays.component, component), eq(auditDays.date, date)))
  const { anchor_seq: seq, anchor_hash: hash } = stored ?? {}
  return { isStored: stored !== undefined, anchor: seq && hash ? { seq, hash } : undefined }
}

/** Stores where the chain of the component's day before has ended. */
async function anchorPrevious(store: AccessStore, objects: AuditDays, { component, date }: Day): Promise<void> {
  const { db, auditDays } = store
  const [previous] = await db
    .select()
    .from(auditDays)
    .where(and(eq(auditDays.component, component), lt(auditDays.date, date)))
    .orderBy(desc(auditDays.date))
    .limit(1)
  const head = previous && (await objects.getByName(nameOf(previous)).head())
  if (head) await anchor(store, objects, previous, head)
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

/**
 * Checks the whole log of a component and day. A day that is in the table, but has no rows, is invalid, and so is one without the batch
 * that the table names.
 */
export async function verifyAudit(
  store: AccessStore,
  objects: AuditDays,
  { component, date }: AuditDayOf,
): Promise<AuditResult> {
  const name = nameOf({ component, date })
  // Before the chain, which may grow meanwhile.
  const { isStored, anchor } = await anchorOf(store, { component, date })
  const object = objects.getByName(name)
  let checked: ChainCheck = await object.check(name, anchor)
  while ('next' in checked) checked = await object.check(name, anchor, checked.next)
  const { result } = checked
  return { ...result, valid: result.valid && (result.rows > 0 || !isStored) }
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
