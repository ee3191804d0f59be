// A server that answers as its test says, and keeps what it was asked.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request that came. */
interface Came {
  method: string
  /** With its query. */
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** Answers one request. */
export type Answer = (reply: ServerResponse, came: Came) => void

/** A JSON reply. */
export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (reply) =>
    reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** A success that holds `content`. */
export const done = (content: unknown = { id: 1 }) => json({ status: true, content })

/** A refusal. */
export const refused = (status: number, code: string, headers: Record<string, string> = {}) =>
  json({ status: false, status_code: code, message: `Refused: ${code}` }, status, headers)

/** The connection ends without a reply. */
export const cut: Answer = (reply) => reply.destroy()

/** The reply breaks off in its body. */
export const half: Answer = (reply) => {
  reply.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  reply.write('{"status"', () => reply.destroy())
}

/** No reply, as long as the caller waits. */
export const silence: Answer = () => undefined

/** Starts a server that answers its requests in turn, the last answer also to all that come after. */
export async function serve(...answers: Answer[]) {
  const came: Came[] = []
  const server = createServer({ keepAliveTimeout: 0 }, async (request, reply) => {
    const { method = '', url: path = '', headers } = request
    const body = (await buffer(request)).toString()
    came.push({ method, path, headers, body })
    const answer = answers[Math.min(came.length, answers.length) - 1]!
    answer(reply, came.at(-1)!)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    came,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
