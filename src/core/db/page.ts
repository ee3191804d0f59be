import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The most that the texts of a page have together, in bytes: what an isolate can hold several times over. */
const pageBytes = 8_000_000

/** How many bytes the texts of a row have; neither database reads them for that. */
export const bytesOf = (...columns: SQLWrapper[]): SQL.Aliased<number> =>
  sql<number>`${sql.join(
    columns.map((column) => sql`coalesce(octet_length(${column}), 0)`),
    sql` + `,
  )}`.as('size')

/**
 * The ids of a page, of which `page` selects `id` and `size`, up to where its rows come to more than a page may have; the
 * first is always among them.
 */
export const withinBytes = (page: SQLWrapper, order: 'asc' | 'desc') => sql`(
  SELECT id FROM (
    SELECT id, sum(size) OVER (ORDER BY id ${sql.raw(order)} ROWS UNBOUNDED PRECEDING) - size AS before FROM (${page}) p
  ) q WHERE before < ${pageBytes}
)`

/** Whether a page can have been cut: it is short, and what it has comes near to what a page may have. */
export const mayBeCut = (rows: object[], limit: number) =>
  rows.length < limit && rows.reduce((units, row) => units + unitsOf(row), 0) * bytesPerUnit > pageBytes

/** UTF-8 has at most three bytes for a UTF-16 unit. */
const bytesPerUnit = 3

const unitsOf = (row: object) =>
  Object.values(row).reduce<number>((units, value) => units + (typeof value === 'string' ? value.length : 0), 0)
