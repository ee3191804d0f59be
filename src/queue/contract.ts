// Schemas of the parameters and replies of the queue's API.
import * as z from 'zod'
import { count, JsonObject, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { harmless } from '#core/http/validation-messages'
import { Headers, isBase64, Label, Labels, Method, ScheduleName, TaskError, WorkerName } from './contract/fields.ts'

const maxDelaySeconds = 315_360_000

/** The parameters that a task and a fraction share. */
const Request = z.object({
  worker: WorkerName,
  key: text(255)
    .min(1)
    .optional()
    .describe(
      'Flow key: the tenant, host or collection that the task belongs to. Due tasks of different keys take turns, and a worker may limit how many of one key run at a time. 1 to 255 characters',
    ),
  priority: z
    .int()
    .min(0)
    .max(9)
    .default(5)
    .describe(
      'Priority, 0 to 9: of the due tasks, those with a higher one start first. Tasks of one key with different priorities do too, unless the worker has `per_key.order`. A low priority is never starved: it is passed over at most 16 times in a row',
    ),
  url: text(2_000).describe(
    'URL to send the request to: http or https, at most 2000 characters. Up to five redirects are followed; one that would drop the body (301, 302 or 303) fails the attempt as `redirected`',
  ),
  method: Method.default('POST').describe('HTTP method, any but CONNECT, TRACE and TRACK'),
  json: JsonObject.optional().describe(
    'Body as a JSON object, at most 1 MB, sent with `Content-Type: application/json`. Also the body of a GET',
  ),
  headers: Headers.optional().describe(
    'Request headers by name, at most 16 KB. Values are ASCII. Headers of the connection (such as Host and Content-Length), X-Task-Id, X-Task-Attempt, Webhook-Id, Webhook-Timestamp and Webhook-Signature are not allowed',
  ),
  secret_headers: Headers.optional().describe(
    'Request headers that are encrypted at rest, absent from every reply, and deleted when the task ends. A task that has them cannot be retried with `POST /task/retry`',
  ),
  query_string: z
    .union([text(2_000), z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))])
    .optional()
    .describe(
      'Query parameters that are appended to the URL: text such as `a=1&b=2`, at most 2000 characters, or an object of names and values',
    ),
  delay: z
    .number()
    .min(0)
    .max(maxDelaySeconds)
    .optional()
    .describe('Seconds until the task is due, 0 to 315360000 (10 years). Default: due now. Not with `datetime`'),
  datetime: Time.optional().describe('Time in UTC at which the task is due; a past time means now. Not with `delay`'),
  timeout: z
    .number()
    .min(0.1)
    .max(900)
    .default(30)
    .describe(
      'Seconds until the whole response of an attempt must have arrived, 0.1 to 900. Then the attempt fails as `timeout`',
    ),
  sleep: z
    .int()
    .min(0)
    .max(3_600_000)
    .default(0)
    .describe('Milliseconds that the daemon pauses after the request before its next one, 0 to 3600000'),
  retries: z
    .int()
    .min(0)
    .max(1000)
    .default(0)
    .describe(
      'Maximum number of retries after a response other than 2xx or an error, 0 to 1000. With 0, the request is sent at most once',
    ),
  retry_delay: z
    .number()
    .min(0)
    .max(86_400)
    .default(10)
    .describe(
      'Initial retry delay in seconds, 0 to 86400. Doubles after each failure, up to 1 hour or `retry_delay` if that is longer, with up to 50 % jitter. A longer `Retry-After` of the response is obeyed',
    ),
  labels: Labels.optional().describe(
    'Labels by which the task can be found, at most 8 of 1 to 64 characters each. Default: none',
  ),
  on_success: text(2_000)
    .optional()
    .describe(
      'URL that gets a POST with the result as JSON when the task is `done`: `{"task": {"id", "worker", "key", "labels", "state", "attempts", "status", "error"}}`. A separate task of the worker sends it, with 10 retries. Default: none',
    ),
  on_failure: text(2_000)
    .optional()
    .describe('URL that gets the same JSON when the task is `failed`, `lost` or `canceled`. Default: none'),
  confidential: z
    .boolean()
    .default(false)
    .describe(
      'Whether the body is encrypted at rest and deleted when the task ends. Such a task cannot be retried with `POST /task/retry`',
    ),
})

// Length of 1 000 000 bytes in base64.
const maxBase64Length = 1_333_336

