// Schemas of schedules.
import * as z from 'zod'
import { Time } from '#core/http/time'
import { Created, TaskState } from '../contract.ts'
import { ScheduleName, TaskError, WorkerName } from './fields.ts'

const LastRun = z.object({
  task: Created.describe('The task. It is deleted after QUEUE_RETENTION'),
  state: TaskState,
  due_at: Time.describe('When the task was due; UTC'),
  started_at: Time.nullable().describe('When its last request was sent; UTC. null if none was'),
  ended_at: Time.nullable().describe('When the task ended; UTC. null if it has not'),
  status: z.int().nullable().describe('HTTP status of the last response; null if there was none'),
  error: TaskError.nullable().describe('Why the last attempt got no response; null if it got one'),
})

export const Schedule = z.object({
  name: z.string().describe('Name of the schedule'),
  worker: z.string().describe('Name of the worker'),
  cron: z.string().describe('Cron expression'),
  timezone: z.string().describe('IANA time zone of the cron expression'),
  method: z.string().describe('HTTP method of its tasks'),
  url: z.string().describe('URL of its tasks, without the query'),
  overlap: z.enum(['skip', 'queue']).describe('Its rule for a previous task that has not ended'),
  catch_up: z.enum(['none', 'one', 'all']).describe('Its rule for missed times'),
  is_paused: z.boolean().describe('Whether the schedule is paused and creates no tasks'),
  next_at: Time.nullable().describe(
    'When the next task is created; null if the schedule is paused or the expression has no more times',
  ),
  next_local: z
    .string()
    .nullable()
    .describe('`next_at` in the time zone of the schedule, such as `2030-01-01T03:30:00+01:00`'),
  skipped: z.int().describe('Number of times at which no task was created, since the previous one had not ended'),
  last_run: LastRun.nullable().describe('The last task of the schedule with its result; null if there was none'),
})
export type Schedule = z.output<typeof Schedule>

export const ScheduleOf = z.object({ worker: WorkerName, name: ScheduleName })
