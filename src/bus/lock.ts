// Advisory locks for batches of statements on Postgres, so that readers of increasing ids skip none.
import { sql } from 'drizzle-orm'
import type { Bus } from './schema.ts'

/** Namespace of the bus's advisory locks ("bus" in ASCII), so that other users of a shared database do not take the same locks. */
const lockNamespace = 0x627573

/** Id of the lock of the replication log. The lock of a collection has the collection's id. */
export const changeLogLock = 0

/**
 * First statement of a batch: batches with the same lock run one after another (an advisory lock of the transaction). Postgres
 * assigns ids before it commits, so without the lock a reader could see a later id before an earlier one, and its cursor would
 * skip the earlier one. D1 has one writer and needs no lock.
 */
export const lockForBatch = (bus: Bus, id: number) =>
  bus.run(bus.dialect === 'd1' ? sql`SELECT 1` : sql`SELECT pg_advisory_xact_lock(${lockNamespace}, ${id})`)
