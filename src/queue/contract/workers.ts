// Schema of the variable with the daemons and limits of each worker.
import * as z from 'zod'
import { WorkerName } from './fields.ts'

const Daemons = z.int().min(1).max(1000)
const Concurrency = z.int().min(1).max(100)

/** Schema of the variable QUEUE_WORKERS: by worker name, the number of daemons, or an object that may also limit each flow key. */
export const QueueWorkers = z.record(
  WorkerName,
  z.union([
    Daemons,
    z.strictObject({ daemons: Daemons, per_key: z.strictObject({ concurrency: Concurrency }).optional() }),
  ]),
)
