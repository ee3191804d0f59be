import { and, asc, eq, gt, max } from 'drizzle-orm'
import { invalid } from '#core/failure'
import { audienceOf, readEvent, recordEvent } from './announce.ts'
import type { Happened } from './audience.ts'
import type { Env } from './env.ts'
import type { Shelf } from './filter.ts'
import { listRecords } from './records.ts'
import type { Feed } from './schema.ts'

/** How far a listener has come: the last record, the last change. As an event's id it is `record.change`. */
interface Position {
  record: number
  read: number
}

const page = 500
const heartbeat = 25_000
const mostBuffered = 10_000

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/**
 * A recipient's new records and read changes as server-sent events (WHATWG HTML, section 9.2). Listening begins before
 * what was missed is read, so that nothing falls between; what both tell goes out once.
 */
export async function listen(env: Env, feed: Feed, shelf: Shelf, recipient: string, lastEventId: string | undefined) {
  const since = lastEventId === undefined ? undefined : positionOf(lastEventId)
  const socket = await connect(env, shelf, recipient)
  const position = since ?? (await newest(feed, shelf, recipient))
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  void pump({ feed, shelf, recipient, socket, position }, writable.getWriter())
  return new Response(readable, { headers })
}

function positionOf(id: string): Position {
  const [, record, read] = id.match(/^(\d{1,15})\.(\d{1,15})$/) ?? []
  if (read === undefined) throw invalid('Last-Event-ID', 'Is not the id of an event of this stream')
  return { record: Number(record), read: Number(read) }
}

async function connect(env: Env, { id }: Shelf, recipient: string): Promise<WebSocket> {
  const url = `http://audience/?${new URLSearchParams({ collection_id: String(id), recipient })}`
  const { webSocket } = await audienceOf(env, { id }, recipient).fetch(url, { headers: { upgrade: 'websocket' } })
  if (!webSocket) throw new Error('The audience did not take the listener')
  return webSocket
}

async function newest({ db, changes }: Feed, { id, records }: Shelf, recipient: string): Promise<Position> {
  const [[record], [read]] = await db.batch([
    db
      .select({ id: max(records.id) })
      .from(records)
      .where(eq(records.recipient, recipient)),
    db
      .select({ id: max(changes.id) })
      .from(changes)
      .where(and(eq(changes.collection_id, id), eq(changes.recipient, recipient))),
  ])
  return { record: record?.id ?? 0, read: read?.id ?? 0 }
}

interface Listener {
  feed: Feed
  shelf: Shelf
  recipient: string
  socket: WebSocket
  position: Position
}

/** Writes events until either side leaves. */
async function pump(
  { feed, shelf, recipient, socket, position }: Listener,
  writer: WritableStreamDefaultWriter<Uint8Array>,
) {
  const inbox = new Inbox(socket)
  try {
    await writer.write(encode(`: listening\nid: ${position.record}.${position.read}\n\n`))
    for await (const missed of missedSince(feed, shelf, recipient, position)) await write(writer, missed, position)
    for await (const happened of inbox) await write(writer, happened, position)
  } catch {
    // The listener has gone: there is nobody to tell.
  } finally {
    socket.close()
    await writer.close().catch(() => undefined)
  }
}

async function write(writer: WritableStreamDefaultWriter<Uint8Array>, happened: Happened[], position: Position) {
  if (happened.length === 0) return writer.write(encode(': still here\n\n'))
  for (const { event, id, data } of happened) {
    if (id <= position[event]) continue
    position[event] = id
    await writer.write(encode(`event: ${event}\nid: ${position.record}.${position.read}\ndata: ${data}\n\n`))
  }
}

const encode = (text: string) => new TextEncoder().encode(text)

async function* missedSince(
  feed: Feed,
  shelf: Shelf,
  recipient: string,
  { record, read }: Position,
): AsyncGenerator<Happened[]> {
  for (let id = record; ; ) {
    const { records } = await listRecords(feed, shelf, { recipient, id, order: 'asc', limit: page, offset: 0 })
    yield records.map(recordEvent)
    if (records.length < page) break
    id = records.at(-1)!.id
  }
  const { db, changes } = feed
  const ofRecipient = and(eq(changes.collection_id, shelf.id), eq(changes.recipient, recipient))
  for (let id = read; ; ) {
    const found = await db
      .select()
      .from(changes)
      .where(and(ofRecipient, gt(changes.id, id)))
      .orderBy(asc(changes.id))
      .limit(page)
    yield found.map(readEvent)
    if (found.length < page) break
    id = found.at(-1)!.id
  }
}

/** What a socket brings, in order; an empty batch now and then, so that a connection that died is noticed. */
class Inbox implements AsyncIterable<Happened[]> {
  readonly #waiting: Happened[][] = []
  #wake: () => void = () => undefined
  #open = true

  constructor(socket: WebSocket) {
    socket.accept()
    socket.addEventListener('message', ({ data }) => {
      this.#waiting.push(JSON.parse(data as string) as Happened[])
      if (this.#waiting.length > mostBuffered) this.#open = false
      this.#wake()
    })
    const leave = () => {
      this.#open = false
      this.#wake()
    }
    socket.addEventListener('close', leave)
    socket.addEventListener('error', leave)
  }

  async *[Symbol.asyncIterator]() {
    while (this.#open) {
      const next = this.#waiting.shift()
      yield next ?? []
      if (this.#waiting.length === 0) await this.#arrival()
    }
  }

  #arrival() {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, heartbeat)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
