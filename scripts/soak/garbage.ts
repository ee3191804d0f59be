// Has the runtime collect its garbage, so that what is measured is what it holds.
import { once } from 'node:events'
import { host } from '../stack/port.ts'

/** Milliseconds within which an isolate has to let itself be inspected; one that nobody has asked anything yet does not. */
const patience = 3_000

interface Garbage {
  /** Asks all isolates to collect theirs; does not wait for it. */
  collect(): void
  close(): void
}

/**
 * The garbage of all isolates, by the runtime's inspector (Chrome DevTools Protocol, HeapProfiler.collectGarbage). By itself
 * an isolate with a small heap hardly ever collects any, and as long it keeps what its objects hold outside of that heap:
 * some 40 KB of each request.
 */
export async function garbageOf(inspector: number): Promise<Garbage> {
  const listed = await fetch(`http://${host}:${inspector}/json`, { signal: AbortSignal.timeout(patience) })
  const isolates = (await listed.json()) as { webSocketDebuggerUrl: string }[]
  const sockets = isolates.map(({ webSocketDebuggerUrl }) => new WebSocket(webSocketDebuggerUrl))
  const signal = AbortSignal.timeout(patience)
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
