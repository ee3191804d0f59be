// Finds workers and their backlogs (the durable objects that store tasks). Also wakes overdue backlogs and reads their metrics.
import { Failure, invalid } from '#core/failure'
import { describe, log } from '#core/http/log'
import { LruCache } from '#core/lru-cache'
import type { Gauge } from '#core/metrics/families'
import type { Backlog } from './backlog.ts'
import type { Env } from './bindings.ts'
import type { WorkerSettings } from './contract/settings.ts'
import { presetsOf } from './env.ts'
import { missing } from './errors.ts'
import type { StoredWorker, WorkerRegistry } from './registry.ts'
import { objectName, shardOf } from './settings.ts'
import { parseTaskId } from './task-id.ts'

type BacklogStub = DurableObjectStub<Backlog>

/** A worker that exists. */
export interface KnownWorker {
  name: string
  settings: WorkerSettings
  source: 'built_in' | 'variable' | 'stored'
  /** Number of durable objects that may have tasks: at least the number of shards. */
  objects: number
}

/** The registry of all workers. */
export const registryOf = (env: Pick<Env, 'REGISTRY'>): DurableObjectStub<WorkerRegistry> =>
  env.REGISTRY.getByName('registry')

/**
 * What the registry last said about a worker: null if it is not stored. A backlog refuses tasks that were sent to it by an outdated
 * entry, so the time only limits how long a deleted worker seems to exist.
 */
const known = new LruCache<{ stored: StoredWorker | null; until: number }>(10_000)
const knownForMs = 60_000

/** Finds a worker; undefined if none has the name. Up to a minute old unless `isFresh`. */
export async function findWorker(env: Env, name: string, isFresh = false): Promise<KnownWorker | undefined> {
  const cached = isFresh ? undefined : known.get(name)
  const stored = cached && Date.now() < cached.until ? cached.stored : ((await registryOf(env).find(name)) ?? null)
  const worker = describeWorker(env, name, stored)
  // Names that do not exist are not cached: callers could fill the cache with them, and a new worker must be found at once.
  if (worker) known.set(name, { stored, until: Date.now() + knownForMs })
  return worker
}

/** The worker of a name with its stored settings or its preset; undefined if it has neither. */
export function describeWorker(env: Env, name: string, stored: StoredWorker | null): KnownWorker | undefined {
  const preset = presetsOf(env).get(name)
  const objects = stored?.objects ?? 1
  if (stored?.settings) return { name, settings: stored.settings, source: 'stored', objects }
  return preset && { name, ...preset, objects }
}

/** Finds the worker of a parameter; 400 if there is none. */
export async function requireWorker(env: Env, name: string, isFresh = false): Promise<KnownWorker> {
  const worker = await findWorker(env, name, isFresh)
  if (worker) return worker
  throw invalid('worker', `No worker is named ${JSON.stringify(name)}. Create it with PUT /worker.`)
}

/** All backlogs of a worker. */
export const backlogsOf = (env: Env, { name, objects }: Pick<KnownWorker, 'name' | 'objects'>) =>
  Array.from({ length: objects }, (_, shard) => ({
    shard,
    backlog: env.BACKLOG.getByName(objectName({ worker: name, shard })),
  }))

/** How often a call is repeated if the backlog refuses it since the worker has changed, and the time between two of them. */
const maxAttempts = 4
const attemptDelayMs = 500

/**
 * Calls the backlog that stores the tasks of a flow key, with the number of shards by which it was chosen. If the worker has changed
 * since it was last looked up, looks it up again. 400 if there is no such worker.
 */
export async function onShard<Result>(
  env: Env,
  { worker, key }: { worker: string; key?: string | null | undefined },
  use: (backlog: BacklogStub, place: { shard: number; shards: number }) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const { settings } = await requireWorker(env, worker, attempt > 1)
    const { shards } = settings
    const shard = shards === 1 ? 0 : shardOf(key ?? crypto.randomUUID(), shards)
    try {
      return await use(env.BACKLOG.getByName(objectName({ worker, shard })), { shard, shards })
    } catch (error) {
      if (attempt === maxAttempts || !Failure.is(error) || error.code !== 'worker_changing') throw error
      if (attempt > 1) await scheduler.wait(attemptDelayMs)
    }
  }
}

/**
 * Finds the worker and the backlog of a public task id such as `default-12`. 404 if the id is malformed or its worker does not exist.
 * Does not check that the task exists, which only the backlog knows.
 */
export async function locateTask(
  env: Env,
  id: string,
): Promise<{ worker: string; shard: number; number: number; backlog: BacklogStub }> {
  const parts = parseTaskId(id)
  const hasShard = (worker: KnownWorker | undefined) => worker && parts && parts.shard < worker.objects
  // The number of objects may have grown since the worker was last looked up.
  const isFound =
    parts &&
    (hasShard(await findWorker(env, parts.worker)) ||
      (parts.shard > 0 && hasShard(await findWorker(env, parts.worker, true))))
  if (!isFound) throw missing('task', { id })
  return { ...parts, backlog: env.BACKLOG.getByName(objectName(parts)) }
}