export const NewTask = Request.extend({
  body: text(1_000_000)
    .optional()
    .describe('Body as text, at most 1 MB, sent unchanged. Set `content-type` in `headers`. Not with `json`'),
  body_base64: text(maxBase64Length)
    .refine(isBase64, 'Must be base64, padded and without line breaks')
    .optional()
    .describe(
      'Body as bytes in padded base64, at most 1 MB of bytes. Set `content-type` in `headers`. Not with `json` or `body`',
    ),
  expires: z
    .number()
    .min(1)
    .max(maxDelaySeconds)
    .optional()
    .describe(
      'Seconds after the due time until which the request may be sent, 1 to 315360000. A task that still waits then fails as `expired`. Default: no limit',
    ),
  service: text(64)
    .regex(/^[a-z][a-z0-9-]*$/, 'Must be the name of a component')
    .optional()
    .describe(
      'For components of this deployment: name of the component that `url` belongs to. Each request has a new service token for it, so that the task contains no credentials. Keys and tokens get 403 `forbidden`. Not with `schedule`',
    ),
  schedule: ScheduleName.optional().describe('Name of the schedule to create or replace. Required with `cron`'),
  cron: text(200)
    .optional()
    .describe(
      'Cron expression of 5 or 6 fields (the first of 6 is seconds). A task is created at each of its times. Required with `schedule`; not with `delay` or `datetime`',
    ),
  overlap: z
    .enum(['skip', 'queue'])
    .optional()
    .describe(
      'Rule for a previous task that has not ended. skip: creates no task. queue: creates one that waits, but never a second one that waits. Default: queue. Only with `schedule`',
    ),
  catch_up: z
    .enum(['none', 'one', 'all'])
    .optional()
    .describe(
      'Rule for times that were missed by more than a minute. none: creates no tasks. one: creates one for all of them. all: creates one for each of the last day, even if others wait. Default: one. Only with `schedule`',
    ),
  timezone: text(64).default('UTC').describe('IANA time zone in which `cron` is evaluated, such as Europe/Berlin'),
})
export type NewTask = z.output<typeof NewTask>

// First or last item of a fraction's range. At most 1e15, so that sums of two bounds are still exact (below 2^53).
const Bound = z.int().min(-1e15).max(1e15)

export const NewFraction = Request.extend({
  min: Bound.describe('First item of the range, -1e15 to 1e15. At most `max`'),
  max: Bound.describe('Last item of the range, -1e15 to 1e15'),
  gap: z.int().min(1).max(1e15).describe('Number of items in a piece, 1 to 1e15. The last piece may be smaller'),
})
export type NewFraction = z.output<typeof NewFraction>

export const TaskState = z
  .enum(['waiting', 'running', 'done', 'failed', 'lost', 'canceled'])
  .describe(
    'waiting: due now or later, or to be retried. running: the request is being sent. done: the response was 2xx. failed: all attempts failed. lost: the process died during the request, which must not be repeated. canceled: canceled by a call',
  )
export type TaskState = z.output<typeof TaskState>

const Kind = z.enum(['task', 'fraction']).describe('A single task, or a fraction with its pieces')

const Piece = z.object({
  min: z.int().describe('First item of the piece'),
  max: z.int().describe('Last item of the piece'),
  state: z.enum(['failed', 'lost']).describe('failed: all attempts failed. lost: the process died during the request'),
  attempts: z.int().describe('Number of requests sent'),
  status: z.int().nullable().describe('HTTP status of the last response; null if there was none'),
  error: z
    .string()
    .nullable()
    .describe('Why the last attempt got no response, with the values of `error` of a task; null if it got one'),
})

const TaskId = z.string().describe('Id of the task or fraction: the name of the worker and a number')

