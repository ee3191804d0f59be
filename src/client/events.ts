import { createParser } from 'eventsource-parser'
import { send } from './calling.ts'
import { NoReplyError, QuartermasterError } from './errors.ts'
import { type Asked, prepare } from './prepare.ts'
import { passReply } from './reading.ts'
import { pauseAfter } from './repeating.ts'
import type { Settings, StreamEvent, StreamOptions } from './types.ts'
import { sleep, timed } from './waiting.ts'

/** The most characters that one event may have. */
const longest = 16_000_000

/**
 * The events of a stream (WHATWG HTML, section 9.2), until the caller leaves or a refusal says that there are none. Where
 * the connection breaks or falls silent it is opened again, and goes on after the last event that came.
 */
export async function* follow(
  settings: Settings,
  asked: Asked,
  options: StreamOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const { signal, timeout = 60_000, retries = Number.POSITIVE_INFINITY } = options
  const request = prepare(settings, asked)
  const place: Place = { id: options.lastEventId, retry: undefined }
  for (let failures = 0; !signal?.aborted; ) {
    const limit = timed(timeout, signal)
    try {
      const headers = {
        ...{ ...request.headers, accept: 'text/event-stream', ...settings.headers, ...options.headers },
        ...(place.id !== undefined && { 'last-event-id': place.id }),
      }
      const { body } = await send(
        settings,
        asked.component,
        { ...request, headers },
        limit.signal,
        failures + 1,
        passReply,
      )
      for await (const event of body ? eventsIn(body, place, limit.start) : []) {
        failures = 0
        yield event
      }
      failures++
      if (failures > retries) return
      await sleep(place.retry ?? pauseAfter(undefined, failures)!, signal)
    } catch (error) {
      if (signal?.aborted) return
      failures++
      const pause = pauseAfter(error, failures)
      if (failures > retries || pause === undefined || !isPassing(error)) throw error
      await sleep(Math.max(pause, place.retry ?? 0), signal).catch(() => undefined)
    } finally {
      limit.stop()
    }
  }
}

/** Where a stream is: the last id, and how long the server wants to be left alone, in milliseconds. */
interface Place {
  id: string | undefined
  retry: number | undefined
}

/** Whether a stream that ended so may be had later. */
const isPassing = (error: unknown) =>
  error instanceof NoReplyError ||
  (error instanceof QuartermasterError && [429, 500, 502, 503, 504].includes(error.status))

/** The events of one connection; `alive` is called for all that comes, comments too. */
async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  place: Place,
  alive: () => void,
): AsyncGenerator<StreamEvent, void, undefined> {
  const events: StreamEvent[] = []
  const parser = createParser({
    maxBufferSize: longest,
    onEvent: ({ id, event = 'message', data }) => {
      place.id = id ?? place.id
      events.push({ id: place.id, event, data: parse(data) })
    },
    onId: (id) => {
      place.id = id
    },
    onRetry: (milliseconds) => {
      place.retry = milliseconds
    },
  })
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new NoReplyError('network', 1, cause)
      })
      if (done) return
      alive()
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
