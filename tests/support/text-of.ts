import type { IncomingMessage } from 'node:http'

/** The body of a request, when all of it is there. */
export async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
