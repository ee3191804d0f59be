// Live stream of a space's caught requests as server-sent events, copied from a WebSocket of the space.
import { hasTimeLeft, isStillValid, type Validity } from '#core/access/still-valid'
import { invalid } from '#core/failure'
import type { Env } from './bindings.ts'
import type { Space } from './space.ts'

const heartbeatMs = 15_000

/** A client with more unread events than this is disconnected. It can reconnect with `Last-Event-ID`. */
const maxUnreadEvents = 5_000

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/** The `Last-Event-ID` of a client that reconnects; undefined for a new client, or after `cleared`. */
export function eventIdOf({ headers }: Request): number | undefined {
  const id = headers.get('last-event-id') || undefined
  if (id !== undefined && !/^\d{1,15}$/.test(id))
    throw invalid('Last-Event-ID', 'Must be the id of an event: 1 to 15 digits')
  return id === undefined ? undefined : Number(id)
}

/**
 * Streams a space as server-sent events: the requests after an id, if given, then new ones. The stream ends with the credential of
 * the caller.
 */
export async function followSpace(
  env: Env,
  space: DurableObjectStub<Space>,
  after: number | undefined,
  caller: Validity,
): Promise<Response> {
  const query = after === undefined ? '' : `?after=${after}`
  const { webSocket } = await space.fetch(`http://space/${query}`, { headers: { upgrade: 'websocket' } })
  if (!webSocket) throw new Error('The space did not accept the WebSocket')
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  pump(env, webSocket, writable.getWriter(), caller)
  return new Response(readable, { headers })
}

/** Copies messages of a socket to the response until either side closes, or the credential of the caller ends. */
function pump(env: Env, socket: WebSocket, writer: WritableStreamDefaultWriter<Uint8Array>, caller: Validity) {
  const encoder = new TextEncoder()
  let unread = 0
  const write = (text: string) => {
    if (++unread > maxUnreadEvents) return leave()
    writer.write(encoder.encode(text)).then(() => unread--, leave)
  }
  const end = () => {
    write(': the credentials are not valid any more\n\n')
    leave()
  }
  const heartbeat = setInterval(async () => {
    if (await isStillValid(env, caller)) write(': still here\n\n')
    else end()
  }, heartbeatMs)
  const leave = () => {
    clearInterval(heartbeat)
    socket.close()
    writer.close().catch(() => undefined)
  }
  write(': listening\n\n')
  socket.addEventListener('message', ({ data }) => (hasTimeLeft(caller) ? write(String(data)) : end()))
  socket.addEventListener('close', leave)
  socket.addEventListener('error', leave)
  socket.accept()
}
