// Schemas of workers: the parameters of their endpoints, their replies, and the variable with presets.
import * as z from 'zod'
import { Time } from '#core/http/time'
import { harmless } from '#core/http/validation-messages'
import { WorkerName } from './fields.ts'
import { Concurrency, Daemons, shownSettings, WorkerSettings } from './settings.ts'

/** Schema of the variable QUEUE_WORKERS: by worker name, the number of daemons, or an object that may also limit each flow key. */
export const QueueWorkers = z.record(
  WorkerName,
  z.union([
    Daemons,
    z.strictObject({ daemons: Daemons, per_key: z.strictObject({ concurrency: Concurrency }).optional() }),
  ]),
)

const Name = WorkerName.describe('Name of the worker: 1 to 64 letters, digits, `_`, `.` and `-`')

export const NewWorker = z.object({ name: Name, ...WorkerSettings.shape })
export type NewWorker = z.output<typeof NewWorker>

export const WorkerNamed = z.object({ name: Name })

export const WorkerToDelete = z.object({
  name: Name,
  force: z
    .boolean()
    .default(false)
    .describe('Whether to delete waiting tasks and schedules too, and to abort running requests. Default: false'),
})
export type WorkerToDelete = z.output<typeof WorkerToDelete>

export const WorkerPage = z.object({
  after: z
    .string()
    .max(64)
    .default('')
    .describe('Exclusive cursor: list the workers after this name. Default: from the first'),
  limit: harmless(z.int().min(1).max(500)).default(500).describe('Maximum number of workers, 1 to 500'),
})
export type WorkerPage = z.output<typeof WorkerPage>

export const NextWorker = z
  .string()
  .nullable()
  .describe('Cursor of the next page, to be passed as `after`; null on the last page')

export const Worker = z.object({
  name: z.string().describe('Name of the worker'),
  ...shownSettings,
  depth: z.int().describe('Number of waiting tasks, due or not; pieces that wait for a retry are included'),
  due: z.int().describe('Number of waiting tasks that are due. Above 100 000 the number may be some seconds old'),
  running: z.int().describe('Number of requests that are being sent'),
  oldest_due_at: Time.nullable().describe('Due time of the oldest task that is due; null if none is'),
  rate: z.number().describe('Requests that ended per second, averaged over the last minute'),
  is_paused: z.boolean().describe('Whether the worker is paused and starts no tasks'),
})
export type Worker = z.output<typeof Worker>

const PausedKey = z.object({
  key: z.string().describe('Flow key'),
  until: Time.describe('Time until which no task of the key starts; UTC'),
  failures: z
    .int()
    .describe(
      'Number of consecutive failures of its requests. From the fifth on, its circuit is open: one task at a time probes the target',
    ),
})

/** A worker in the reply of `GET /worker`. */
export const WorkerDetails = Worker.extend({
  paused_keys: z
    .array(PausedKey)
    .describe(
      'Flow keys that are paused by a `Retry-After`, a rate limit or an open circuit, at most 100, those that are paused for the longest time first',
    ),
})
export type WorkerDetails = z.output<typeof WorkerDetails>
