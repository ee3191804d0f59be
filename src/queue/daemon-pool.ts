// The daemons of a worker: up to six send requests from the backlog itself, and the others through remote-fetch.ts.
import { chunksOf } from '#core/chunks'
import { describe, log } from '#core/http/log'
import { ownService } from '#core/objects/exports'
import { restAfter } from './holds.ts'
import type { Lease } from './leases.ts'
import { type RemoteFetch, requestsPerRun } from './remote-fetch.ts'
import type { QueueShard, ShardSettings } from './settings.ts'
import { formatTaskId } from './task-id.ts'
import { type RequestEnv, type RequestOutcome, sendRequest, type TaskRequest } from './task-request.ts'

/** Number of daemons that send from the durable object itself, the fastest way. The platform allows an object six connections at a time. */
const localDaemons = 6

/**
 * Results are recorded in batches, since one write costs as much as one request. A batch is recorded when `batchShare` of the
 * running requests has ended, or `batchDelayMs` after the first one. Both were chosen by measurements with 8 and 64 daemons.
 */
const batchShare = 0.75
const batchDelayMs = 3

const lost: RequestOutcome = { status: null, error: 'lost' }

/** A request that has ended, and that the backlog has still to record. */
export interface Ended {
  lease: Lease
  outcome: RequestOutcome
}

/** Limit of the bodies of all running requests together: a durable object has 128 MB of memory. */
const maxRunningBytes = 24_000_000

/** Estimated memory of a lease in bytes. A string with characters beyond Latin-1 takes two bytes per character. */
export const sizeOf = ({ json, body, sealed }: Lease): number =>
  2 * ((json?.length ?? 0) + lengthOf(body)) + (sealed?.byteLength ?? 0)

const lengthOf = (body: Lease['body']) => (typeof body === 'string' ? body.length : (body?.byteLength ?? 0))

type PoolSettings = Pick<ShardSettings, 'daemons' | 'isStrict'>

/** A lease and the daemon that sends its request. */
interface Assignment {
  lease: Lease
  daemon: number
}

/**
 * The daemons of a worker: each sends one request at a time. `onEnded` is called for a batch of ended requests, and when a
 * daemon has finished its `sleep`.
 */
export class DaemonPool {
  readonly #shard: QueueShard
  readonly #ctx: DurableObjectState
  readonly #env: RequestEnv
  readonly #onEnded: () => void
  #count = 0
  #isStrict = false
  #idle: number[] = []
  /** Daemons that send a request, or sleep after one. */
  readonly #taken = new Set<number>()
  #busy = 0
  #bytes = 0
  #ended: Ended[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    shard: QueueShard,
    settings: PoolSettings,
    ctx: DurableObjectState,
    env: RequestEnv,
    onEnded: () => void,
  ) {
    this.#shard = shard
    this.#ctx = ctx
    this.#env = env
    this.#onEnded = onEnded
    this.configure(settings)
  }

  /** Changes the number of daemons. Requests of daemons that are no longer needed end by themselves. */
  configure({ daemons, isStrict }: PoolSettings) {
    this.#count = daemons
    this.#isStrict = isStrict
    this.#idle = Array.from({ length: daemons }, (_, i) => daemons - 1 - i).filter((daemon) => !this.#taken.has(daemon))
  }

  /** Number of daemons that are free. */
  get idle(): number {
    return this.#idle.length
  }

  /** Number of running requests. */
  get busy(): number {
    return this.#busy
  }

  /** Whether a daemon sends a request, or sleeps after one. */
  get isActive(): boolean {
    return this.#taken.size > 0
  }

  /** Bytes that further requests may hold; 0 or less if the limit is reached. */
  get freeBytes(): number {
    return maxRunningBytes - this.#bytes
  }

  /** Assigns each lease to an idle daemon, which sends its request. */
  send(leases: Lease[]) {
    this.#busy += leases.length
    for (const lease of leases) this.#bytes += sizeOf(lease)
    const assigned = leases.map((lease): Assignment => ({ lease, daemon: this.#take()! }))
    for (const one of assigned.filter(({ daemon }) => daemon < localDaemons)) void this.#sendLocal(one)
    const remote = assigned.filter(({ daemon }) => daemon >= localDaemons)
    for (const run of chunksOf(remote, requestsPerRun)) void this.#sendRemote(run)
  }

  /** Makes an idle daemon sleep until a time in milliseconds since 1970, as it did before a crash. */
  sleepUntil(until: number) {
    const daemon = this.#take()
    if (daemon !== undefined) setTimeout(() => this.#wake(daemon), Math.max(0, until - Date.now()))
  }

  /** Returns the requests that have ended since the last call. */
  takeEnded(): Ended[] {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return this.#ended.splice(0)
  }

  async #sendLocal(assignment: Assignment) {
    // A request must not leave before its lease is stored. `fetch`, which sends each POST, waits for that (output gate). Other methods
    // may be sent through a socket, which does not wait.
    if (assignment.lease.method !== 'POST') await this.#ctx.storage.sync()
    this.#end(assignment, await sendRequest(this.#env, this.#requestOf(assignment.lease)))
  }

  async #sendRemote(run: Assignment[]) {
    const unreported = new Set(run)
    try {
      await ownService<RemoteFetch>(this.#ctx, 'RemoteFetch').run(
        run.map(({ lease }) => this.#requestOf(lease)),
        async (reports) => {
          for (const { index, outcome } of reports) {
            // A report may arrive after the invocation has failed, when its requests have already ended as lost.
            if (unreported.delete(run[index]!)) this.#end(run[index]!, outcome)
          }
        },
      )
    } catch (error) {
      log('error', { component: 'queue', route: 'remote fetch', ...describe(error) })
    }
    const unknown = [...unreported]
    unreported.clear()
    for (const assignment of unknown) this.#end(assignment, lost)
  }

  #requestOf({
    task,
    parent,
    attempt,
    method,
    url,
    headers,
    json,
    body,
    sealed,
    timeout,
    piece,
    request_id,
  }: Lease): TaskRequest {
    const id = formatTaskId({ ...this.#shard, number: parent ?? task })
    return { id, attempt, method, url, headers, json, body, sealed, timeout, piece, request_id }
  }

  #end({ lease, daemon }: Assignment, outcome: RequestOutcome) {
    this.#busy--
    this.#bytes -= sizeOf(lease)
    this.#ended.push({ lease, outcome })
    const restMs = restAfter(lease, outcome, this.#isStrict, Date.now())
    if (restMs === 0) this.#free(daemon)
    else setTimeout(() => this.#wake(daemon), restMs)
    if (this.#ended.length >= batchShare * (this.#busy + this.#ended.length)) this.#onEnded()
    else this.#timer ??= setTimeout(this.#onEnded, batchDelayMs)
  }

  #wake(daemon: number) {
    this.#free(daemon)
    this.#onEnded()
  }

  #take(): number | undefined {
    const daemon = this.#idle.pop()
    if (daemon !== undefined) this.#taken.add(daemon)
    return daemon
  }

  #free(daemon: number) {
    this.#taken.delete(daemon)
    if (daemon < this.#count) this.#idle.push(daemon)
  }
}
