// Makes the runtime of a soak test collect its garbage, so that the measured memory is the memory in use.
import { once } from 'node:events'
import { host } from '../stack/port.ts'

/**
 * Time within which an isolate must accept the inspector's connection. An isolate that has had no requests does not
 * accept it.
 */
const connectTimeoutMs = 3_000

interface Garbage {
  /** Starts a garbage collection in all isolates, and does not wait for its end. */
  collect(): void
  close(): void
}

/**
 * Connects to the inspector of all isolates (Chrome DevTools Protocol, HeapProfiler.collectGarbage). An isolate with a small
 * heap hardly ever collects garbage itself, and until then keeps the memory outside of its heap: about 40 KB per request.
 */
export async function garbageOf(inspector: number): Promise<Garbage> {
  const response = await fetch(`http://${host}:${inspector}/json`, { signal: AbortSignal.timeout(connectTimeoutMs) })
  const isolates = (await response.json()) as { webSocketDebuggerUrl: string }[]
  const sockets = isolates.map(({ webSocketDebuggerUrl }) => new WebSocket(webSocketDebuggerUrl))
  const signal = AbortSignal.timeout(connectTimeoutMs)
  await Promise.allSettled(sockets.map((socket) => once(socket, 'open', { signal })))
  return {
    collect: () => {
      for (const socket of sockets)
        if (socket.readyState === WebSocket.OPEN)
          socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
    },
    close: () => {
      for (const socket of sockets) socket.close()
    },
  }
}
