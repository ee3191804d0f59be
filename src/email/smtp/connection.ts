// TCP connection to an SMTP server, with TLS. It writes bytes and reads replies; `session.ts` has the commands.
import { connect } from 'cloudflare:sockets'
import { parseReply, type SmtpReply } from './reply.ts'
import type { SmtpServer } from './server.ts'

/** Maximum length of a reply. A server that sends more without an end would fill the memory. */
const maxReplyCharacters = 65_536

const transports = { ssl: 'on', tls: 'starttls', '': 'off' }

/**
 * A connection to an SMTP server. Its methods throw the errors of the socket, and a `SyntaxError` for a reply that is not SMTP.
 */
export class SmtpConnection {
  readonly opened: Promise<unknown>
  readonly #decoder = new TextDecoder('latin1')
  #socket: Socket
  #reader: ReadableStreamDefaultReader<Uint8Array>
  #writer: WritableStreamDefaultWriter<Uint8Array>
  #received = ''

  /** Opens the connection. With TLS, the platform verifies the server's certificate against `host`. */
  constructor({ host, port, encryption }: SmtpServer) {
    const options = { secureTransport: transports[encryption], allowHalfOpen: false }
    this.#socket = connect({ hostname: host, port }, options)
    this.opened = this.#socket.opened
    ;[this.#reader, this.#writer] = take(this.#socket)
  }

  /** Reads the next reply of the server. */
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

  /**
   * Upgrades the connection to TLS. Rejects text that arrived before TLS: an attacker may have inserted it (RFC 3207, section
   * 6).
   */
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

/**
 * Returns the reader and the writer of a socket. The promises of the socket itself are ignored, since `read` and `write` throw
 * the same errors.
 */
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
