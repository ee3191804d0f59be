import type { IncomingMessage } from 'node:http'

/** Reads the body of a request to its end, as text. */
export async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
