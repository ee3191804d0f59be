import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'

// Pages of rows with large texts: a page is limited to 8 MB, so that it fits into the memory of an isolate.

/** Maximum total size of the texts of a page. */
const maxPageBytes = 8_000_000

/** D1 binds at most 100 parameters per statement. */
const idsPerStatement = 90

/** SQL for the total size of a row's texts in bytes. Neither database reads the texts for it. */
export const sizeOf = (...columns: SQLWrapper[]): SQL<number> =>
  sql`${sql.join(
    columns.map((column) => sql`coalesce(octet_length(${column}), 0)`),
    sql` + `,
  )}`.mapWith(Number)

/** The size at which `limit` rows fill a page, in bytes. */
const shareOf = (limit: number) => Math.floor(maxPageBytes / limit)

/**
 * SQL for a text of a row that is at most its share of the page, else NULL. The first query of a page can so never exceed the
 * maximum; `fillPage` reads the larger rows.
 */
export const textIfFits = (size: SQL<number>, limit: number, text: SQLWrapper) =>
  sql<string | null>`CASE WHEN ${size} <= ${shareOf(limit)} THEN ${text} END`

interface Sized {
  id: number
  size: number
}

/**
 * Completes a page whose texts were selected with `textIfFits`. Rows larger than their share are read by id; rows deleted
 * meanwhile are left out. A page over the maximum size is cut, but has at least one row.
 */
export async function fillPage<Row extends Sized>(
  rows: Row[],
  limit: number,
  readWhole: (ids: number[]) => Promise<Row[]>,
): Promise<{ rows: Row[]; isCut: boolean }> {
  let bytes = 0
  const fitting = rows.filter(({ size }) => {
    const fits = bytes < maxPageBytes
    bytes += size
    return fits
  })
  const isCut = fitting.length < rows.length
  const large = fitting.filter(({ size }) => size > shareOf(limit)).map(({ id }) => id)
  if (large.length === 0) return { rows: fitting, isCut }
  const whole = new Map<number, Row>()
  for (const ids of chunksOf(large, idsPerStatement)) for (const row of await readWhole(ids)) whole.set(row.id, row)
  return { rows: fitting.flatMap((row) => (row.size > shareOf(limit) ? (whole.get(row.id) ?? []) : row)), isCut }
}
