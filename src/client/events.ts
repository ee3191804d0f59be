import { createParser } from 'eventsource-parser'
import { send } from './calling.ts'
import { NoReplyError, QuartermasterError } from './errors.ts'
import { type PreparedRequest, prepare } from './prepare.ts'
import { passReply } from './reading.ts'
import { pauseAfter } from './repeating.ts'
import type { Settings, StreamEvent, StreamOptions } from './types.ts'
import { sleep, timed } from './waiting.ts'

/** The most characters that one event may have. */
const longest = 32_000_000

/** Where a stream is. */
interface Place {
  /** Of the last event. */
  id: string
  /** Milliseconds for which the server wants to be left alone. */
  retry: number
  /** How often it has broken since anything came. */
  breaks: number
}

/**
 * The events of a stream (WHATWG HTML, section 9.2), until the caller leaves or a refusal says that there are none. Where
 * the connection ends, breaks or falls silent it is opened again, and goes on after the last event that came.
 */
export async function* follow(
  settings: Settings,
  asked: PreparedRequest,
  options: StreamOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const { signal, retries = Number.POSITIVE_INFINITY, lastEventId = '' } = options
  const place: Place = { id: lastEventId, retry: 0, breaks: 0 }
  try {
    for (;;) {
      const broken = yield* once(settings, asked, options, place)
      place.breaks++
      const pause = pauseAfter(broken, place.breaks)
      if (place.breaks > retries || pause === undefined || !isPassing(broken)) throw broken
      await sleep(Math.max(pause, place.retry), signal)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

/** The events of one connection; gives what it ended with. */
async function* once(
  settings: Settings,
  asked: PreparedRequest,
  { signal, timeout = 60_000, headers = {} }: StreamOptions,
  place: Place,
): AsyncGenerator<StreamEvent, unknown, undefined> {
  const request = prepare(settings, asked)
  const resume: Record<string, string> = place.id ? { 'last-event-id': place.id } : {}
  const all = { ...request.headers, accept: 'text/event-stream', ...settings.headers, ...headers, ...resume }
  const silence = timed(timeout, signal)
  try {
    const attempt = place.breaks + 1
    const { body } = await send(
      settings,
      asked.component,
      { ...request, headers: all },
      silence.signal,
      attempt,
      passReply,
    )
    if (body) yield* eventsIn(body, place, silence)
    return new NoReplyError('network', attempt)
  } catch (error) {
    return silence.isOver() ? new NoReplyError('timeout', place.breaks + 1) : error
  } finally {
    silence.stop()
  }
}

/** Whether a stream that ended so may be had later. */
const isPassing = (error: unknown) =>
  error instanceof NoReplyError ||
  (error instanceof QuartermasterError && (error.status === 429 || error.status >= 500))

async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  place: Place,
  silence: { start(): void; stop(): void },
): AsyncGenerator<StreamEvent, void, undefined> {
  const events: StreamEvent[] = []
  const parser = createParser({
    maxBufferSize: longest,
    onId: (id) => {
      place.id = id
    },
    onEvent: ({ event = 'message', data }) => events.push({ id: place.id, event, data: parse(data) }),
    onRetry: (milliseconds) => {
      place.retry = milliseconds
    },
  })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      silence.start()
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new NoReplyError('network', 1, cause)
      })
      if (done) return
      // Who takes long over an event does not make the stream a silent one.
      silence.stop()
      place.breaks = 0
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
