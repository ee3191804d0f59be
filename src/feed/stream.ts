import { invalid } from '#core/failure'
import { describe, log } from '#core/http/log'
import { audienceOf } from './announce.ts'
import type { Told } from './audience.ts'
import type { Env } from './bindings.ts'
import type { Shelf } from './filter.ts'
import { Following, newest, type Position } from './following.ts'
import { Inbox } from './inbox.ts'
import type { Feed } from './schema.ts'

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/**
 * A recipient's new records and read changes as server-sent events (WHATWG HTML, section 9.2). An event's id is
 * `record.change`, the last of each. Listening begins before what was missed is read, so that nothing falls between.
 */
export async function listen(env: Env, feed: Feed, shelf: Shelf, recipient: string, lastEventId: string | undefined) {
  const since = lastEventId === undefined ? undefined : positionOf(lastEventId)
  const socket = await connect(env, shelf, recipient)
  const following = new Following(feed, shelf, recipient, since ?? (await newest(feed, shelf, recipient)))
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  void pump(socket, following, writable.getWriter())
  return new Response(readable, { headers })
}

function positionOf(id: string): Position {
  const [, record, change] = id.match(/^(\d{1,15})\.(\d{1,15})$/) ?? []
  if (change === undefined) throw invalid('Last-Event-ID', 'Is not the id of an event of this stream')
  return { record: Number(record), change: Number(change) }
}

async function connect(env: Env, { id }: Shelf, recipient: string): Promise<WebSocket> {
  const url = `http://audience/?${new URLSearchParams({ collection_id: String(id), recipient })}`
  const { webSocket } = await audienceOf(env, { id }, recipient).fetch(url, { headers: { upgrade: 'websocket' } })
  if (!webSocket) throw new Error('The audience did not take the listener')
  return webSocket
}

/** Heartbeats between two looks at what a crash may have kept from being told. */
const patience = 20

/** Writes events until either side leaves. What could not be read is tried again at each heartbeat. */
async function pump(socket: WebSocket, following: Following, writer: WritableStreamDefaultWriter<Uint8Array>) {
  const inbox = new Inbox(socket, () => void writer.abort().catch(() => undefined))
  let isGone = false
  const leave = () => {
    isGone = true
    inbox.end()
  }
  writer.closed.catch(leave)
  const write = (text: string) =>
    writer.write(new TextEncoder().encode(text)).catch((error) => {
      leave()
      throw error
    })
  const catchUp = async (told?: Told) => {
    try {
      for await (const event of following.catchUp(told)) await write(event)
      return true
    } catch (error) {
      if (isGone) throw error
      report(error)
      return false
    }
  }
  try {
    await write(`: listening\nid: ${following.id}\n\n`)
    let isCaughtUp = await catchUp()
    let silent = 0
    for await (const told of inbox) {
      silent = told ? 0 : silent + 1
      if (!told) await write(': still here\n\n')
      if (!isCaughtUp || silent % patience === 0) isCaughtUp = await catchUp(told)
    }
  } catch (error) {
    if (!isGone) report(error)
  } finally {
    socket.close()
    await writer.close().catch(() => undefined)
  }
}

const report = (error: unknown) => log('error', { component: 'feed', route: '/stream', ...describe(error) })
