import * as z from 'zod'
import { count, JsonObject, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'

const WorkerName = text(64).regex(/^\w[\w.-]*$/, 'Must be letters, digits, _, . and -, the first one no . or -')

const token = /^[\w!#$%&'*+.^`|~-]+$/

// A proxy's business, and two that only tell what was sent.
const refused = new Set(['CONNECT', 'TRACE', 'TRACK'])
const Method = text(32)
  .regex(token, 'Must be an HTTP method')
  .refine((method) => !refused.has(method.toUpperCase()), 'Must not be CONNECT, TRACE or TRACK')

// Those of a connection are the queue's own, as are those that say which task it is.
const ownHeaders =
  /^(host|connection|content-length|transfer-encoding|upgrade|keep-alive|te|trailer|expect|x-task-id|x-task-attempt)$/i
const headersBytes = 16_384

// ASCII: of anything else every way of sending makes something else.
const isSendable = (headers: Record<string, string>) =>
  Object.entries(headers).every(([name, value]) => token.test(name) && /^[\t\x20-\x7e]*$/.test(value))
const isOwn = (headers: Record<string, string>) => Object.keys(headers).some((name) => ownHeaders.test(name))

const Headers = z
  .record(z.string(), z.string())
  .refine(isSendable, 'Must have names and values that HTTP allows')
  .refine((headers) => !isOwn(headers), 'Must not have headers of the connection, X-Task-Id or X-Task-Attempt')
  .refine((headers) => JSON.stringify(headers).length <= headersBytes, `Must have at most ${headersBytes} bytes`)

const longestDelay = 315_360_000

/** What is asked of whom, and how. */
const Request = z.object({
  worker: WorkerName.describe('The worker that makes the request'),
  key: text(255)
    .min(1)
    .optional()
    .describe(
      'Flow key: the tenant, host or collection that the task belongs to. Due tasks of different keys take turns, and a worker may limit how many of one key run at a time. 1 to 255 characters',
    ),
  url: text(2_000).describe(
    'http or https. Up to five redirects are followed; one that would drop the body (301, 302 or 303) fails as `redirected`',
  ),
  method: Method.default('POST'),
  json: JsonObject.optional().describe('Sent as the JSON body, with GET too'),
  headers: Headers.optional(),
  secret_headers: Headers.optional().describe('Encrypted at rest, in no listing, gone when the task ends'),
  query_string: z
    .union([text(2_000), z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))])
    .optional()
    .describe('Appended to the URL: text, or an object of its parameters'),
  delay: z.number().min(0).max(longestDelay).optional().describe('Seconds from now'),
  datetime: Time.optional().describe('Not before this time; one in the past is now. Without delay'),
  timeout: z.number().min(0.1).max(900).default(30).describe('Seconds until the end of the answer'),
  sleep: z.int().min(0).max(3_600_000).default(0).describe('Milliseconds that the daemon pauses after it'),
  retries: z
    .int()
    .min(0)
    .max(1000)
    .default(0)
    .describe(
      'How often the request is made again while it is not answered with 2xx; with none it is made at most once',
    ),
  retry_delay: z
    .number()
    .min(0)
    .max(86_400)
    .default(10)
    .describe(
      'Seconds before the first repeat, twice as long before each next one up to an hour, up to half of it less at random',
    ),
  confidential: z
    .boolean()
    .default(false)
    .describe('The body is encrypted at rest, in no listing, and deleted when the task ends'),
})

export const NewTask = Request.extend({
  body: text(1_000_000).optional().describe('Sent as it is, in place of json'),
  expires: z
    .number()
    .min(1)
    .max(longestDelay)
    .optional()
    .describe(
      'Seconds from when it is due after which its request is not made any more: it has failed then, as `expired`',
    ),
  schedule: WorkerName.optional().describe('With cron: the name of the schedule, which is set or replaced'),
  cron: text(200).optional().describe('The task is made anew at each of these times, 5 or 6 fields; with schedule'),
  timezone: text(64).default('UTC').describe('IANA name of the time zone that cron is read in'),
})
export type NewTask = z.output<typeof NewTask>

// Far enough from where integers stop being exact that no sum of two of them gets there.
const Bound = z.int().min(-1e15).max(1e15)

export const NewFraction = Request.extend({
  min: Bound.describe('The first item'),
  max: Bound.describe('The last item'),
  gap: z.int().min(1).max(1e15).describe('How many items one piece has'),
})
export type NewFraction = z.output<typeof NewFraction>

