import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'

/** The most that the texts of a page have together, in bytes: what an isolate can hold several times over. */
const pageBytes = 8_000_000

/** D1 binds 100 parameters to a statement. */
const idsPerStatement = 90

/** How many bytes the texts of a row have; neither database reads them for that. */
export const sizeOf = (...columns: SQLWrapper[]): SQL<number> =>
  sql`${sql.join(
    columns.map((column) => sql`coalesce(octet_length(${column}), 0)`),
    sql` + `,
  )}`.mapWith(Number)

/** A row's share of a page of so many. */
const shareOf = (limit: number) => Math.floor(pageBytes / limit)

/** A text of a row that has no more than its share; without it a page has one query, whatever may be in it. */
export const textIfFits = (size: SQL<number>, limit: number, text: SQLWrapper) =>
  sql<string | null>`CASE WHEN ${size} <= ${shareOf(limit)} THEN ${text} END`

interface Sized {
  id: number
  size: number
}

/**
 * A page whose texts were selected by `within`, cut where it would be too large, though never to nothing. The rows that
 * have more than their share are read by their ids; one that is gone by then is left out.
 */
export async function fillPage<Row extends Sized>(
  rows: Row[],
  limit: number,
  readWhole: (ids: number[]) => Promise<Row[]>,
): Promise<{ rows: Row[]; isCut: boolean }> {
  let bytes = 0
  const fitting = rows.filter(({ size }) => {
    const fits = bytes < pageBytes
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
