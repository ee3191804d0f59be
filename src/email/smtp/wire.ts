import { connect } from 'cloudflare:sockets'
import type { SmtpServer } from '../settings.ts'
import { parseReply, type SmtpReply } from './reply.ts'

/** Bytes of one reply, past which there can be no sense in it. */
const longestReply = 65_536

const transports = { ssl: 'on', tls: 'starttls', '': 'off' }

/** A connection to an SMTP server: bytes there, replies back. What is thrown is what the platform throws, or a `SyntaxError`. */
export class Wire {
  readonly opened: Promise<unknown>
  readonly #decoder = new TextDecoder('latin1')
  #socket: Socket
  #reader: ReadableStreamDefaultReader<Uint8Array>
  #writer: WritableStreamDefaultWriter<Uint8Array>
  #heard = ''

  /** The platform holds a certificate against the host's name. */
  constructor({ host, port, encryption }: SmtpServer) {
    const options = { secureTransport: transports[encryption], allowHalfOpen: false }
    this.#socket = connect({ hostname: host, port }, options)
    this.opened = this.#socket.opened
    ;[this.#reader, this.#writer] = take(this.#socket)
  }

  /** The next reply. */
  async read(): Promise<SmtpReply> {
    for (;;) {
      const parsed = parseReply(this.#heard)
      if (parsed) {
        this.#heard = this.#heard.slice(parsed.end)
        return parsed.reply
      }
      if (this.#heard.length > longestReply) throw new SyntaxError('A reply without an end')
      const { done, value } = await this.#reader.read()
      if (done) throw new Error('The connection was closed')
      this.#heard += this.#decoder.decode(value)
    }
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#writer.write(bytes)
  }

  /** Goes on under TLS. What was said in the clear beyond that must not be taken for what comes then (RFC 3207, section 6). */
  async secure(): Promise<void> {
    if (this.#heard !== '') throw new SyntaxError('More was said in the clear')
    this.#reader.releaseLock()
    this.#writer.releaseLock()
    this.#socket = this.#socket.startTls()
    ;[this.#reader, this.#writer] = take(this.#socket)
    await this.#socket.opened
  }

  close() {
    this.#socket.close().catch(ignore)
  }
}

const ignore = () => undefined

/** Both ends of a socket. Nobody else listens for how it ends. */
function take(socket: Socket) {
  socket.opened.catch(ignore)
  socket.closed.catch(ignore)
  const reader: ReadableStreamDefaultReader<Uint8Array> = socket.readable.getReader()
  const writer: WritableStreamDefaultWriter<Uint8Array> = socket.writable.getWriter()
  reader.closed.catch(ignore)
  writer.closed.catch(ignore)
  writer.ready.catch(ignore)
  return [reader, writer] as const
}
