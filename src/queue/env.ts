import { z } from 'zod'
import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/api'
import type { FirstReply } from '#core/objects/first-reply'
import type { Backlog } from './backlog.ts'
import { WorkerName } from './contract.ts'

/** What the queue needs bound, and the variables it reads. */
export interface Env extends CoreEnv {
  BACKLOG: DurableObjectNamespace<Backlog>
  FIRST_REPLY: DurableObjectNamespace<FirstReply>
  /** JSON: how many daemons each worker has, by its name. */
  QUEUE_WORKERS?: string
  /** Seconds for which a task that has ended is kept; a day unless given. */
  QUEUE_RETENTION?: string
  /** What confidential bodies and secret headers are encrypted with. */
  QUEUE_SECRET?: string
}

/** Workers that are always there: one for whoever asks for no more, and one for each component that has work for later. */
const given =
  'default media signature feed badge fulltext typeahead bus sms email otp notification delivery payment pdf'
const usualDaemons = 4

const QueueWorkers = z.record(WorkerName, z.int().min(1).max(1000))

/** How many daemons each worker has, by its name; 503 where `QUEUE_WORKERS` does not say it. */
export function workersOf({ QUEUE_WORKERS }: Pick<Env, 'QUEUE_WORKERS'>): Map<string, number> {
  const usual = given.split(' ').map((name): [string, number] => [name, usualDaemons])
  return new Map([...usual, ...Object.entries(configured(QUEUE_WORKERS || '{}'))])
}

function configured(json: string): z.output<typeof QueueWorkers> {
  try {
    return QueueWorkers.parse(JSON.parse(json))
  } catch (cause) {
    const message = 'QUEUE_WORKERS must be a JSON object of worker names and numbers of daemons, 1 to 1000'
    throw notConfigured(message, cause)
  }
}

const day = 86_400

const seconds = /^[1-9]\d{0,8}$/

/** In milliseconds; a value that is no number of seconds counts as none, since what waits must not wait for it. */
export const retentionOf = ({ QUEUE_RETENTION = '' }: Pick<Env, 'QUEUE_RETENTION'>) =>
  (seconds.test(QUEUE_RETENTION) ? Number(QUEUE_RETENTION) : day) * 1000

/** Refuses to serve anything with a configuration that cannot be read. */
export function checkConfiguration(env: Pick<Env, 'QUEUE_WORKERS' | 'QUEUE_RETENTION'>): void {
  workersOf(env)
  if (env.QUEUE_RETENTION && !seconds.test(env.QUEUE_RETENTION))
    throw notConfigured('QUEUE_RETENTION must be a whole number of seconds from 1 to 999999999')
}
