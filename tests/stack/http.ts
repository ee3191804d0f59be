// HTTP requests of tests that `fetch` cannot make: a GET with a body, a path that is not normalised, another Host
// header.
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

export interface RequestOptions {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** Path that replaces the path of the URL. It is sent unchanged. */
  path?: string
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Sends a request, and resolves when the head of the reply has arrived. */
export const open = (
  url: string,
  { method = 'GET', headers = {}, body, path }: RequestOptions = {},
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const sent = request(url, { method, headers: { ...length, ...headers }, ...(path && { path }) }, resolve)
    sent.once('error', reject)
    sent.end(body)
  })

/** Sends a request, and reads the reply to its end. */
export async function ask(url: string, options: RequestOptions = {}): Promise<Answer> {
  const reply = await open(url, options)
  let text = ''
  for await (const chunk of reply.setEncoding('utf8')) text += chunk
  return { status: reply.statusCode!, headers: reply.headers, text }
}

/** Sends JSON and reads JSON. */
export async function askJson(
  url: string,
  method: string,
  params?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const { status, text } = await ask(url, {
    method,
    headers,
    ...(params !== undefined && { body: JSON.stringify(params) }),
  })
  return { status, body: JSON.parse(text) }
}
