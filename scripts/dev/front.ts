// The proxy in front of the gateway in `npm run dev`: holds requests while a Worker restarts, and passes everything
// else on unchanged.
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { host } from '../stack/port.ts'

/** Listens at `port` and passes requests to the gateway at `gatewayPort`, each once `ready` has resolved. */
export async function startFront(port: number, gatewayPort: number, ready: () => Promise<void>): Promise<Server> {
  const agent = new Agent({ keepAlive: true })
  const pass = (incoming: IncomingMessage, answer: ServerResponse) => {
    const { method, url, rawHeaders } = incoming
    const passed = request({ host, port: gatewayPort, method, path: url, headers: rawHeaders, agent }, (response) => {
      answer.writeHead(response.statusCode!, response.statusMessage, response.rawHeaders)
      response.on('error', () => answer.destroy()).pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    incoming.pipe(passed)
  }
  const server = createServer({ requestTimeout: 0 }, async (incoming, answer) => {
    await ready()
    pass(incoming, answer)
  })
  // Refuses all WebSockets that are not Vite's, since the API has none. Vite handles those with its own protocol.
  server.on('upgrade', ({ headers }, socket) => {
    if (!headers['sec-websocket-protocol']?.startsWith('vite-')) socket.destroy()
  })
  await once(server.listen(port, host), 'listening')
  return server
}
