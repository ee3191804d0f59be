// Sends a message from the Worker through the durable object of the SMTP server, or by an own connection if the object does
// not answer.
import { describe, log } from '#core/http/log'
import type { Env } from '../bindings.ts'
import { failure } from '../errors.ts'
import { withToken } from '../oauth.ts'
import { inOrder } from '../servers.ts'
import { SmtpFailure } from '../smtp/failure.ts'
import type { SmtpServer } from '../smtp/server.ts'
import type { Accepted } from '../smtp/session.ts'
import { defaultTimeouts, type SmtpTimeouts } from '../smtp/timeouts.ts'
import { objectsOf } from './objects.ts'
import { verdictOf } from './outcome.ts'
import { type Held, maxRateWaitMs } from './outlet-state.ts'
import { poolWaitTimeoutMs, type RemoteBegin, type TransferOutcome } from './smtp-outlet.ts'
import { type Begin, type Transfer, transferAlone } from './transfer.ts'

/** The object is asked whether it answers, if a message has not begun after this time. */
const checkIntervalMs = 5_000
const pingTimeoutMs = 5_000

/**
 * Longest time of a message in the object: it waits for the rate and for a connection, fails on a kept one, and is sent on a
 * new one.
 */
const maxTransferMs = maxRateWaitMs + poolWaitTimeoutMs + 2 * defaultTimeouts.command + defaultTimeouts.all

/** Messages up to this size leave the Worker in one piece, larger ones as a stream. */
const maxPieceBytes = 256_000

/** No further server is tried after this time, in milliseconds. */
const failoverMs = 60_000

interface Content {
  /** Lower bound of the message's size in bytes. */
  size: number
  chunks: () => AsyncIterable<Uint8Array>
  markPointOfNoReturn: () => Promise<void>
}

/** A message that a server accepted, and the name of that server. */
type Dispatched = Accepted & { server: string }

/**
 * Sends a message through the first server that can be used. A server that cannot be used, throttles or is paused passes the
 * message to the next one, unless the message has begun. Throws an `SmtpFailure`, the error of the content, or a `Failure` of
 * the last server.
 */
export async function dispatch(
  env: Env,
  servers: SmtpServer[],
  message: Omit<Transfer, 'server'>,
  content: Content,
  timeouts: SmtpTimeouts | undefined,
): Promise<Dispatched> {
  const end = Date.now() + failoverMs
  let hasBegun = false
  const markPointOfNoReturn = () => {
    hasBegun = true
    return content.markPointOfNoReturn()
  }
  const [first, ...others] = inOrder(servers)
  let server = first!
  let outcome: TransferOutcome | undefined
  for (server of [first!, ...others]) {
    outcome = await attempt(env, { ...message, server }, { ...content, markPointOfNoReturn }, timeouts)
    if (hasBegun || !isOfServer(outcome) || Date.now() >= end) break
  }
  return { ...acceptedOf(outcome!), server: server.name }
}

/** Offers a message to a server. If the server rejects a cached access token, tries once again with a new one. */
async function attempt(
  env: Env,
  job: Transfer,
  content: Content,
  timeouts: SmtpTimeouts | undefined,
): Promise<TransferOutcome> {
  const offer = async (isNew: boolean) =>
    offerTo(env, { ...job, server: await withToken(env, job.server, isNew) }, content, timeouts)
  try {
    const outcome = await offer(false)
    const isRejected = 'failed' in outcome && outcome.failed.step === 'login' && outcome.failed.reason === 'refused'
    return job.server.oauth && isRejected ? await offer(true) : outcome
  } catch (error) {
    if (error instanceof SmtpFailure && error.reason === 'no_token') return { failed: error }
    throw error
  }
}

/** Sends a message through the durable object of the server, or by an own connection. */
async function offerTo(
  { OUTLET }: Env,
  job: Transfer,
  content: Content,
  timeouts: SmtpTimeouts | undefined,
): Promise<TransferOutcome> {
  const { connections } = job.server
  if (connections === 0 || timeouts) return sendAlone(job, content, timeouts ?? defaultTimeouts)
  const objects = objectsOf(job.server)
  const name = objects[Math.floor(Math.random() * objects.length)]!
  const transfer = new ObjectTransfer(OUTLET.getByName(name), content)
  const outcome = await transfer.run(job, Math.ceil(connections / objects.length))
  return outcome ?? sendAlone(job, content, defaultTimeouts)
}

/** Whether the message was not sent because of the server, so that another server may accept it. */
const isOfServer = (outcome: TransferOutcome): boolean =>
  'failed' in outcome ? verdictOf(outcome.failed) !== 'answered' : !('accepted' in outcome)

