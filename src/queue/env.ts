// Variables of the queue: their types, defaults and checks, and the workers that they configure.
import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'
import { manifests } from '#manifests'
import type { WorkerSettings } from './contract/settings.ts'
import { QueueWorkers } from './contract/workers.ts'
import type { SigningVariables } from './signing.ts'

/** The variables that the queue reads. */
export interface QueueVariables extends CoreEnv, SigningVariables {
  /** JSON object: the daemons and the limits of each worker, by name. */
  QUEUE_WORKERS?: string
  /** Seconds for which ended tasks are kept. Default: a day. */
  QUEUE_RETENTION?: string
  /** Secret with which confidential bodies and secret headers are encrypted in the database. */
  QUEUE_SECRET?: string
}

/** The settings of a worker that exists without `PUT /worker`, and where they come from. */
interface Preset {
  settings: WorkerSettings
  source: 'built_in' | 'variable'
}

const presetOf = (daemons: number, concurrency?: number): WorkerSettings => ({
  daemons,
  shards: 1,
  ...(concurrency !== undefined && { per_key: { concurrency, order: false } }),
})

/** Workers that exist without configuration: `default`, and one for each component that creates tasks. */
const builtIn: [string, Preset][] = [
  ['default', { settings: presetOf(4), source: 'built_in' }],
  ...manifests.flatMap(({ name, queueWorker }): [string, Preset][] => {
    if (queueWorker === false) return []
    const settings = queueWorker ? presetOf(queueWorker.daemons, queueWorker.keyConcurrency) : presetOf(4)
    return [[name, { settings, source: 'built_in' }]]
  }),
]

let last: { json: string | undefined; presets: Map<string, Preset> } | undefined

/** The presets by worker name: the built-in workers and those of `QUEUE_WORKERS`. Throws 503 if the variable is invalid. Parsed once per value. */
export function presetsOf({ QUEUE_WORKERS: json }: Pick<QueueVariables, 'QUEUE_WORKERS'>): ReadonlyMap<string, Preset> {
  if (!last || last.json !== json) last = { json, presets: new Map([...builtIn, ...configured(json)]) }
  return last.presets
}

function configured(json: string | undefined): [string, Preset][] {
  try {
    const workers = Object.entries(QueueWorkers.parse(JSON.parse(json || '{}')))
    return workers.map(([name, worker]) => {
      const settings =
        typeof worker === 'number' ? presetOf(worker) : presetOf(worker.daemons, worker.per_key?.concurrency)
      return [name, { settings, source: 'variable' }]
    })
  } catch (cause) {
    const message =
      'QUEUE_WORKERS must be a JSON object of worker names and numbers of daemons, 1 to 1000, or objects as {"daemons": 32, "per_key": {"concurrency": 2}} with a concurrency of 1 to 100'
    throw notConfigured(message, cause)
  }
}

const defaultRetentionSeconds = 86_400

const wholeSeconds = /^[1-9]\d{0,8}$/

/** `QUEUE_RETENTION` in milliseconds. An invalid value counts as the default, so that the sweep still deletes old tasks. */
export const retentionOf = ({ QUEUE_RETENTION = '' }: Pick<QueueVariables, 'QUEUE_RETENTION'>) =>
  (wholeSeconds.test(QUEUE_RETENTION) ? Number(QUEUE_RETENTION) : defaultRetentionSeconds) * 1000

/** Throws 503 with the rule of the variable if `QUEUE_WORKERS` or `QUEUE_RETENTION` is invalid. */
export function checkConfiguration(env: Pick<QueueVariables, 'QUEUE_WORKERS' | 'QUEUE_RETENTION'>): void {
  presetsOf(env)
  if (env.QUEUE_RETENTION && !wholeSeconds.test(env.QUEUE_RETENTION))
    throw notConfigured('QUEUE_RETENTION must be a whole number of seconds between 1 and 999999999.')
}
