// A server of the run's own, which outlives every kill.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { host } from '../stack/port.ts'

export interface Listening {
  url: string
  close(): void
}

/** Listens on this port, or on any free one. */
export async function listen(listener: RequestListener, port = 0, address = host): Promise<Listening> {
  // It never closes an idle connection by itself: a request that is just under way there would fail for no reason of ours.
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

/** The whole JSON body of a request. */
export async function jsonOf(request: AsyncIterable<Buffer>): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}
