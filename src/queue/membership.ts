// The place of a backlog in its worker: its settings, whether it accepts tasks, and its reports to the registry.
import type { WorkerSettings } from './contract/settings.ts'
import { presetsOf, type QueueVariables } from './env.ts'
import { failure } from './errors.ts'
import { type ObjectReport, type WorkerRegistry, wakeToleranceMs } from './registry.ts'
import { objectName, parseObjectName, type QueueShard, type ShardSettings, shardSettings } from './settings.ts'

/** The variables and bindings that tell a backlog its settings. */
export interface MembershipEnv extends QueueVariables {
  REGISTRY: DurableObjectNamespace<WorkerRegistry>
}

/** Settings of a backlog whose worker does not exist: its tasks stay stored, and do not run. */
const idle = shardSettings({ daemons: 1, shards: 1 }, 1)

export class Membership {
  readonly shard: QueueShard
  /** Value of the label `worker` of the counters: few names, since a worker created by a call is counted as `other`. */
  readonly label: string
  readonly #storage: DurableObjectStorage
  readonly #env: MembershipEnv
  // One stub, since calls through the same stub arrive in order.
  readonly #registry: DurableObjectStub<WorkerRegistry>
  /** When the registry will have this object woken, in milliseconds since 1970. */
  #wakeAt = Number.POSITIVE_INFINITY

  constructor({ id, storage }: DurableObjectState, env: MembershipEnv) {
    this.shard = parseObjectName(nameOf(id, storage))
    this.label = presetsOf(env).has(this.shard.worker) ? this.shard.worker : 'other'
    this.#storage = storage
    this.#env = env
    this.#registry = env.REGISTRY.getByName('registry')
  }

  /** The settings that `PUT /worker` has stored here, else those of the preset. */
  get settings(): ShardSettings {
    const stored = this.#storage.kv.get<WorkerSettings>('settings')
    const settings = stored ?? presetsOf(this.#env).get(this.shard.worker)?.settings
    return settings ? shardSettings(settings, this.shard.shard) : idle
  }

  /** Stores the settings of the worker, `null` for its preset, and accepts tasks. */
  configure(settings: WorkerSettings | null): void {
    if (settings) this.#storage.kv.put('settings', settings)
    else this.#storage.kv.delete('settings')
    this.#storage.kv.delete('closed')
  }

  /** Accepts no tasks until the next call of `configure`, also after a crash. */
  close(): void {
    this.#storage.kv.put('closed', true)
  }

  /** Throws 503 `worker_changing` unless this object accepts the tasks of a worker with this number of shards. */
  assertOpen(shards: number): void {
    const { settings } = this
    const isMember = settings !== idle && settings.shards === shards && this.shard.shard < shards
    if (!isMember || this.#storage.kv.get('closed')) throw failure('worker_changing', undefined, { retryAfter: 5 })
  }

  /** Tells the registry when this object has something to do, if that is more than a minute earlier than the registry knows. */
  noteWake(at: number): void {
    if (at >= this.#wakeAt - wakeToleranceMs) return
    this.#wakeAt = at
    this.#registry.noteWake(objectName(this.shard), at).catch(() => {
      this.#wakeAt = Number.POSITIVE_INFINITY
    })
  }

  /** Reports to the registry after this object was woken. */
  async report(report: ObjectReport): Promise<void> {
    this.#wakeAt = report.wakeAt
    await this.#registry.report(objectName(this.shard), report)
  }
}

/** Name of a durable object. The first call stores the name, since `id.name` is not set in every event, such as an alarm. */
function nameOf(id: DurableObjectId, storage: DurableObjectStorage): string {
  const stored = storage.kv.get<string>('name')
  if (stored !== undefined) return stored
  if (id.name === undefined) throw new Error('A backlog must be addressed by its name')
  storage.kv.put('name', id.name)
  return id.name
}