/** A page of all workers, stored ones and presets, sorted by name. */
export async function listWorkers(env: Env, after: string, limit: number): Promise<KnownWorker[]> {
  const presets = [...presetsOf(env).keys()].filter((name) => name > after)
  const stored = await registryOf(env).list(after, limit)
  // Beyond a full page of stored workers, presets may have stored settings that were not read.
  const last = stored.length === limit ? stored.at(-1)!.name : undefined
  const names = [...new Set([...presets, ...stored.map(({ name }) => name)])]
  const byName = new Map(stored.map((worker) => [worker.name, worker]))
  return names
    .filter((name) => last === undefined || name <= last)
    .sort((one, other) => (one < other ? -1 : 1))
    .flatMap((name) => describeWorker(env, name, byName.get(name) ?? null) ?? [])
    .slice(0, limit)
}

/** The sweep of the queue, called every minute: wakes overdue backlogs, in case an alarm was lost. One that fails does not stop the others. */
export async function wakeOverdue(env: Env): Promise<void> {
  const registry = registryOf(env)
  const { overdue, needsRepair } = await registry.sweep(Date.now())
  const wake = (name: string) =>
    env.BACKLOG.getByName(name)
      .wake()
      .catch((error: unknown) => log('error', { component: 'queue', worker: name, ...describe(error) }))
  await Promise.all(overdue.map(wake))
  if (needsRepair) await registry.repair()
}

/** Forgets what the registry said about a worker. */
export const forgetWorker = (name: string) => known.deletePrefix(name)

/** Maximum number of workers with gauges, and of durable objects that are measured for them. */
const maxGauged = 100
const maxMeasured = 200

/** What `GET /workers` and the gauges show of a worker: the sums of its durable objects. */
export async function measureWorker(env: Env, worker: KnownWorker) {
  const measures = await Promise.all(backlogsOf(env, worker).map(({ backlog }) => backlog.measure()))
  const sum = (value: (one: (typeof measures)[number]) => number) => measures.reduce((sum, one) => sum + value(one), 0)
  const oldest = measures.flatMap(({ oldest_due_at }) => oldest_due_at?.getTime() ?? [])
  return {
    depth: sum(({ depth }) => depth),
    due: sum(({ due }) => due),
    running: sum(({ running }) => running),
    oldest_due_at: oldest.length > 0 ? new Date(Math.min(...oldest)) : null,
    rate: sum(({ rate }) => rate),
    is_paused: measures.some(({ is_paused }) => is_paused),
  }
}

/** The first workers, at least one, that together have at most `max` durable objects. */
export function firstObjects(workers: KnownWorker[], max: number): KnownWorker[] {
  let objects = 0
  const beyond = workers.findIndex((worker, at) => {
    objects += worker.objects
    return at > 0 && objects > max
  })
  return beyond === -1 ? workers : workers.slice(0, beyond)
}

/** Gauges for `/_metrics`: of the workers with the most waiting tasks, and the sums of all workers. */
export async function gauges(env: Env): Promise<Gauge[]> {
  const { deepest, ...sums } = await registryOf(env).summary(maxGauged)
  const names = [...new Set([...deepest, ...presetsOf(env).keys()])].slice(0, maxGauged)
  const found = (await Promise.all(names.map((name) => findWorker(env, name)))).flatMap((worker) => worker ?? [])
  const workers = await Promise.all(
    firstObjects(found, maxMeasured).map(async (worker) => ({
      name: worker.name,
      ...(await measureWorker(env, worker)),
    })),
  )
  const of = (name: string, help: string, value: (worker: (typeof workers)[number]) => number): Gauge => ({
    name: `quartermaster_queue_${name}`,
    help,
    samples: workers.map((worker) => ({ labels: { worker: worker.name }, value: value(worker) })),
  })
  const sumOf = (name: 'workers' | 'depth' | 'running', help: string): Gauge => ({
    name: `quartermaster_queue_all_${name}`,
    help,
    samples: [{ value: sums[name] }],
  })
  return [
    of('depth', 'Waiting tasks, due or not, of the workers with the most.', ({ depth }) => depth),
    of('due', 'Waiting tasks that are due. Above 100 000 the number may be some seconds old.', ({ due }) => due),
    of('running', 'Requests that are being sent.', ({ running }) => running),
    of('oldest_due_age_seconds', 'Seconds since the oldest waiting task became due.', ({ oldest_due_at: at }) =>
      at === null ? 0 : Math.max(0, (Date.now() - at.getTime()) / 1_000),
    ),
    of('paused', '1 if the worker is paused, else 0.', ({ is_paused }) => Number(is_paused)),
    sumOf('workers', 'Workers that have had tasks.'),
    sumOf('depth', 'Waiting tasks of all workers, as of about a minute ago.'),
    sumOf('running', 'Requests that are being sent by all workers, as of about a minute ago.'),
  ]
}
