import type { Readable, Writable } from 'node:stream'
import type { ConnectionTransport } from 'puppeteer-core'

/** The DevTools protocol over two pipes, where a NUL ends each message; no port is open that a page could reach. */
export function pipeTransport(out: Writable, incoming: Readable): ConnectionTransport {
  const transport: ConnectionTransport = {
    send: (message) => void out.write(`${message}\0`),
    close: () => {
      out.destroy()
      incoming.destroy()
    },
  }
  // Either breaks when the browser dies, which its exit tells.
  out.on('error', () => {})
  incoming.on('error', () => {})
  incoming.once('close', () => transport.onclose?.())
  readMessages(incoming, (message) => transport.onmessage?.(message))
  return transport
}

function readMessages(incoming: Readable, onMessage: (message: string) => void) {
  let begun: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => {
    let from = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      const message = Buffer.concat([...begun, chunk.subarray(from, end)]).toString()
      begun = []
      from = end + 1
      // Each in a turn of its own, as a socket's messages come: what waits for one runs before the next.
      setImmediate(onMessage, message)
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
  })
}
