// Schemas of the attempts of a task.
import * as z from 'zod'
import { text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { TaskError } from './fields.ts'

export const AttemptsOf = z.object({
  id: text(100).describe('Id of the task or fraction, as its creation returned it'),
  after: z
    .int()
    .min(0)
    .default(0)
    .describe('Exclusive cursor: `next` of the previous page. Default: the oldest attempt'),
  limit: z.int().min(1).max(20).default(20).describe('Maximum number of attempts to return, 1 to 20'),
})

export const TaskAttempt = z.object({
  attempt: z.int().describe('Number of the attempt, from 1, as in `X-Task-TaskAttempt`'),
  started_at: Time.describe('When the request was sent; UTC'),
  duration_ms: z
    .int()
    .nullable()
    .describe(
      'Milliseconds until the response or the error; null while the request runs, and if the process died meanwhile',
    ),
  status: z.int().nullable().describe('HTTP status of the response; null if there was none'),
  error: TaskError.nullable().describe(
    'Why the attempt got no response, with the values of `error` of a task; null if it got one, or still runs',
  ),
  headers: z
    .record(z.string(), z.string())
    .nullable()
    .describe(
      'The headers `content-type`, `retry-after` and `location` (without its query) of the response, as far as it has them; null without a response, and for tasks with `confidential`, `secret_headers` or `service`',
    ),
  body: z
    .string()
    .nullable()
    .describe(
      'The first kilobyte of the response as text, with card data and credentials masked; null where `headers` is null',
    ),
  piece: z
    .object({
      min: z.int().describe('First item of the piece'),
      max: z.int().describe('Last item of the piece'),
    })
    .nullable()
    .describe('The piece of the fraction that was sent; null for a task'),
})
export type TaskAttempt = z.output<typeof TaskAttempt>

export const NextAttempt = z.int().nullable().describe('The cursor `after` of the next page; null if there is none')
