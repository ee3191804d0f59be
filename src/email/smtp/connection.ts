// TCP connection to an SMTP server, with TLS. It reads replies and writes bytes; `session.ts` has the commands.
import { connect } from 'cloudflare:sockets'
import type { SmtpServer } from '../settings.ts'
import { parseReply, type SmtpReply } from './reply.ts'

/** A reply longer than this is invalid. */
const maxReplyCharacters = 65_536

const transports = { ssl: 'on', tls: 'starttls', '': 'off' }

/** A connection. Its methods throw errors of the socket, or a `SyntaxError`. */
export class SmtpConnection {
  readonly opened: Promise<unknown>
  readonly #decoder = new TextDecoder('latin1')
  #socket: Socket
  #reader: ReadableStreamDefaultReader<Uint8Array>
  #writer: WritableStreamDefaultWriter<Uint8Array>
  #received = ''

  /** With TLS, the platform verifies the certificate against `host`. */
  constructor({ host, port, encryption }: SmtpServer) {
    const options = { secureTransport: transports[encryption], allowHalfOpen: false }
    this.#socket = connect({ hostname: host, port }, options)
    this.opened = this.#socket.opened
    ;[this.#reader, this.#writer] = take(this.#socket)
  }

  /** Reads the next reply. */
  async read(): Promise<SmtpReply> {
    for (;;) {
      const parsed = parseReply(this.#received)
      if (parsed) {
        this.#received = this.#received.slice(parsed.end)
        return parsed.reply
      }
      if (this.#received.length > maxReplyCharacters) throw new SyntaxError('The reply is too long')
      const { done, value } = await this.#reader.read()
      if (done) throw new Error('The connection was closed')
      this.#received += this.#decoder.decode(value)
    }
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#writer.write(bytes)
  }

  /** Upgrades the connection to TLS. Plain text that arrived before must not be used afterwards (RFC 3207, section 6). */
  async secure(): Promise<void> {
    if (this.#received !== '') throw new SyntaxError('Unexpected data before TLS')
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

/** Returns the reader and the writer of a socket, and ignores rejections of its promises, which `read` and `write` report. */
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
