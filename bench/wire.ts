// The HTTP client of the load process: one kept-open connection, one request at a time. It uses little CPU time,
// because it shares the machine with the measured software.
import { connect, type Socket } from 'node:net'
import type { BenchRequest } from './operation.ts'

export interface HttpWire {
  /** Sends a request, and resolves with the status of the reply. */
  ask(sent: BenchRequest): Promise<number>
  close(): void
}

export function wireTo(origin: string): HttpWire {
  const { hostname, port } = new URL(origin)
  let socket: Socket | undefined
  const open = () =>
    connect(Number(port), hostname)
      .setNoDelay()
      .on('error', () => undefined)
      // A server closes idle connections. The next request opens a new one.
      .on('close', () => (socket = undefined))
      .resume()
  return {
    ask: (sent) => {
      socket ??= open()
      socket.write(bytesOf(sent, `${hostname}:${port}`))
      return answer(socket)
    },
    close: () => socket?.destroy(),
  }
}

function bytesOf({ method, path, body, headers = {} }: BenchRequest, host: string): string {
  const content = body === undefined ? '' : JSON.stringify(body)
  const lines = Object.entries(headers).map(([key, value]) => `${key}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${Buffer.byteLength(content)}\r\n${lines.join('')}\r\n${content}`
}

/** Reads a reply to its end, by its length or its last chunk. Resolves with the status. */
function answer(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = ''
    const done = (status: number) => {
      socket.off('data', take).off('error', reject).off('close', lost)
      resolve(status)
    }
    const take = (data: Buffer) => {
      text += data.toString('latin1')
      const head = text.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1]
      const isWhole = length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= head + 4 + Number(length)
      if (isWhole) done(Number(text.slice(9, 12)))
    }
    const lost = () => reject(new Error('The connection was closed'))
    socket.on('data', take).on('error', reject).on('close', lost)
  })
}
