import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen } from '../../scripts/lib/server.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/** A server for tests, on a free port of the loopback address. What goes wrong with a request, as where its caller is gone, ends that alone. */
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
