import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'

// Reads pages of rows with large texts. A page is limited to 8 MB of text, so that it fits into the 128 MB of an
// isolate.

/** Maximum total size of the texts of one page. Once the rows reach it, the page is cut. */
const maxPageBytes = 8_000_000

/**
 * Number of rows that `fillPage` reads with one statement. It is below 100, the maximum number of parameters of a D1
 * statement.
 */
const idsPerStatement = 90

/**
 * SQL for the total size of a row's texts in bytes. Both databases take it from the stored lengths, without reading the
 * texts.
 */
export const sizeOf = (...columns: SQLWrapper[]): SQL<number> =>
  sql`${sql.join(
    columns.map((column) => sql`coalesce(octet_length(${column}), 0)`),
    sql` + `,
  )}`.mapWith(Number)

/**
 * The size in bytes up to which a row is read with its page: with `limit` rows of this size, the page is exactly full.
 */
const shareOf = (limit: number) => Math.floor(maxPageBytes / limit)

/**
 * SQL that selects a text only if its row is at most the row's share of the page, else NULL. So the first query of a
 * page never exceeds the maximum size; `fillPage` reads the larger rows afterwards.
 */
export const textIfFits = (size: SQL<number>, limit: number, text: SQLWrapper) =>
  sql<string | null>`CASE WHEN ${size} <= ${shareOf(limit)} THEN ${text} END`

interface Sized {
  id: number
  size: number
}

/**
 * Completes a page whose texts were selected with `textIfFits`: reads the rows that were too large by id, and leaves
 * out rows that were deleted meanwhile. A page over the maximum size is cut (`isCut`), but has at least one row.
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
