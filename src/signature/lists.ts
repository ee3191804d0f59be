// Lists signatures and versions. A page ends before it exceeds a size limit, and large pages are streamed.
import { and, count, desc, eq, getTableColumns, lte, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'
import { open, rowsOf } from '#core/db/open'
import { sizeOf } from '#core/db/page'
import { streamBase64 } from './base64-stream.ts'
import type { Env } from './bindings.ts'
import type { SignatureFilter, VersionsListing } from './contract.ts'
import { missingSignature } from './errors.ts'
import { countOf, pageOf } from './list-filter.ts'
import { type SignatureStore, schema } from './schema.ts'
import { isRecord } from './versions.ts'

/** Maximum size of a page in bytes: of signatures with their signed data, and of versions without it. */
const maxPageBytes = { signatures: 32_000_000, versions: 8_000_000 }

/**
 * Maximum number of bytes of a page that are read in one query and held in memory. Signed data beyond is read later, while the
 * reply is sent.
 */
export const maxBufferedBytes = 8_000_000

/**
 * Reads a page of records that match a filter, with their newest versions, the newest first. `total` is the size of the page in
 * bytes up to and including a row. Rows beyond `maxBufferedBytes` have a null `signature`, and their signed data is read later.
 */
async function listRecords(store: SignatureStore, filter: SignatureFilter) {
  const { db, records, versions } = store
  const isNewest = and(eq(versions.record_id, records.id), eq(versions.version, records.version))
  const { signers, tags, version_comment, size } = versions
  const weight = sql`${size} * 4 / 3 + ${sizeOf(signers, tags, version_comment)} + 1000`
  const sized = db
    .select({ id: sql<number>`${records.id}`.as('sized_id'), ...runningTotals(weight, records.id) })
    .from(records)
    .innerJoin(sql`(${pageOf(store, filter)}) p`, sql`p.id = ${records.id}`)
    .innerJoin(versions, isNewest)
    .as('sized')
  const rows = db
    .select({
      ...getTableColumns(records),
      ...getTableColumns(versions),
      signature: sql<string | null>`CASE WHEN ${sized.total} < ${maxBufferedBytes} THEN ${versions.signature} END`,
      ...{ total: sized.total, found: sized.found },
    })
    .from(sized)
    .innerJoin(records, eq(records.id, sized.id))
    .innerJoin(versions, isNewest)
    .where(lte(sized.total, maxPageBytes.signatures))
    .orderBy(desc(records.id))
  const [page, nb_results] = await Promise.all([
    rows,
    filter.count ? countAll(store, countOf(store, filter)) : undefined,
  ])
  return { rows: page, ...nextOffset(page, filter.offset), ...(nb_results !== undefined && { nb_results }) }
}

/**
 * SQL window functions over a page in descending order of a column: `total` is the number of bytes up to each row, `found` the
 * number of rows.
 */
const runningTotals = (weight: SQL, column: SQLWrapper) => ({
  total: sql<number>`sum(${weight}) OVER (ORDER BY ${column} DESC ROWS UNBOUNDED PRECEDING)`
    .mapWith(Number)
    .as('total'),
  found: sql<number>`count(*) OVER ()`.mapWith(Number).as('found'),
})

/**
 * Returns `next_offset` if a page was cut because of its size, so that the client continues with the first row that was cut off.
 */
const nextOffset = (page: { found: number }[], offset: number) =>
  page[0] && page.length < page[0].found ? { next_offset: offset + page.length } : {}

const countAll = async ({ run }: SignatureStore, query: SQL) => Number(rowsOf<{ n: unknown }>(await run(query))[0]!.n)

/** Reads a page of a signature's versions, the newest first. Throws 404 if there is no such signature. */
export async function listVersions(
  store: SignatureStore,
  { limit, offset, count: isCounted, ...signature }: VersionsListing,
) {
  const { db, records, versions } = store
  const [record] = await db.select({ id: records.id }).from(records).where(isRecord(store, signature))
  if (!record) throw missingSignature(signature)
  const ofRecord = eq(versions.record_id, record.id)
  const { signature: _signature, object, record_id, ...columns } = getTableColumns(versions)
  const all = db.select(columns).from(versions).where(ofRecord)
  const pageRows = all.orderBy(desc(versions.version)).limit(limit).offset(offset).as('asked')
  const weight = sql`${sizeOf(pageRows.signers, pageRows.tags, pageRows.version_comment)} + 1000`
  const sized = db
    .select({ ...pageRows._.selectedFields, ...runningTotals(weight, pageRows.version) })
    .from(pageRows)
    .as('sized')
  const [page, [counted]] = await Promise.all([
    db.select().from(sized).where(lte(sized.total, maxPageBytes.versions)).orderBy(desc(sized.version)),
    isCounted ? db.select({ nb_results: count() }).from(versions).where(ofRecord) : [],
  ])
  return { versions: page, ...nextOffset(page, offset), ...counted }
}

type Row = Awaited<ReturnType<typeof listRecords>>['rows'][number]

/**
 * Reads a page of signatures: an iterator of the signatures, the other keys of the reply, and the size of the page in bytes (or
 * slightly more).
 */
export async function readPage(env: Env, filter: SignatureFilter) {
  const store = open(env, schema)
  const { rows, ...rest } = await listRecords(store, filter)
  return { signatures: readRows(env, store, rows), rest, size: rows.at(-1)?.total ?? 0 }
}

/**
 * Yields the rows with their signed data, which is read from the database or R2 when its row is due. Skips rows that were deleted
 * in the meantime.
 */
async function* readRows(env: Env, store: SignatureStore, rows: Row[]) {
  for (const group of Map.groupBy(rows, ({ total }) => Math.floor(total / maxBufferedBytes)).values()) {
    const texts = await readTexts(
      store,
      group.filter(({ signature, object }) => signature === null && object === null),
    )
    for (const row of group) {
      const object = row.object === null ? null : await env.FILES.get(row.object)
      const signature = row.signature ?? texts.get(row.id) ?? (object && streamBase64(object.body))
      if (signature) yield { ...row, ...legacyKeys(row), signature }
    }
  }
}

/** Returns the keys `chain`, `stage` and `parent`, which repeat `thread` and `version`. Only the list has them. */
const legacyKeys = ({ thread, version }: Row) => ({
  chain: thread,
  stage: String(version),
  parent: version > 1 ? version - 1 : null,
})

/** Maximum number of versions in a statement. Each takes two parameters, and D1 allows 100. */
const versionsPerStatement = 45

/** Reads the signed data of rows from the database. The result is a map by the ids of the records. */
async function readTexts({ db, versions }: SignatureStore, rows: Row[]): Promise<Map<number, string | null>> {
  const { record_id: id, version, signature } = versions
  const texts = new Map<number, string | null>()
  for (const chunk of chunksOf(rows, versionsPerStatement)) {
    const isOne = or(...chunk.map((row) => and(eq(id, row.id), eq(version, row.version))))
    for (const row of await db.select({ id, signature }).from(versions).where(isOne)) texts.set(row.id, row.signature)
  }
  return texts
}
