// Reads streams of server-sent events from the API, and reconnects when a connection ends.
import { createParser } from 'eventsource-parser'
import { send } from './call.ts'
import { NoReplyError, QuartermasterError } from './errors.ts'
import { passReply } from './reply.ts'
import { type OperationCall, prepare } from './request.ts'
import { retryDelayMs } from './retry.ts'
import { sleep, startTimeout } from './timeout.ts'
import type { Settings, StreamEvent, StreamOptions } from './types.ts'

/** Maximum length of one event in characters, so that a broken stream cannot fill the memory. */
const maxEventLength = 32_000_000

/** The state of a stream that survives a new connection. */
interface StreamState {
  /** Id of the last event. A new connection sends it, so that the API continues after this event. */
  id: string
  /** Milliseconds to wait before reconnecting, set by the server. */
  retry: number
  /** Number of failed connections in a row since data last arrived. */
  failures: number
}

/**
 * Yields the events of a stream of server-sent events (WHATWG HTML, section 9.2) until the caller stops or the API answers with an
 * error. If the connection ends, fails or is silent, it reconnects and resumes after the last event.
 */
export async function* follow(
  settings: Settings,
  operation: OperationCall,
  options: StreamOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const { signal, retries = Number.POSITIVE_INFINITY, lastEventId = '' } = options
  const state: StreamState = { id: lastEventId, retry: 0, failures: 0 }
  try {
    for (;;) {
      const error = yield* connect(settings, operation, options, state)
      state.failures++
      const delay = retryDelayMs(error, state.failures)
      if (state.failures > retries || delay === undefined || !isTemporary(error)) throw error
      await sleep(Math.max(delay, state.retry), signal)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

/** Yields the events of one connection, and returns the error that ended it. */
async function* connect(
  settings: Settings,
  operation: OperationCall,
  { signal, timeout = 60_000, headers = {} }: StreamOptions,
  state: StreamState,
): AsyncGenerator<StreamEvent, unknown, undefined> {
  const request = prepare(settings, operation)
  const resume: Record<string, string> = state.id ? { 'last-event-id': state.id } : {}
  const all = { ...request.headers, accept: 'text/event-stream', ...settings.headers, ...headers, ...resume }
  const idle = startTimeout(timeout, signal)
  try {
    const attempt = state.failures + 1
    const { body } = await send(
      settings,
      operation.component,
      { ...request, headers: all },
      idle.signal,
      attempt,
      passReply,
    )
    if (body) yield* eventsIn(body, state, idle)
    return new NoReplyError('network', attempt)
  } catch (error) {
    return idle.hasExpired() ? new NoReplyError('timeout', state.failures + 1) : error
  } finally {
    idle.stop()
  }
}

/** Whether a new connection can succeed after this error, so that the client reconnects. */
const isTemporary = (error: unknown) =>
  error instanceof NoReplyError ||
  (error instanceof QuartermasterError && (error.status === 429 || error.status >= 500))

async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  state: StreamState,
  idle: { start(): void; stop(): void },
): AsyncGenerator<StreamEvent, void, undefined> {
  const events: StreamEvent[] = []
  const parser = createParser({
    maxBufferSize: maxEventLength,
    onId: (id) => {
      state.id = id
    },
    onEvent: ({ event = 'message', data }) => events.push({ id: state.id, event, data: parse(data) }),
    onRetry: (milliseconds) => {
      state.retry = milliseconds
    },
  })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      idle.start()
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new NoReplyError('network', 1, cause)
      })
      if (done) return
      // Stops the idle timeout while the caller processes events: only the server's silence counts.
      idle.stop()
      state.failures = 0
      parser.feed(decoder.decode(value, { stream: true }))
      yield* events.splice(0)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
