import { addAttempts } from './attempts.ts'
import { createOperations } from './bulk-operations.ts'
import { addCallbacks } from './callbacks.ts'
import { createCounts } from './counts.ts'
import { addFlowKey, addPriority } from './due-rows.ts'
import { createHolds } from './holds.ts'
import { createKeys } from './idempotency-keys.ts'
import { addKeyStates } from './key-states.ts'
import { addLabels } from './labels.ts'
import { createJournal } from './ready-queue.ts'
import { createRemovals } from './retention.ts'
import { addScheduleControls } from './schedules.ts'
import { addExpiry, addRequestId, createTables } from './tables.ts'

/** Migrations of a backlog's tables. Append only. */
export const migrations = [
  createTables,
  createJournal,
  createKeys,
  addExpiry,
  addRequestId,
  addFlowKey,
  createHolds,
  createCounts,
  createRemovals,
  addLabels,
  addAttempts,
  createOperations,
  addCallbacks,
  addPriority,
  addKeyStates,
  addScheduleControls,
]
