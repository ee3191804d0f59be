// Stands for the module `cloudflare:sockets` in a simulation.
import { running } from '../platform/event-loop.ts'
import { currentNetwork } from '../platform/globals.ts'

/** Opens a connection, over which one HTTP request is sent. Unlike `fetch`, a socket does not wait for the writes of its process. */
export function connect({ hostname, port }: { hostname: string; port: number }) {
  const process = running.getStore()
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>()
  const response = new TransformStream<Uint8Array, Uint8Array>()
  const writer = response.writable.getWriter()
  const write = async (bytes: Uint8Array) => {
    const [head = '', body = ''] = new TextDecoder().decode(bytes).split('\r\n\r\n')
    const [first = '', ...lines] = head.split('\r\n')
    const [method = '', path = ''] = first.split(' ')
    const headers = Object.fromEntries(lines.map((line) => line.split(': ')))
    currentNetwork().deliver({ method, url: `http://${hostname}:${port}${path}`, headers, body }, process, (answer) => {
      if (!answer || answer.isTorn)
        return void writer.abort(new TypeError('Network connection lost.')).catch(() => undefined)
      const content = new TextEncoder().encode(answer.body ?? '')
      const named = Object.entries({ ...answer.headers, 'content-length': content.length })
      const text = [`HTTP/1.1 ${answer.status} OK`, ...named.map(([name, value]) => `${name}: ${value}`), '', ''].join(
        '\r\n',
      )
      void writer
        .write(new TextEncoder().encode(text))
        .then(() => writer.write(content))
        .then(() => writer.close())
        .catch(() => undefined)
    })
  }
  return {
    opened: Promise.resolve({}),
    closed,
    readable: response.readable,
    writable: new WritableStream<Uint8Array>({ write }),
    close: async () => {
      onClosed()
      await writer.close().catch(() => undefined)
    },
  }
}