export const Task = z.object({
  id: TaskId,
  worker: z.string().describe('Name of the worker'),
  kind: Kind,
  state: TaskState,
  method: z.string().describe('HTTP method'),
  url: z.string().describe('URL of the request, without its query'),
  due_at: Time.describe('When the next attempt is due, or the last one was; UTC'),
  expires_at: Time.nullable().describe('Time after which the request is not sent; null without `expires`'),
  created_at: Time.describe('When the task was created; UTC'),
  started_at: Time.nullable().describe('When the last request was sent; null if none was'),
  ended_at: Time.nullable().describe('When the task ended; null if it has not'),
  attempts: z.int().describe('Number of requests sent so far; for a fraction, number of pieces started'),
  retries: z.int().describe('Maximum number of retries'),
  status: z.int().nullable().describe('HTTP status of the last response; null if there was none'),
  error: TaskError.nullable().describe(
    'Why the last attempt got no response; null if it got one. unreachable: no connection, so the request was not sent; reported on a local start only. interrupted: the connection broke, so it is unknown whether the request arrived. timeout: no response in time; also unknown. redirected: a 301, 302 or 303 would have dropped the body, or there were more than five redirects. refused: a redirect led to an address that is not allowed. query_too_long: the body of a GET did not fit into the query; not sent. unreadable: QUEUE_SECRET was changed, so the secrets cannot be decrypted; not sent. moved: the URL is not under the address of the component in `service` any more, since the configuration was changed; not sent. lost: the process died during the request. expired: not sent before `expires_at`',
  ),
  schedule: z.string().nullable().describe('Name of the schedule that created the task; null for other tasks'),
  key: z.string().nullable().describe('Flow key that the task was created with'),
  priority: z.int().describe('Priority of the task, 0 to 9; 9 is the most urgent'),
  labels: z.array(z.string()).describe('Labels that the task was created with'),
  on_success: z
    .string()
    .nullable()
    .describe('URL of the callback of a success, without its query; null if there is none'),
  on_failure: z
    .string()
    .nullable()
    .describe('URL of the callback of a failure, without its query; null if there is none'),
  request_id: z
    .string()
    .nullable()
    .describe("`X-Request-Id` that the task's requests carry: of the call that created it, or set in its headers"),
  fraction: z
    .object({
      min: z.int().describe('First item of the range'),
      max: z.int().describe('Last item of the range'),
      gap: z.int().describe('Number of items in a piece'),
      next: z.int().nullable().describe('First item of the next piece; null if all pieces have started'),
      pieces: z
        .object({
          total: z.int().describe('Number of pieces in the range'),
          done: z.int().describe('Number of pieces that succeeded'),
          failed: z.int().describe('Number of pieces that failed'),
          lost: z.int().describe('Number of pieces that were lost'),
        })
        .describe('Number of pieces by state'),
    })
    .nullable()
    .describe('Range and progress of a fraction; null for a task'),
})
export type Task = z.output<typeof Task>

/** A task in the reply of `GET /task`, with the field that lists leave out. */
export const TaskDetails = Task.extend({
  unhappy_pieces: z
    .array(Piece)
    .optional()
    .describe('Failed and lost pieces of a fraction, at most 1000, lost ones first; absent for a task'),
})

export const TaskOf = z.object({ id: text(100).describe('Id of the task or fraction, as its creation returned it') })

/** A task's place in a list: the time by which the list is sorted, and its number. */
const TaskPosition = z.object({ at: z.number(), id: z.number() })

const decodePosition = (text: string) => {
  const [at, id] = text.split('.')
  return id === undefined ? null : { at: Number(at), id: Number(id) }
}

/** The last task of a page in each shard of the worker; null for a shard whose tasks were all listed. */
const TaskCursor = z.codec(
  z
    .string()
    .max(2_500)
    .regex(/^(-?\d{1,16}\.\d{1,16}|end)(_(-?\d{1,16}\.\d{1,16}|end)){0,63}$/, 'Must be `next` of the previous page'),
  z.array(TaskPosition.nullable()),
  {
    decode: (text) => text.split('_').map(decodePosition),
    encode: (positions) => positions.map((position) => (position ? `${position.at}.${position.id}` : 'end')).join('_'),
  },
)

export const NextTasks = TaskCursor.optional().describe(
  'Cursor for `after` of the next page; missing on the last page. A page of a list with `key` or `label`, or of a worker with shards, may have fewer tasks than `limit`, and more may follow',
)

export const TaskFilter = z.object({
  worker: WorkerName,
  state: TaskState.optional().describe('Only tasks in this state. Default: all states'),
  kind: Kind.optional().describe('Only tasks, or only fractions. Default: both'),
  schedule: ScheduleName.optional().describe('Only tasks that this schedule created. Default: all'),
  key: text(255).min(1).optional().describe('Only tasks with this flow key. Default: all'),
  label: Label.optional().describe('Only tasks with this label. Default: all'),
  count,
  ...paging(),
  offset: harmless(z.int().min(0).max(10_000, 'must be at most 10000. Use the cursor `after` instead'))
    .default(0)
    .describe('Number of tasks to skip, at most 10000, and 0 for a worker with shards. For more, use `after`'),
  after: TaskCursor.optional().describe('Exclusive cursor: `next` of the previous page. Default: the first page'),
})
export type TaskFilter = z.output<typeof TaskFilter>

export const WorkerOf = z.object({ worker: WorkerName })

/** A task or a fraction that was created. */
export const Created = z.object({ id: TaskId })
