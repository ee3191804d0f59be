import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/** A server for tests, on a free port of this machine. What goes wrong with a request, as where its caller is gone, ends that alone. */
export async function serve(answer: Answer) {
  const server = createServer(async (request, response) => {
    try {
      await answer(request, response)
    } catch {
      response.destroy()
    }
  })
  // Else one that has been idle for five seconds is closed, perhaps just as it is used again.
  server.keepAliveTimeout = 0
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