export const TaskState = z.enum(['waiting', 'running', 'done', 'failed', 'lost', 'canceled'])
export type TaskState = z.output<typeof TaskState>

const Kind = z.enum(['task', 'fraction'])

const Piece = z.object({
  min: z.int(),
  max: z.int(),
  state: z.enum(['failed', 'lost']),
  attempts: z.int(),
  status: z.int().nullable(),
  error: z.string().nullable(),
})

export const Task = z.object({
  id: z.string(),
  worker: z.string(),
  kind: Kind,
  state: TaskState,
  method: z.string(),
  url: z.string().describe('Without its query'),
  due_at: Time,
  expires_at: Time.nullable().describe('When its request is not made any more'),
  created_at: Time,
  started_at: Time.nullable().describe('When the last request was made'),
  ended_at: Time.nullable(),
  attempts: z.int().describe('Requests made so far; of a fraction, pieces taken'),
  retries: z.int(),
  status: z.int().nullable().describe('Of the last answer'),
  error: z
    .enum([
      'unreachable',
      'interrupted',
      'timeout',
      'redirected',
      'refused',
      'query_too_long',
      'unreadable',
      'lost',
      'expired',
    ])
    .nullable()
    .describe(
      'Why there was no last answer. unreachable: no connection, the request was not sent; only reported on a local start. interrupted: the connection broke off, so whether the request arrived is unknown. timeout: no answer in time, unknown too. redirected: a 301, 302 or 303 would have dropped the body, or there were more than five redirects. refused: a redirect led to an address that is not allowed. query_too_long, unreadable: not sent. lost: the queue was cut off meanwhile. expired: not sent in time',
    ),
  schedule: z.string().nullable(),
  key: z.string().nullable().describe('The flow key that the task was created with'),
  request_id: z.string().nullable().describe('The `X-Request-Id` of the request that it came with'),
  fraction: z
    .object({
      min: z.int(),
      max: z.int(),
      gap: z.int(),
      next: z.int().nullable().describe('Where the next piece begins'),
      pieces: z.object({ total: z.int(), done: z.int(), failed: z.int(), lost: z.int() }),
    })
    .nullable(),
})
export type Task = z.output<typeof Task>
export type TaskError = NonNullable<Task['error']>

/** One task with what a list leaves out. */
export const TaskInFull = Task.extend({
  unhappy_pieces: z
    .array(Piece)
    .optional()
    .describe('Of a fraction: the pieces that failed or were lost, 1 000 at most'),
})

export const TaskOf = z.object({ id: text(100) })

export const TaskFilter = z.object({
  worker: WorkerName,
  state: TaskState.optional(),
  kind: Kind.optional(),
  schedule: WorkerName.optional(),
  count,
  ...paging(),
})
export type TaskFilter = z.output<typeof TaskFilter>

export const WorkerOf = z.object({ worker: WorkerName })

export const Worker = z.object({
  name: z.string(),
  daemons: z.int(),
  per_key: z
    .object({ concurrency: z.int().describe('Tasks of one flow key that run at a time') })
    .nullable()
    .describe('The limits of each flow key; null if the worker has none'),
  depth: z.int().describe('Tasks that wait, due or not'),
  due: z.int().describe('Those of them that are due; of more than 100 000, as they were some seconds ago'),
  running: z.int().describe('Requests under way'),
  oldest_due_at: Time.nullable(),
  rate: z.number().describe('Requests ended each second, over the last minute'),
  is_paused: z.boolean(),
})
export type Worker = z.output<typeof Worker>

export const Schedule = z.object({
  name: z.string(),
  worker: z.string(),
  cron: z.string(),
  timezone: z.string(),
  next_at: Time.nullable().describe('None where the times are over'),
})
export type Schedule = z.output<typeof Schedule>

export const ScheduleOf = z.object({ worker: WorkerName, name: WorkerName })

/** A task or a fraction that was created. */
export const Created = z.object({ id: z.string() })

const Daemons = z.int().min(1).max(1000)
const Concurrency = z.int().min(1).max(100)

/** The variable QUEUE_WORKERS. */
export const QueueWorkers = z.record(
  WorkerName,
  z.union([
    Daemons,
    z.strictObject({ daemons: Daemons, per_key: z.strictObject({ concurrency: Concurrency }).optional() }),
  ]),
)
