import { once } from 'node:events'
import net from 'node:net'
import { Readable } from 'node:stream'
import tls from 'node:tls'
import SMTPConnection, { type SMTPConnectionSendInfo, type SMTPEnvelope } from 'nodemailer/lib/smtp-connection'
import type { SmtpServer } from './settings.ts'

/** Milliseconds that the server may take for a step, and for all of them together. */
export interface Patience {
  connect: number
  greeting: number
  /** The answer to a command. */
  command: number
  /** Taking a piece of the message, and the answer to its end. */
  content: number
  all: number
}

export const usualPatience: Patience = {
  connect: 10_000,
  greeting: 10_000,
  command: 15_000,
  content: 60_000,
  all: 110_000,
}

/** The server was silent for too long. */
export class Silence extends Error {
  override readonly name = 'Silence'
}

/** Bytes of one answer, past which there can be no sense in it. */
const longestAnswer = 65_536

/** Further than any timer: the library's own ones know of no end of a message. */
const never = 2 ** 31 - 1

const ignore = () => undefined

/**
 * A conversation with an SMTP server (RFC 5321), step by step. What breaks it, such as a step that takes too long, rejects
 * the step that is on.
 */
export class Conversation {
  readonly #server: SmtpServer
  readonly #patience: Patience
  readonly #broken = Promise.withResolvers<never>()
  readonly #all: ReturnType<typeof setTimeout>
  #step: ReturnType<typeof setTimeout> | undefined
  #socket: net.Socket | undefined
  #connection: SMTPConnection | undefined
  #hello = ''
  #isBegun = false
  #isOver = false
  /** Why the message broke off on this side. */
  #cause: unknown

  constructor(server: SmtpServer, patience: Patience) {
    this.#server = server
    this.#patience = patience
    this.#broken.promise.catch(ignore)
    this.#all = this.#timer('all')
  }

  /** Whether anything of a message may have gone out. */
  get isBegun(): boolean {
    return this.#isBegun
  }

  /** Connects, and says hello under that name; over TLS where that is configured. */
  async open(name: string): Promise<void> {
    const { host, encryption } = this.#server
    const isSecure = encryption === 'ssl'
    const connection = new SMTPConnection({
      ...{ connection: await this.#connect(), host, name, secure: isSecure, secured: isSecure },
      ...{ requireTLS: encryption === 'tls', ignoreTLS: encryption !== 'tls', maxResponseSize: longestAnswer },
      ...{ connectionTimeout: never, greetingTimeout: never, socketTimeout: never },
      // Tells of each command and each answer, so that it is known when the next is due; none of it is kept.
      transactionLog: true,
      logger: { debug: ({ tnx }) => this.#hear(tnx), info: ignore, warn: ignore, error: ignore },
    })
    this.#connection = connection.on('error', this.#broken.reject)
    this.#expect('greeting')
    await this.#race<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())))
    this.#hello = connection.lastServerResponse || ''
  }

  /** Whether the server has said that it has an extension, such as `SMTPUTF8`. */
  has(extension: string): boolean {
    return new RegExp(`^250[ -]${extension}\\b`, 'im').test(this.#hello)
  }

  /** Says who one is, where that is configured. */
  async login(): Promise<void> {
    const { credentials } = this.#server
    if (!credentials) return
    await this.#race<void>((resolve, reject) =>
      this.#connection?.login({ ...credentials }, (error) => (error ? reject(error) : resolve())),
    )
  }

  /** Sends a message, which is not read before the server has asked for it and `commit` has resolved. */
  async send(envelope: SMTPEnvelope, message: AsyncIterable<Buffer>, commit: () => Promise<void>) {
    const content = Readable.from(this.#read(message, commit), { objectMode: false })
    try {
      return await this.#race<SMTPConnectionSendInfo>((resolve, reject) =>
        this.#connection?.send(envelope, content, (error, info) => (error ? reject(error) : resolve(info))),
      )
    } catch (error) {
      throw this.#cause ?? error
    }
  }

  /** Says goodbye; what the server says to that is left to it. */
  leave() {
    this.#stop()
    this.#connection?.quit()
  }

  /** Breaks the conversation off, in the middle of a message too, which no server takes for complete then. */
  abort() {
    this.#stop()
    this.#connection?.close()
    this.#socket?.destroy()
  }

  async *#read(message: AsyncIterable<Buffer>, commit: () => Promise<void>) {
    try {
      this.#expect('content')
      await commit()
      if (this.#isOver) throw new Silence()
      this.#isBegun = true
      for await (const piece of message) {
        this.#expect('content')
        yield piece
      }
    } catch (error) {
      this.#cause = error
      throw new Error('The message broke off', { cause: error })
    }
  }

  async #connect(): Promise<net.Socket> {
    const { host, port, encryption } = this.#server
    const isSecure = encryption === 'ssl'
    this.#expect('connect')
    const socket = isSecure ? tls.connect({ host, port, servername: host }) : net.connect({ host, port })
    // The library listens only from when it has the connection, which may be lost by then.
    this.#socket = socket.on('error', ignore).once('close', this.#lose)
    await Promise.race([once(socket, isSecure ? 'secureConnect' : 'connect'), this.#broken.promise])
    return socket
  }

  #race<T>(begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => void): Promise<T> {
    return Promise.race([new Promise<T>(begin), this.#broken.promise])
  }

  #hear(what: unknown) {
    if (this.#isOver || (what !== 'client' && what !== 'server')) return
    this.#socket?.off('close', this.#lose)
    this.#expect('command')
  }

  #expect(step: keyof Patience) {
    clearTimeout(this.#step)
    this.#step = this.#timer(step)
  }

  readonly #lose = () => {
    this.#broken.reject(Object.assign(new Error('The connection was closed'), { code: 'ECONNECTION' }))
  }

  #timer(step: keyof Patience) {
    return setTimeout(() => this.#broken.reject(new Silence()), this.#patience[step])
  }

  #stop() {
    this.#isOver = true
    clearTimeout(this.#step)
    clearTimeout(this.#all)
  }
}

/** Resolves when the server has said hello, under TLS where that is configured. */
export async function greet(server: SmtpServer, name: string): Promise<void> {
  const conversation = new Conversation(server, usualPatience)
  try {
    await conversation.open(name)
    conversation.leave()
  } catch (error) {
    conversation.abort()
    throw error
  }
}
