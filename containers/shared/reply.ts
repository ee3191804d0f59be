// Sends the HTTP replies of the servers in the containers (JSON, bytes and errors), and logs errors.
import type { ServerResponse } from 'node:http'
import { HttpError } from './http-error.ts'

/** Sends the JSON object `{"status": true, …}` with these keys. */
export const sendJson = (response: ServerResponse, content: Record<string, unknown> = {}) =>
  send(response, 200, { status: true, ...content })

export function sendBytes(response: ServerResponse, type: string, bytes: Buffer) {
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length }).end(bytes)
}

/** Sends an `HttpError` to the caller. Logs any other error, and sends a 500 without details. */
export function refuse(response: ServerResponse, error: unknown) {
  if (response.destroyed || response.writableEnded) return
  const refusal = error instanceof HttpError ? error : unknown(error)
  if (response.headersSent) return void response.destroy()
  const { status, code, message, content, headers } = refusal
  send(response, status, { status: false, status_code: code, message, ...content }, headers)
}

function unknown(error: unknown): HttpError {
  logError(error)
  return new HttpError(500, 'internal_error', 'Something went wrong')
}

/** Logs an error as one line of JSON, with its position in the code. */
export function logError(error: unknown) {
  const { name, message, stack } = error instanceof Error ? error : new Error('not an error')
  const at = stack?.split('\n').find((line) => line.startsWith('    at '))
  console.error(JSON.stringify({ level: 'error', error: name, message: message.split('\n')[0], at: at?.trim() }))
}

function send(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) {
  const text = JSON.stringify(body)
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      ...headers,
    })
    .end(text)
}
