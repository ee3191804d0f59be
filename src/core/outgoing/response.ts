import { HTTPParser } from 'http-parser-js'
import { failure } from '#core/failure'

// Parses an HTTP/1.1 response from a socket, for requests that `fetch` cannot send.

interface Options {
  method: string
  signal: AbortSignal
  /** Called when the connection is no longer needed, so that the caller closes it. */
  end(): void
}

const maxHeaderBytes = 65_536

/** Reads a response (RFC 9112) from a connection. The body is a stream that is read on demand. */
export async function readResponse(readable: ReadableStream<Uint8Array>, options: Options): Promise<Response> {
  const { method, signal, end } = options
  const message = new Message(method)
  const reader = readable.getReader()
  const more = async () => {
    const { done, value } = await reader.read()
    signal.throwIfAborted()
    if (done) message.finish()
    else message.take(value)
  }
  while (!message.head) await more()
  const { head } = message
  const isEmpty = method === 'HEAD' || [204, 205, 304].includes(head.status)
  if (!isEmpty) return new Response(bodyOf(message, more, end), head)
  while (!message.isComplete) await more()
  end()
  return new Response(null, head)
}

/** The body as a stream. It fails with the errors of `more`. */
function bodyOf(message: Message, more: () => Promise<void>, end: () => void) {
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      while (message.chunks.length === 0 && !message.isComplete) await more()
      for (const chunk of message.chunks.splice(0)) controller.enqueue(chunk)
      if (!message.isComplete) return
      controller.close()
      end()
    } catch (error) {
      end()
      throw error
    }
  }
  return new ReadableStream<Uint8Array>({ pull, cancel: end }, { highWaterMark: 0 })
}

/** The part of a response that was received so far, filled by the parser's callbacks. */
class Message {
  head: { status: number; headers: Headers } | undefined
  /** Chunks of the body that were parsed but not read yet. */
  readonly chunks: Uint8Array[] = []
  isComplete = false
  readonly #parser = new HTTPParser(HTTPParser.RESPONSE)
  #received = 0

  constructor(method: string) {
    this.#parser[HTTPParser.kOnHeadersComplete] = ({ statusCode, headers }) => {
      if (statusCode < 200) return 0
      this.head = { status: statusCode, headers: toHeaders(headers) }
      return method === 'HEAD' ? 1 : 0
    }
    this.#parser[HTTPParser.kOnBody] = (buffer, start, length) =>
      void this.chunks.push(new Uint8Array(buffer.buffer, buffer.byteOffset + start, length))
    this.#parser[HTTPParser.kOnMessageComplete] = () => {
      this.isComplete = this.head !== undefined
    }
  }

  take(bytes: Uint8Array) {
    this.#received += bytes.length
    if (!this.head && this.#received > maxHeaderBytes)
      throw failure('upstream_failed', `The response has more than ${maxHeaderBytes} bytes of headers.`)
    const result = this.#parser.execute(Buffer.from(bytes))
    if (result instanceof Error) throw failure('upstream_failed', 'The response is not valid HTTP.', { cause: result })
  }

  /**
   * Called at the end of the connection, where a body without a length ends (RFC 9112). Throws if the response is not
   * complete.
   */
  finish() {
    this.#parser.finish()
    if (!this.isComplete) throw failure('upstream_failed', 'The connection was closed before the end of the response.')
  }
}

function toHeaders(pairs: string[]): Headers {
  const headers = new Headers()
  for (let i = 0; i < pairs.length; i += 2) headers.append(pairs[i]!, pairs[i + 1]!)
  return headers
}
