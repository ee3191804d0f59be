// Turns the reply of a stub into an HTTP response, without a forbidden body or unsafe headers.
import type { StubReply } from './contract/stubs.ts'
import { isBodyless, sandboxed } from './reply-headers.ts'

/** The reply of a stub as an HTTP response, after its delay. */
export async function responseOf(reply: StubReply): Promise<Response> {
  const { status, headers, body, json, delay, slow_ms, cut_after } = reply
  if (delay > 0) await scheduler.wait(delay)
  const text = json ?? body ?? ''
  const isPlain = slow_ms === 0 && cut_after === undefined
  const type = json === undefined ? 'text/plain;charset=UTF-8' : 'application/json; charset=utf-8'
  const isTyped = json !== undefined || body !== undefined
  return new Response(isBodyless(status) ? null : isPlain ? (isTyped ? text : null) : streamOf(text, reply), {
    status,
    headers: sandboxed({ ...(isTyped && !isBodyless(status) && { 'content-type': type }), ...lowercase(headers) }),
  })
}

const lowercase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Milliseconds between two parts of a slow body, if it has enough bytes. */
const slowIntervalMs = 50
const maxParts = 200

/** Sends a text in parts over `slow_ms`, up to `cut_after` bytes. An error of the stream breaks the connection. */
function streamOf(text: string, { slow_ms, cut_after }: StubReply): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  const end = Math.min(bytes.length, cut_after ?? bytes.length)
  const parts = Math.min(end, Math.max(1, Math.ceil(slow_ms / slowIntervalMs)), maxParts)
  let part = 0
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (part === parts) return cut_after === undefined ? controller.close() : breakOff(controller)
    if (slow_ms > 0) await scheduler.wait(slow_ms / parts)
    const begin = Math.floor((end * part++) / parts)
    controller.enqueue(bytes.subarray(begin, Math.floor((end * part) / parts)))
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}

/** Milliseconds between the last byte of a reply that is cut off and the error, so that the byte is sent before. */
const flushMs = 100

async function breakOff(controller: ReadableStreamDefaultController) {
  await scheduler.wait(flushMs)
  controller.error(new Error('The stub cuts off its reply'))
}
