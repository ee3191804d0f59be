// Schemas of the settings of a worker: the parameters of `PUT /worker`, and what replies show of them.
import * as z from 'zod'

export const Daemons = z.int().min(1).max(1000)
export const Concurrency = z.int().min(1).max(100)

const RateLimit = z
  .strictObject({
    limit: z.int().min(1).max(1_000_000).describe('Maximum number of requests that start in a period, 1 to 1000000'),
    period: z.number().min(0.1).max(86_400).describe('Length of a period in seconds, 0.1 to 86400'),
  })
  .describe(
    'Rate limit: at most `limit` requests start per `period` seconds. A period begins with the first request after the previous period. Default: no limit',
  )

const PerKey = z
  .strictObject({
    concurrency: Concurrency.optional().describe(
      'Maximum number of tasks of one flow key that run at a time, 1 to 100. Default: no limit',
    ),
    rate: RateLimit.optional(),
    order: z
      .boolean()
      .default(false)
      .describe(
        'Whether the tasks of a key run strictly one after the other, in the order of their due times: the next one starts when the previous one has ended, with all its retries',
      ),
  })
  .describe('Limits of each flow key. Default: none')

const Retention = z
  .strictObject({
    seconds: z
      .int()
      .min(1)
      .max(999_999_999)
      .optional()
      .describe('Seconds for which ended tasks are kept, 1 to 999999999. Default: QUEUE_RETENTION'),
    count: z
      .int()
      .min(0)
      .max(5_000_000)
      .optional()
      .describe('Maximum number of ended tasks that are kept, 0 to 5000000. Default: 5000000'),
  })
  .describe('How long ended tasks are kept. The oldest tasks that are done are deleted first')

const Serial = z
  .enum(['strict', 'resume'])
  .describe(
    'What a daemon does after a crash that interrupted its request. strict: waits until the deadline of the request (its start plus its `timeout`). resume: takes the next task at once. Default: strict for one daemon, else resume',
  )

const maxShards = 64
const Shards = z
  .int()
  .min(1)
  .max(maxShards)
  .describe(
    'Number of durable objects over which the tasks are spread by a hash of their key, 1 to 64. The daemons, the rate and the retention count are divided between them. Can be changed only while no task waits or runs and there is no schedule',
  )

const settings = {
  daemons: Daemons.describe('Number of daemons, the requests that the worker sends at a time, 1 to 1000'),
  per_key: PerKey.optional(),
  rate: RateLimit.optional(),
  serial: Serial.optional(),
  shards: Shards.default(1),
  retention: Retention.optional(),
}

/** The settings of a worker, as `PUT /worker` sets them and the registry stores them. */
export const WorkerSettings = z.object(settings)
export type WorkerSettings = z.output<typeof WorkerSettings>

/** The fields of a worker in replies that show its settings. */
export const shownSettings = {
  daemons: z.int().describe('Number of daemons: requests that the worker sends at a time'),
  per_key: z
    .object({
      concurrency: z.int().nullable().describe('Maximum number of tasks of one key that run at a time; null: no limit'),
      rate: RateLimit.nullable().describe('Rate limit of each key; null: none'),
      order: z.boolean().describe('Whether the tasks of a key run strictly one after the other'),
    })
    .nullable()
    .describe('Limits of each flow key; null if the worker has none'),
  rate_limit: RateLimit.nullable().describe('Rate limit of the worker, the `rate` of `PUT /worker`; null: none'),
  serial: Serial,
  shards: z.int().describe('Number of durable objects that the tasks are spread over'),
  retention: z
    .object({
      seconds: z.int().nullable().describe('Seconds for which ended tasks are kept; null: QUEUE_RETENTION'),
      count: z.int().nullable().describe('Maximum number of ended tasks that are kept; null: 5000000'),
    })
    .describe('How long ended tasks are kept'),
  source: z
    .enum(['built_in', 'variable', 'stored'])
    .describe('Where the settings come from: built in, from QUEUE_WORKERS, or stored by `PUT /worker`'),
}
