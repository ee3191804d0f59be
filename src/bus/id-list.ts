// Passes a list of ids as one parameter, since D1 binds at most 100 parameters per statement.
import { sql } from 'drizzle-orm'
import type { Bus } from './schema.ts'

/** SQL: the numbers of a JSON array as rows. */
export const idsIn = ({ dialect }: Pick<Bus, 'dialect'>, json: string) =>
  dialect === 'd1'
    ? sql`SELECT value FROM json_each(${json})`
    : sql`SELECT CAST(value AS bigint) FROM json_array_elements_text(CAST(${json} AS json))`
