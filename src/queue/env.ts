// Variables of the queue: their types, defaults and checks, and the workers that they configure.
import type * as z from 'zod'
import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'
import { manifests } from '#manifests'
import { QueueWorkers } from './contract/workers.ts'

/** The variables that the queue reads. */
export interface QueueVariables extends CoreEnv {
  /** JSON object: the daemons and the limits of each worker, by name. */
  QUEUE_WORKERS?: string
  /** Seconds for which ended tasks are kept. Default: a day. */
  QUEUE_RETENTION?: string
  /** Secret with which confidential bodies and secret headers are encrypted in the database. */
  QUEUE_SECRET?: string
}

/** The configuration of a worker. */
interface WorkerConfig {
  /** Requests that the worker sends at a time. */
  daemons: number
  /** Tasks of one flow key that run at a time. Default: infinite. */
  keyConcurrency: number
}

const unlimited: WorkerConfig = { daemons: 4, keyConcurrency: Number.POSITIVE_INFINITY }

/** Workers that exist without configuration: `default`, and one for each component that creates tasks. */
const builtIn: Record<string, WorkerConfig> = {
  default: unlimited,
  ...Object.fromEntries(
    manifests.flatMap(({ name, queueWorker = unlimited }) => (queueWorker ? [[name, queueWorker]] : [])),
  ),
}

let last: { json: string | undefined; workers: Map<string, WorkerConfig> } | undefined

/** All workers by name. Throws 503 if `QUEUE_WORKERS` is invalid. Parsed once per value of the variable. */
export function workersOf({
  QUEUE_WORKERS: json,
}: Pick<QueueVariables, 'QUEUE_WORKERS'>): ReadonlyMap<string, WorkerConfig> {
  if (!last || last.json !== json) last = { json, workers: new Map([...Object.entries(builtIn), ...configured(json)]) }
  return last.workers
}

function configured(json: string | undefined): [string, WorkerConfig][] {
  try {
    const workers = Object.entries(QueueWorkers.parse(JSON.parse(json || '{}')))
    return workers.map(([name, worker]) => [name, configOf(worker)])
  } catch (cause) {
    const message =
      'QUEUE_WORKERS must be a JSON object of worker names and numbers of daemons, 1 to 1000, or objects as {"daemons": 32, "per_key": {"concurrency": 2}} with a concurrency of 1 to 100'
    throw notConfigured(message, cause)
  }
}

function configOf(worker: z.output<typeof QueueWorkers>[string]): WorkerConfig {
  const { daemons, per_key } = typeof worker === 'number' ? { daemons: worker } : { per_key: undefined, ...worker }
  return { daemons, keyConcurrency: per_key?.concurrency ?? Number.POSITIVE_INFINITY }
}

const defaultRetentionSeconds = 86_400

const wholeSeconds = /^[1-9]\d{0,8}$/

/** `QUEUE_RETENTION` in milliseconds. An invalid value counts as the default, so that the sweep still deletes old tasks. */
export const retentionOf = ({ QUEUE_RETENTION = '' }: Pick<QueueVariables, 'QUEUE_RETENTION'>) =>
  (wholeSeconds.test(QUEUE_RETENTION) ? Number(QUEUE_RETENTION) : defaultRetentionSeconds) * 1000

/** Throws 503 with the rule of the variable if `QUEUE_WORKERS` or `QUEUE_RETENTION` is invalid. */
export function checkConfiguration(env: Pick<QueueVariables, 'QUEUE_WORKERS' | 'QUEUE_RETENTION'>): void {
  workersOf(env)
  if (env.QUEUE_RETENTION && !wholeSeconds.test(env.QUEUE_RETENTION))
    throw notConfigured('QUEUE_RETENTION must be a whole number of seconds between 1 and 999999999.')
}
