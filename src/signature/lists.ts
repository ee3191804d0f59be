import { and, count, desc, eq, getTableColumns, lte, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'
import { open, rowsOf } from '#core/db/open'
import { sizeOf } from '#core/db/page'
import { base64In } from './base64-stream.ts'
import type { Env } from './bindings.ts'
import type { SignatureFilter, VersionsListing } from './contract.ts'
import { missingSignature } from './errors.ts'
import { countOf, pageOf } from './list-filter.ts'
import { type SignatureStore, schema } from './schema.ts'
import { isRecord } from './versions.ts'

/** Bytes of a page of signatures, and of one without them. */
const mostBytes = { signatures: 32_000_000, versions: 8_000_000 }

/** Bytes of a page that are read at once. */
export const readAtOnce = 8_000_000

/**
 * A page of the records that a filter chooses with their newest versions, the newest first. `total` are the bytes of the page
 * up to a row; past `readAtOnce` rows come without their signature.
 */
async function listRecords(store: SignatureStore, filter: SignatureFilter) {
  const { db, records, versions } = store
  const isNewest = and(eq(versions.record_id, records.id), eq(versions.version, records.version))
  const { signers, tags, version_comment, size } = versions
  const weight = sql`${size} * 4 / 3 + ${sizeOf(signers, tags, version_comment)} + 1000`
  const sized = db
    .select({ id: sql<number>`${records.id}`.as('sized_id'), ...running(weight, records.id) })
    .from(records)
    .innerJoin(sql`(${pageOf(store, filter)}) p`, sql`p.id = ${records.id}`)
    .innerJoin(versions, isNewest)
    .as('sized')
  const rows = db
    .select({
      ...getTableColumns(records),
      ...getTableColumns(versions),
      signature: sql<string | null>`CASE WHEN ${sized.total} < ${readAtOnce} THEN ${versions.signature} END`,
      ...{ total: sized.total, found: sized.found },
    })
    .from(sized)
    .innerJoin(records, eq(records.id, sized.id))
    .innerJoin(versions, isNewest)
    .where(lte(sized.total, mostBytes.signatures))
    .orderBy(desc(records.id))
  const [page, nb_results] = await Promise.all([
    rows,
    filter.count ? countAll(store, countOf(store, filter)) : undefined,
  ])
  return { rows: page, ...rest(page, filter.offset), ...(nb_results !== undefined && { nb_results }) }
}

/** For each row of a page in descending order of a column: the bytes up to it, and how many rows there are. */
const running = (weight: SQL, column: SQLWrapper) => ({
  total: sql<number>`sum(${weight}) OVER (ORDER BY ${column} DESC ROWS UNBOUNDED PRECEDING)`
    .mapWith(Number)
    .as('total'),
  found: sql<number>`count(*) OVER ()`.mapWith(Number).as('found'),
})

/** Where to go on after a page that was cut. */
const rest = (page: { found: number }[], offset: number) =>
  page[0] && page.length < page[0].found ? { next_offset: offset + page.length } : {}

const countAll = async ({ run }: SignatureStore, query: SQL) => Number(rowsOf<{ n: unknown }>(await run(query))[0]!.n)

/** A page of a record's versions, the newest first; 404 where there is no such record. */
export async function listVersions(
  store: SignatureStore,
  { limit, offset, count: isCounted, ...given }: VersionsListing,
) {
  const { db, records, versions } = store
  const [record] = await db.select({ id: records.id }).from(records).where(isRecord(store, given))
  if (!record) throw missingSignature(given)
  const ofRecord = eq(versions.record_id, record.id)
  const { signature, object, record_id, ...shown } = getTableColumns(versions)
  const all = db.select(shown).from(versions).where(ofRecord)
  const asked = all.orderBy(desc(versions.version)).limit(limit).offset(offset).as('asked')
  const weight = sql`${sizeOf(asked.signers, asked.tags, asked.version_comment)} + 1000`
  const sized = db
    .select({ ...asked._.selectedFields, ...running(weight, asked.version) })
    .from(asked)
    .as('sized')
  const [page, [counted]] = await Promise.all([
    db.select().from(sized).where(lte(sized.total, mostBytes.versions)).orderBy(desc(sized.version)),
    isCounted ? db.select({ nb_results: count() }).from(versions).where(ofRecord) : [],
  ])
  return { versions: page, ...rest(page, offset), ...counted }
}

type Row = Awaited<ReturnType<typeof listRecords>>['rows'][number]

/** A page of signatures by their newest versions, what stands beside them, and how many bytes they have, or a few more. */
export async function readPage(env: Env, filter: SignatureFilter) {
  const store = open(env, schema)
  const { rows, ...rest } = await listRecords(store, filter)
  return { signatures: readRows(env, store, rows), rest, size: rows.at(-1)?.total ?? 0 }
}

/** The rows as they are listed, read as they are asked for. One that is deleted meanwhile is left out. */
async function* readRows(env: Env, store: SignatureStore, rows: Row[]) {
  for (const group of Map.groupBy(rows, ({ total }) => Math.floor(total / readAtOnce)).values()) {
    const texts = await readTexts(
      store,
      group.filter(({ signature, object }) => signature === null && object === null),
    )
    for (const row of group) {
      const object = row.object === null ? null : await env.FILES.get(row.object)
      const signature = row.signature ?? texts.get(row.id) ?? (object && base64In(object.body))
      if (signature) yield { ...row, ...placeOf(row), signature }
    }
  }
}

const placeOf = ({ thread, version }: Row) => ({
  chain: thread,
  stage: String(version),
  parent: version > 1 ? version - 1 : null,
})

/** D1 binds 100 parameters to a statement. */
const versionsPerStatement = 45

/** The signatures that rows have, by the ids of their records. */
async function readTexts({ db, versions }: SignatureStore, rows: Row[]): Promise<Map<number, string | null>> {
  const { record_id: id, version, signature } = versions
  const texts = new Map<number, string | null>()
  for (const chunk of chunksOf(rows, versionsPerStatement)) {
    const isOne = or(...chunk.map((row) => and(eq(id, row.id), eq(version, row.version))))
    for (const row of await db.select({ id, signature }).from(versions).where(isOne)) texts.set(row.id, row.signature)
  }
  return texts
}
