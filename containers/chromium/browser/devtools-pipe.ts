import type { Readable, Writable } from 'node:stream'
import type { ConnectionTransport } from 'puppeteer-core'

/**
 * Transport of puppeteer that speaks the DevTools protocol over two pipes, with NUL-terminated messages. Unlike a port,
 * a pipe cannot be reached by a page.
 */
export function pipeTransport(out: Writable, incoming: Readable): ConnectionTransport {
  const transport: ConnectionTransport = {
    send: (message) => void out.write(`${message}\0`),
    close: () => {
      out.destroy()
      incoming.destroy()
    },
  }
  // Errors of the pipes are ignored: both break when the browser dies, and the exit of its process reports that.
  out.on('error', () => {})
  incoming.on('error', () => {})
  incoming.once('close', () => transport.onclose?.())
  readMessages(incoming, (message) => transport.onmessage?.(message))
  return transport
}

function readMessages(incoming: Readable, onMessage: (message: string) => void) {
  let partial: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => {
    let from = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      const message = Buffer.concat([...partial, chunk.subarray(from, end)]).toString()
      partial = []
      from = end + 1
      // Delivers one message per turn of the event loop, as a socket does, so that code that awaits a message runs
      // before the next one arrives.
      setImmediate(onMessage, message)
    }
    if (from < chunk.length) partial.push(chunk.subarray(from))
  })
}