async function sendAlone(
  job: Transfer,
  { chunks, markPointOfNoReturn }: Content,
  timeouts: SmtpTimeouts,
): Promise<TransferOutcome> {
  const begin: Begin = async () => {
    await markPointOfNoReturn()
    return chunks()
  }
  try {
    return { accepted: await transferAlone(job, begin, timeouts) }
  } catch (error) {
    if (error instanceof SmtpFailure) return { failed: error }
    throw error
  }
}

/** The methods of `SmtpOutlet` that are called through a stub. */
interface OutletStub {
  send(job: Transfer, maxConnections: number, begin: RemoteBegin): Promise<TransferOutcome>
  ping(): Promise<void>
}

/** One message that is sent through the durable object. */
class ObjectTransfer {
  readonly #outlet: OutletStub
  readonly #content: Content
  /** `begun`: the object has asked for the message. `abandoned`: it may not ask for it any more. */
  #state: 'waiting' | 'begun' | 'abandoned' = 'waiting'
  /** The error of `content`, which loses its class on its way through the object. */
  #contentError: { error: unknown } | undefined

  constructor(outlet: OutletStub, content: Content) {
    this.#outlet = outlet
    this.#content = content
  }

  /**
   * Sends the message. Returns undefined if the object does not answer and has not begun the message; from then on it cannot
   * begin it. If the object fails after it has begun, the outcome is unknown.
   */
  async run(job: Transfer, maxConnections: number): Promise<TransferOutcome | undefined> {
    try {
      return await this.#watch(this.#outlet.send(job, maxConnections, this.#begin))
    } catch (error) {
      if (this.#contentError) throw this.#contentError.error
      log('error', { component: 'email', route: 'outlet', ...describe(error) })
      if (this.#abandon()) return undefined
      throw new SmtpFailure('message', 'lost')
    }
  }

  /** Waits for the outcome. A message may take long because the SMTP server is slow, so the object is asked, too. */
  async #watch(sending: Promise<TransferOutcome>): Promise<TransferOutcome | undefined> {
    const end = Date.now() + maxTransferMs
    while (Date.now() < end) {
      const outcome = await within(sending, checkIntervalMs)
      if (outcome) return outcome
      if (this.#state === 'waiting' && !(await this.#answers()) && this.#abandon()) break
    }
    sending.catch(ignore)
    if (this.#abandon()) return undefined
    throw new Error('The object did not send the message in time')
  }

  #begin = async () => {
    if (this.#state === 'abandoned') throw new Error('The message is not sent through this object any more')
    this.#state = 'begun'
    const { markPointOfNoReturn, size } = this.#content
    try {
      await markPointOfNoReturn()
    } catch (error) {
      this.#contentError = { error }
      throw error
    }
    return bodyOf(size, this.#chunks())
  }

  /** The message. If a file cannot be read, the object closes the connection, and the server discards the message. */
  async *#chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#content.chunks()
    } catch (error) {
      this.#contentError = { error }
      throw error
    }
  }

  /** Forbids the object to begin the message. Returns false if it has begun it. */
  #abandon(): boolean {
    if (this.#state === 'waiting') this.#state = 'abandoned'
    return this.#state === 'abandoned'
  }

  async #answers(): Promise<boolean> {
    const answer = this.#outlet.ping().then(
      () => true,
      () => false,
    )
    return (await within(answer, pingTimeoutMs)) ?? false
  }
}

/** Resolves to undefined if the work does not end in time. */
async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, undefined)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

async function bodyOf(
  size: number,
  chunks: AsyncGenerator<Uint8Array>,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  if (size > maxPieceBytes) return streamOf(chunks)
  const pieces: Uint8Array[] = []
  for await (const piece of chunks) pieces.push(piece)
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
}

/** A stream of bytes that reads the message only as fast as the object does. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}

function acceptedOf(outcome: TransferOutcome): Accepted {
  if ('accepted' in outcome) return outcome.accepted
  if ('isBusy' in outcome)
    throw failure('unavailable', 'All connections to the SMTP server are in use. Retry later.', { retryAfter: 5 })
  if ('held' in outcome) throw heldFailure(outcome.held)
  const { step, reason, reply, recipients } = outcome.failed
  throw new SmtpFailure(step, reason, reply, recipients)
}

const heldTexts: Record<Held['reason'], string> = {
  circuit_open: 'The SMTP server has failed several times in a row, so no mail is sent to it at the moment.',
  throttled: 'The SMTP server accepts only a few mails at the moment.',
  paused: 'Mail through the SMTP server is paused.',
}

/** The error of a mail that was not offered to the server. The mail can be sent later. */
const heldFailure = ({ reason, retryAfterMs }: Held) =>
  failure('smtp_failed', heldTexts[reason], {
    undone: true,
    content: { step: reason },
    retryAfter: retryAfterMs / 1_000,
  })

const ignore = () => undefined
