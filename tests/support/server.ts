// Starts HTTP servers for tests.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen } from '../../scripts/lib/server.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/**
 * Starts a server on a free port of the loopback address. An error of a handler, such as after its client has
 * disconnected, ends only that request.
 */
export async function serve(answer: Answer, address?: string) {
  const { url, close } = await listen(
    async (request, response) => {
      try {
        await answer(request, response)
      } catch {
        response.destroy()
      }
    },
    0,
    address,
  )
  return { port: Number(new URL(url).port), close }
}
