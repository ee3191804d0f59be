import { invalid } from '#core/failure'
import type { Space } from './space.ts'

const heartbeat = 25_000

/** A listener who is so many events behind does not read; it comes back, and goes on where it was. */
const mostBehind = 5_000

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/** Where a listener that comes back was; nothing for one that is new, or that has seen all go. */
export function eventIdOf({ headers }: Request): number | undefined {
  const id = headers.get('last-event-id') || undefined
  if (id !== undefined && !/^\d{1,15}$/.test(id)) throw invalid('Last-Event-ID', 'Is not the id of an event')
  return id === undefined ? undefined : Number(id)
}

/** What is caught in a space, as server-sent events: first what came after an id, where there is one, then what comes. */
export async function followSpace(space: DurableObjectStub<Space>, after: number | undefined): Promise<Response> {
  const query = after === undefined ? '' : `?after=${after}`
  const { webSocket } = await space.fetch(`http://space/${query}`, { headers: { upgrade: 'websocket' } })
  if (!webSocket) throw new Error('The space did not take the listener')
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  pump(webSocket, writable.getWriter())
  return new Response(readable, { headers })
}

/** Writes what a socket brings until either side leaves. */
function pump(socket: WebSocket, writer: WritableStreamDefaultWriter<Uint8Array>) {
  const encoder = new TextEncoder()
  let behind = 0
  const write = (text: string) => {
    if (++behind > mostBehind) return leave()
    writer.write(encoder.encode(text)).then(() => behind--, leave)
  }
  const pulse = setInterval(() => write(': still here\n\n'), heartbeat)
  const leave = () => {
    clearInterval(pulse)
    socket.close()
    writer.close().catch(() => undefined)
  }
  write(': listening\n\n')
  socket.addEventListener('message', ({ data }) => write(String(data)))
  socket.addEventListener('close', leave)
  socket.addEventListener('error', leave)
  socket.accept()
}
