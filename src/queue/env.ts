import type * as z from 'zod'
import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'
import { manifests } from '#manifests'
import { QueueWorkers } from './contract.ts'

/** The variables that the queue reads. */
export interface QueueVariables extends CoreEnv {
  /** JSON: the daemons and the limits of each worker, by its name. */
  QUEUE_WORKERS?: string
  /** Seconds for which a task that has ended is kept; a day unless given. */
  QUEUE_RETENTION?: string
  /** What confidential bodies and secret headers are encrypted with. */
  QUEUE_SECRET?: string
}

/** How a worker is configured. */
interface WorkerConfig {
  /** Requests that it makes at a time. */
  daemons: number
  /** Tasks of one flow key that run at a time; infinite unless limited. */
  keyConcurrency: number
}

const unlimited: WorkerConfig = { daemons: 4, keyConcurrency: Number.POSITIVE_INFINITY }

/** Workers that exist without configuration: `default`, and one for each component that has tasks of its own. */
const builtIn: Record<string, WorkerConfig> = {
  default: unlimited,
  ...Object.fromEntries(
    manifests.flatMap(({ name, queueWorker = unlimited }) => (queueWorker ? [[name, queueWorker]] : [])),
  ),
}

let last: { json: string | undefined; workers: Map<string, WorkerConfig> } | undefined

/** The workers by their names; 503 where `QUEUE_WORKERS` cannot be read. Parsed once for each value of the variable. */
export function workersOf({
  QUEUE_WORKERS: json,
}: Pick<QueueVariables, 'QUEUE_WORKERS'>): ReadonlyMap<string, WorkerConfig> {
  if (!last || last.json !== json) last = { json, workers: new Map([...Object.entries(builtIn), ...configured(json)]) }
  return last.workers
}

function configured(json: string | undefined): [string, WorkerConfig][] {
  try {
    const given = Object.entries(QueueWorkers.parse(JSON.parse(json || '{}')))
    return given.map(([name, worker]) => [name, configOf(worker)])
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

const day = 86_400

const seconds = /^[1-9]\d{0,8}$/

/** In milliseconds; a value that is no number of seconds counts as none, since what waits must not wait for it. */
export const retentionOf = ({ QUEUE_RETENTION = '' }: Pick<QueueVariables, 'QUEUE_RETENTION'>) =>
  (seconds.test(QUEUE_RETENTION) ? Number(QUEUE_RETENTION) : day) * 1000

/** Refuses to serve anything with a configuration that cannot be read. */
export function checkConfiguration(env: Pick<QueueVariables, 'QUEUE_WORKERS' | 'QUEUE_RETENTION'>): void {
  workersOf(env)
  if (env.QUEUE_RETENTION && !seconds.test(env.QUEUE_RETENTION))
    throw notConfigured('QUEUE_RETENTION must be a whole number of seconds from 1 to 999999999')
}
