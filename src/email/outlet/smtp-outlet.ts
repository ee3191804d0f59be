// The durable object of an SMTP server: keeps connections open between messages, and its circuit breaker and rate, for all
// requests and isolates.
import { DurableObject } from 'cloudflare:workers'
import { type RecipientReply, SmtpFailure, type SmtpFailureReason, type SmtpStep } from '../smtp/failure.ts'
import type { ServerReply } from '../smtp/reply.ts'
import type { SmtpServer } from '../smtp/server.ts'
import type { Accepted, MessageBytes } from '../smtp/session.ts'
import { defaultTimeouts } from '../smtp/timeouts.ts'
import { ConnectionPool, PoolBusy } from './connection-pool.ts'
import { type Admitted, type Held, OutletState, type OutletStateView } from './outlet-state.ts'
import { dial, type Transfer, transfer } from './transfer.ts'

/** The fields of an `SmtpFailure`: an error loses its class when it leaves the object. */
interface FailedTransfer {
  step: SmtpStep
  reason: SmtpFailureReason
  reply: ServerReply | undefined
  recipients: RecipientReply[]
}

/**
 * The outcome of a message. `isBusy`: no connection became free in time. `held`: the server gets no message now. In both cases
 * nothing was sent.
 */
export type TransferOutcome = { accepted: Accepted } | { failed: FailedTransfer } | { isBusy: true } | { held: Held }

/** `begin` as a function of the caller's Worker. */
export type RemoteBegin = () => Promise<Uint8Array | ReadableStream<Uint8Array>>

/** How long a message waits for a free connection. */
export const poolWaitTimeoutMs = 20_000

/** Durable object: sends messages to one SMTP server by kept connections. The pool is only in memory. */
export class SmtpOutlet extends DurableObject<unknown> {
  readonly #pool = new ConnectionPool()
  readonly #state = new OutletState(this.ctx.storage.kv)

  /**
   * Sends a message, unless the circuit is open or the rate is exceeded. `begin` is a function of the caller's Worker, called when the server has asked for the message: a large
   * message is then streamed from that Worker, and is never in the memory of this object as a whole.
   *
   * A message is repeated on a new connection only if a kept connection fails before `begin` is called, so that a message of
   * which the server may have a part is never sent again.
   */
  async send(job: Transfer, maxConnections: number, begin: RemoteBegin): Promise<TransferOutcome> {
    const admission = this.#state.admit(Date.now())
    if ('reason' in admission) return { held: admission }
    if (admission.waitMs > 0) await scheduler.wait(admission.waitMs)
    try {
      const accepted = await this.#transfer(job, maxConnections, begin)
      this.#state.recordSuccess(admission, Date.now())
      return { accepted }
    } catch (error) {
      return this.#outcomeOf(error, admission)
    }
  }

  /** Sends the message by a kept connection. */
  async #transfer(job: Transfer, maxConnections: number, begin: RemoteBegin): Promise<Accepted> {
    let hasBegun = false
    const start = async (): Promise<MessageBytes> => {
      hasBegun = true
      const message = await begin()
      return message instanceof Uint8Array ? message : chunksOf(message)
    }
    const dialer = { key: JSON.stringify([job.server, job.clientName]), dial: () => dial(job, defaultTimeouts) }
    return this.#pool.use(
      dialer,
      { maxConnections, waitTimeoutMs: poolWaitTimeoutMs },
      (session) => transfer(session, job, start),
      (error) => !hasBegun && isOfConnection(error),
    )
  }

  #outcomeOf(error: unknown, admission: Admitted): TransferOutcome {
    if (!(error instanceof SmtpFailure)) {
      this.#state.release(admission)
      if (error instanceof PoolBusy) return { isBusy: true }
      throw error
    }
    this.#state.recordFailure(admission, error, Date.now())
    const { step, reason, reply, recipients } = error
    return { failed: { step, reason, reply, recipients } }
  }

  /** The state of the server for operators. */
  view(): OutletStateView & { waiting: number; connections: number } {
    const { waiting, connections } = this.#pool
    return { ...this.#state.view(Date.now()), waiting, connections }
  }

  /** Stops or continues all messages to the server. */
  setPaused(isPaused: boolean): void {
    this.#state.setPaused(isPaused)
  }

  /** Connects to the server and logs in, also if the circuit is open. The circuit closes if that succeeds. */
  async probe(server: SmtpServer, clientName: string): Promise<void> {
    this.#state.allowProbe()
    const admission = this.#state.admit(Date.now())
    if ('reason' in admission) return
    try {
      const session = await dial({ server, clientName }, defaultTimeouts)
      session.leave()
      this.#state.recordSuccess(admission, Date.now())
    } catch (error) {
      this.#outcomeOf(error, admission)
    }
  }

  /** Resolves at once. A Worker calls it to notice that the object does not answer. */
  ping(): void {}

  /** Closes the idle connections with QUIT. */
  closeIdle(): void {
    this.#pool.closeIdle()
  }
}

/** The chunks of a stream. The promise `closed` is ignored, since `read` throws the same error. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.getReader()
  reader.closed.catch(() => undefined)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Whether an error concerns the connection, not the message: it broke, the server is silent, or closes it with 421. */
const isOfConnection = (error: unknown) =>
  error instanceof SmtpFailure &&
  (error.reason === 'lost' ||
    error.reason === 'late' ||
    error.reason === 'garbled' ||
    (error.reason === 'refused' && error.reply?.code === 421))
