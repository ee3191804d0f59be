import { chunksOf } from '#core/chunks'
import { describe, log } from '#core/http/log'
import { ownService } from '#core/objects/exports'
import { type Errand, errandsPerRun } from './errand.ts'
import type { Lease } from './leases.ts'
import { type PerformEnv, perform, type RequestOutcome } from './perform.ts'
import { formatTaskId } from './task-id.ts'

/** How many daemons make their requests from the object itself, which has six connections. It is the quickest way. */
const near = 6

/**
 * Requests that end soon after one another are recorded together, for recording costs as much as they do: when so much of what
 * was under way has ended, or so many milliseconds after the first. Measured with 8 and with 64 daemons.
 */
const enough = 0.75
const patience = 3

const lost: RequestOutcome = { status: null, error: 'lost' }

/** A request that has ended. */
export interface Ended {
  lease: Lease
  outcome: RequestOutcome
}

/** How many bytes the requests under way may carry together, past which none is added: an object has 128 MB. */
const mostUnderWay = 24_000_000

/** About how many bytes a lease holds in memory: what is not ASCII takes two for each character. */
export const sizeOf = ({ json, body, sealed }: Lease): number =>
  2 * ((json?.length ?? 0) + (body?.length ?? 0)) + (sealed?.byteLength ?? 0)

interface Sent {
  lease: Lease
  daemon: number
}

/**
 * The daemons of a worker: each makes one request at a time. `onEnded` is called when some have ended, soon after the first;
 * what has ended by then is recorded together, since recording is what costs.
 */
export class Daemons {
  readonly #worker: string
  readonly #ctx: DurableObjectState
  readonly #env: PerformEnv
  readonly #onEnded: () => void
  readonly #count: number
  readonly #idle: number[]
  #busy = 0
  #bytes = 0
  #ended: Ended[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(worker: string, count: number, ctx: DurableObjectState, env: PerformEnv, onEnded: () => void) {
    this.#worker = worker
    this.#ctx = ctx
    this.#env = env
    this.#onEnded = onEnded
    this.#count = count
    this.#idle = Array.from({ length: count }, (_, i) => count - 1 - i)
  }

  /** How many have nothing to do. */
  get idle(): number {
    return this.#idle.length
  }

  /** How many requests are under way. */
  get busy(): number {
    return this.#busy
  }

  /** Whether a daemon makes a request, or rests after one. */
  get isActive(): boolean {
    return this.#idle.length < this.#count
  }

  /** How many bytes further requests may carry; none is left where this is not above 0. */
  get room(): number {
    return mostUnderWay - this.#bytes
  }

  /** Gives each lease to an idle daemon, which makes its request. */
  send(leases: Lease[]) {
    this.#busy += leases.length
    for (const lease of leases) this.#bytes += sizeOf(lease)
    const sent = leases.map((lease): Sent => ({ lease, daemon: this.#idle.pop()! }))
    for (const one of sent.filter(({ daemon }) => daemon < near)) void this.#sendNear(one)
    const far = sent.filter(({ daemon }) => daemon >= near)
    for (const run of chunksOf(far, errandsPerRun)) void this.#sendFar(run)
  }

  /** Lets an idle daemon rest until a time, in milliseconds since 1970. */
  rest(until: number) {
    const daemon = this.#idle.pop()
    if (daemon !== undefined) setTimeout(() => this.#wake(daemon), Math.max(0, until - Date.now()))
  }

  /** What has ended since it was last asked for. */
  takeEnded(): Ended[] {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return this.#ended.splice(0)
  }

  async #sendNear(sent: Sent) {
    // `fetch`, by which a POST goes, waits until the lease is stored; a socket does not.
    if (sent.lease.method !== 'POST') await this.#ctx.storage.sync()
    this.#end(sent, await perform(this.#env, this.#errandOf(sent.lease)))
  }

  async #sendFar(run: Sent[]) {
    const left = new Set(run)
    try {
      await ownService<Errand>(this.#ctx, 'Errand').run(
        run.map(({ lease }) => this.#errandOf(lease)),
        async (reports) => {
          for (const { at, outcome } of reports) {
            left.delete(run[at]!)
            this.#end(run[at]!, outcome)
          }
        },
      )
    } catch (error) {
      log('error', { component: 'queue', route: 'errand', ...describe(error) })
    }
    for (const sent of left) this.#end(sent, lost)
  }

  #errandOf({ task, parent, attempt, method, url, headers, json, body, sealed, timeout, piece, request_id }: Lease) {
    const id = formatTaskId({ worker: this.#worker, number: parent ?? task })
    return { id, attempt, method, url, headers, json, body, sealed, timeout, piece, request_id }
  }

  #end({ lease, daemon }: Sent, outcome: RequestOutcome) {
    this.#busy--
    this.#bytes -= sizeOf(lease)
    this.#ended.push({ lease, outcome })
    if (lease.sleep === 0) this.#idle.push(daemon)
    else setTimeout(() => this.#wake(daemon), lease.sleep)
    if (this.#ended.length >= enough * (this.#busy + this.#ended.length)) this.#onEnded()
    else this.#timer ??= setTimeout(this.#onEnded, patience)
  }

  #wake(daemon: number) {
    this.#idle.push(daemon)
    this.#onEnded()
  }
}
