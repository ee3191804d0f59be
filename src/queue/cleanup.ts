// Deletes what a backlog no longer needs: old ended tasks and idempotency keys.
import { type QueueVariables, retentionOf } from './env.ts'
import { deleteOldKeys, nextKeyDeletion } from './idempotency-keys.ts'
import { deleteEnded, nextDeletion } from './retention.ts'
import type { ShardSettings } from './settings.ts'

/**
 * Size of the database, which has at most 10 GB, above which ended tasks are deleted early. `maxEndedTasks` also limits their number.
 */
const maxBytes = 8_000_000_000
const maxEndedTasks = 5_000_000

type Retention = Pick<ShardSettings, 'retentionMs' | 'maxEnded'>

const retentionMsOf = (env: QueueVariables, { retentionMs }: Retention) => retentionMs ?? retentionOf(env)

/** Deletes old tasks and keys in steps. Between two steps the object handles other work. */
export async function clean(env: QueueVariables, sql: SqlStorage, settings: Retention, now: number): Promise<void> {
  await deleteOldKeys(sql, now, maxBytes)
  const maxEnded = Math.min(settings.maxEnded ?? maxEndedTasks, maxEndedTasks)
  await deleteEnded(sql, { before: now - retentionMsOf(env, settings), maxEnded, maxBytes })
}

/** When the next ended task or idempotency key is to be deleted, in milliseconds since 1970. */
export const nextCleanup = (env: QueueVariables, sql: SqlStorage, settings: Retention): number =>
  Math.min(nextDeletion(sql, retentionMsOf(env, settings)), nextKeyDeletion(sql))
