import { sql } from 'drizzle-orm'
import type { Bus } from './schema.ts'

/** Sets the bus's locks apart from others of the same database. */
const space = 0x627573

/** The turn of who writes changes; those of collections have their ids. */
export const changesTurn = 0

/**
 * A statement for the beginning of a batch: the next one of this turn begins when this one is committed. Postgres gives
 * out ids before it commits, so that a later id could be seen before an earlier one, and who reads on from the last id
 * that was seen would never see the earlier one. D1 has one writer, and needs nothing.
 */
export const takeTurn = (bus: Bus, turn: number) =>
  bus.run(bus.dialect === 'd1' ? sql`SELECT 1` : sql`SELECT pg_advisory_xact_lock(${space}, ${turn})`)
