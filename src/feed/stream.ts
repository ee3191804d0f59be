// Handles `GET /stream`: sends the events of a recipient to a browser as server-sent events (WHATWG HTML, section 9.2).
import { isStillValid, type Validity } from '#core/access/still-valid'
import { invalid } from '#core/failure'
import { describe, log } from '#core/http/log'
import type { FeedNotice } from './audience.ts'
import type { Env } from './bindings.ts'
import type { CollectionTable } from './conditions.ts'
import type { Feed } from './schema.ts'
import { newestPosition, type Position, StreamCursor } from './stream-cursor.ts'
import { subscribe } from './subscribers.ts'

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

const heartbeatMs = 15_000

/**
 * Number of heartbeats between two reads of the database without a notice. These reads find rows whose notice was lost in a
 * crash.
 */
const heartbeatsPerPoll = 20

/** A subscriber with more notices waiting than this is disconnected, since its client reads too slowly. It can resume. */
const maxWaitingNotices = 1_000

/**
 * Streams the new records and changes of a recipient. An event id is `record.change`, the last id of each. The stream
 * subscribes before it reads the missed events, so that no event in between is lost. It ends with the credential of the caller.
 */
export async function openStream(
  env: Env,
  feed: Feed,
  table: CollectionTable,
  recipient: string,
  lastEventId: string | undefined,
  caller: Validity | undefined,
) {
  const since = lastEventId === undefined ? undefined : positionOf(lastEventId)
  const socket = await subscribe(env, table, recipient)
  const cursor = new StreamCursor(feed, table, recipient, since ?? (await newestPosition(feed, table, recipient)))
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const mayContinue = async () => !caller || isStillValid(env, caller)
  void writeEvents(socket, cursor, writable.getWriter(), mayContinue)
  return new Response(readable, { headers })
}

function positionOf(id: string): Position {
  const [, record, change] = id.match(/^(\d{1,15})\.(\d{1,15})$/) ?? []
  if (change === undefined) throw invalid('Last-Event-ID', 'Must be the id of an event of this stream, such as 17.4')
  return { record: Number(record), change: Number(change) }
}

/**
 * Writes events until the client or the subscription disconnects, or the caller may not continue. A read of the database that fails
 * is retried at the next heartbeat.
 */
async function writeEvents(
  socket: WebSocket,
  cursor: StreamCursor,
  writer: WritableStreamDefaultWriter<Uint8Array>,
  mayContinue: () => Promise<boolean>,
) {
  const notices = new NoticeBuffer(socket, () => void writer.abort().catch(() => undefined))
  let isClosed = false
  const close = () => {
    isClosed = true
    notices.end()
  }
  writer.closed.catch(close)
  const write = (text: string) =>
    writer.write(new TextEncoder().encode(text)).catch((error) => {
      close()
      throw error
    })
  const catchUp = async (notice?: FeedNotice) => {
    try {
      for await (const event of cursor.catchUp(notice)) await write(event)
      return true
    } catch (error) {
      if (isClosed) throw error
      report(error)
      return false
    }
  }
  try {
    await write(`: listening\nid: ${cursor.eventId}\n\n`)
    let isCaughtUp = await catchUp()
    let heartbeats = 0
    for await (const notice of notices) {
      if (!(await mayContinue())) {
        await write(': the credentials are not valid any more\n\n')
        break
      }
      heartbeats = notice ? 0 : heartbeats + 1
      if (!notice) await write(': still here\n\n')
      if (!isCaughtUp || heartbeats % heartbeatsPerPoll === 0) isCaughtUp = await catchUp(notice)
    }
  } catch (error) {
    if (!isClosed) report(error)
  } finally {
    socket.close()
    await writer.close().catch(() => undefined)
  }
}

const report = (error: unknown) => log('error', { component: 'feed', route: '/stream', ...describe(error) })

/**
 * Buffer of the notices from a subscription. Yields all waiting notices as one, and undefined at each heartbeat without any. It
 * ends with the socket. If it overflows, it closes the socket and calls `onOverflow`.
 */
class NoticeBuffer implements AsyncIterable<FeedNotice | undefined> {
  #waiting: FeedNotice[] = []
  #wake: () => void = () => undefined
  #isOpen = true

  constructor(socket: WebSocket, onOverflow: () => void) {
    socket.accept()
    socket.addEventListener('message', ({ data }) => {
      if (!this.#isOpen) return
      this.#waiting.push(JSON.parse(data as string) as FeedNotice)
      this.#wake()
      if (this.#waiting.length <= maxWaitingNotices) return
      this.#waiting = []
      this.end()
      socket.close()
      onOverflow()
    })
    for (const end of ['close', 'error'] as const) socket.addEventListener(end, () => this.end())
  }

  async *[Symbol.asyncIterator]() {
    while (this.#isOpen) {
      if (this.#waiting.length === 0) await this.#arrival()
      const notices = this.#waiting
      this.#waiting = []
      if (notices.length === 0 && !this.#isOpen) return
      yield notices.length === 0 ? undefined : joined(notices)
    }
  }

  end() {
    this.#isOpen = false
    this.#wake()
  }

  #arrival() {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, heartbeatMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

const joined = (notices: FeedNotice[]): FeedNotice => ({
  records: notices.flatMap(({ records }) => records),
  changes: notices.flatMap(({ changes }) => changes),
})
