// The logic of the endpoints of workers: configures, measures, pauses and deletes them.
import { invalid } from '#core/failure'
import {
  backlogsOf,
  describeWorker,
  findWorker,
  firstObjects,
  forgetWorker,
  type KnownWorker,
  listWorkers,
  measureWorker,
  registryOf,
} from './backlogs.ts'
import type { Env } from './bindings.ts'
import type { WorkerSettings } from './contract/settings.ts'
import type { NewWorker, Worker, WorkerDetails, WorkerPage, WorkerToDelete } from './contract/workers.ts'
import { missing } from './errors.ts'
import { defaultSerial } from './settings.ts'

/** Stores the settings of a worker, and creates the worker if it does not exist. 409 if `shards` changes while it is not empty. */
export async function putWorker(env: Env, { name, ...settings }: NewWorker): Promise<Worker> {
  checkSettings(settings)
  const stored = await registryOf(env).put(name, settings)
  forgetWorker(name)
  return describeMeasured(env, describeWorker(env, name, stored)!)
}

/** Throws 400 if settings exclude each other. */
function checkSettings({ daemons, rate, per_key, shards }: WorkerSettings): void {
  if (shards > daemons) throw invalid('shards', `shards must not exceed daemons, got ${shards} and ${daemons}`)
  if (rate && shards > rate.limit)
    throw invalid('shards', `shards must not exceed rate.limit, got ${shards} and ${rate.limit}`)
  if (per_key?.order && (per_key.concurrency ?? 1) > 1)
    throw invalid('per_key.concurrency', 'per_key.concurrency must be 1 or left out if per_key.order is true')
}

export async function readWorker(env: Env, name: string): Promise<WorkerDetails> {
  const worker = await findWorker(env, name, true)
  if (!worker) throw missing('worker', { name })
  const [measured, ...keys] = await Promise.all([
    describeMeasured(env, worker),
    ...backlogsOf(env, worker).map(({ backlog }) => backlog.pausedKeys(maxPausedKeys)),
  ])
  const paused = keys.flat().sort((one, other) => other.until - one.until)
  return {
    ...measured,
    paused_keys: paused.slice(0, maxPausedKeys).map(({ until, ...key }) => ({ ...key, until: new Date(until) })),
  }
}

/** Maximum number of paused keys in the reply of `GET /worker`. */
const maxPausedKeys = 100

/** Durable objects that one page of `GET /workers` measures: fewer than the calls that one request may make. */
const maxMeasured = 500

/** A page of workers, which ends early if they have many durable objects. */
export async function readWorkers(
  env: Env,
  { after, limit }: WorkerPage,
): Promise<{ workers: Worker[]; next: string | null }> {
  const found = await listWorkers(env, after, limit + 1)
  const page = firstObjects(found.slice(0, limit), maxMeasured)
  const workers = await Promise.all(page.map((worker) => describeMeasured(env, worker)))
  return { workers, next: page.length < found.length ? page.at(-1)!.name : null }
}

export async function deleteWorker(env: Env, { name, force }: WorkerToDelete): Promise<void> {
  await registryOf(env).delete(name, force)
  forgetWorker(name)
}

/** Pauses or resumes all durable objects of a worker. */
export async function setPaused(env: Env, worker: KnownWorker, isPaused: boolean): Promise<void> {
  await Promise.all(backlogsOf(env, worker).map(({ backlog }) => backlog.setPaused(isPaused)))
}

async function describeMeasured(env: Env, worker: KnownWorker): Promise<Worker> {
  return { name: worker.name, ...shownSettingsOf(worker), ...(await measureWorker(env, worker)) }
}

function shownSettingsOf({ settings, source }: KnownWorker) {
  const { daemons, per_key, rate, serial, shards, retention } = settings
  const shownPerKey = per_key && {
    concurrency: per_key.order ? 1 : (per_key.concurrency ?? null),
    rate: per_key.rate ?? null,
    order: per_key.order,
  }
  return {
    daemons,
    per_key: shownPerKey ?? null,
    rate_limit: rate ?? null,
    serial: serial ?? defaultSerial(daemons),
    shards,
    retention: { seconds: retention?.seconds ?? null, count: retention?.count ?? null },
    source,
  }
}
