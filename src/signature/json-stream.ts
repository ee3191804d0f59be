import { describe, log } from '#core/http/log'
import type { Base64 } from './base64-stream.ts'

const headers = { 'content-type': 'application/json; charset=utf-8' }

/** A reply whose JSON comes in pieces: of signed data, which may have megabytes, it holds but one. */
export const streamed = (pieces: AsyncGenerator<string>, status = 200) =>
  new Response(streamOf(logged(pieces)), { status, headers })

/** The JSON of an object whose key `signature` is empty, with base64 there instead, in pieces. */
export async function* fillSignature(json: string, signature: Base64): AsyncGenerator<string> {
  // Within a string of JSON a quote is escaped: this stands for the key alone.
  const key = '"signature":"'
  const at = json.indexOf(`${key}"`) + key.length
  yield json.slice(0, at)
  if (typeof signature === 'string') yield signature
  else yield* signature
  yield json.slice(at)
}

function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

async function* logged(pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield* pieces
  } catch (error) {
    // The reply is under way, and breaks off.
    log('error', { component: 'signature', route: 'stream', ...describe(error) })
    throw error
  }
}
