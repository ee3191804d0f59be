// The durable object of an SMTP server: keeps connections open between messages, for all requests and isolates.
import { DurableObject } from 'cloudflare:workers'
import { type RecipientReply, SmtpFailure, type SmtpFailureReason, type SmtpStep } from '../smtp/failure.ts'
import type { ServerReply } from '../smtp/reply.ts'
import type { Accepted, MessageBytes } from '../smtp/session.ts'
import { defaultTimeouts } from '../smtp/timeouts.ts'
import { ConnectionPool, PoolBusy } from './connection-pool.ts'
import { dial, type Transfer, transfer } from './transfer.ts'

/** The fields of an `SmtpFailure`: an error loses its class when it leaves the object. */
interface FailedTransfer {
  step: SmtpStep
  reason: SmtpFailureReason
  reply: ServerReply | undefined
  recipients: RecipientReply[]
}

/** The outcome of a message. `isBusy`: no connection became free in time, and nothing was sent. */
export type TransferOutcome = { accepted: Accepted } | { failed: FailedTransfer } | { isBusy: true }

/** How long a message waits for a free connection. */
export const poolWaitTimeoutMs = 20_000

/** Durable object: sends messages to one SMTP server by kept connections. The pool is only in memory. */
export class SmtpOutlet extends DurableObject<unknown> {
  readonly #pool = new ConnectionPool()

  /**
   * Sends a message. `begin` is a function of the caller's Worker, called when the server has asked for the message: a large
   * message is then streamed from that Worker, and is never in the memory of this object as a whole.
   *
   * A message is repeated on a new connection only if a kept connection fails before `begin` is called, so that a message of
   * which the server may have a part is never sent again.
   */
  async send(
    job: Transfer,
    maxConnections: number,
    begin: () => Promise<Uint8Array | ReadableStream<Uint8Array>>,
  ): Promise<TransferOutcome> {
    let hasBegun = false
    const start = async (): Promise<MessageBytes> => {
      hasBegun = true
      const message = await begin()
      return message instanceof Uint8Array ? message : chunksOf(message)
    }
    const dialer = { key: JSON.stringify([job.server, job.clientName]), dial: () => dial(job, defaultTimeouts) }
    try {
      const accepted = await this.#pool.use(
        dialer,
        { maxConnections, waitTimeoutMs: poolWaitTimeoutMs },
        (session) => transfer(session, job, start),
        (error) => !hasBegun && isOfConnection(error),
      )
      return { accepted }
    } catch (error) {
      if (error instanceof PoolBusy) return { isBusy: true }
      if (!(error instanceof SmtpFailure)) throw error
      const { step, reason, reply, recipients } = error
      return { failed: { step, reason, reply, recipients } }
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
