// HTTP servers for measurements and tests, which run outside the stack and survive its kills.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { host } from '../stack/port.ts'

export interface Listening {
  url: string
  close(): void
}

/** Listens at this port, or at any free port. */
export async function listen(listener: RequestListener, port = 0, address = host): Promise<Listening> {
  // Keep-alive connections do not expire, because a request that arrives while its connection is being closed would
  // fail.
  const server = createServer({ keepAliveTimeout: 0 }, listener).listen(port, address)
  await once(server, 'listening')
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Reads the whole JSON body of a request. */
export async function jsonOf(request: AsyncIterable<Buffer>): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}
