// SMTP client (RFC 5321) of the email component: connects, logs in and transfers messages one after the other, with a timeout
// for each step.

import { SmtpConnection } from './connection.ts'
import { Deadline, DeadlinePassed } from './deadline.ts'
import { type RecipientReply, SmtpFailure, type SmtpFailureReason, type SmtpStep } from './failure.ts'
import { type ServerReply, type SmtpReply, toServerReply } from './reply.ts'
import { loginLines } from './sasl.ts'
import type { SmtpServer } from './server.ts'
import type { SmtpTimeouts } from './timeouts.ts'

export interface MailEnvelope {
  from: string
  to: string[]
  /** Lower bound of the message's size in bytes. A server whose extension `SIZE` states a smaller limit gets no message. */
  size: number
}

/** The server has accepted the message for at least one recipient. */
export interface Accepted {
  /** The server's reply to the end of the message. */
  reply: ServerReply
  /** The server's reply about each recipient, in the order of the envelope. */
  recipients: RecipientReply[]
}

const quitTimeoutMs = 2_000

/** The bytes of a message as `encodeData` writes them, in one piece or in chunks. */
export type MessageBytes = Uint8Array | AsyncIterable<Uint8Array>

/** A session with an SMTP server. A step that fails throws an `SmtpFailure`. */
export class SmtpSession {
  readonly #server: SmtpServer
  readonly #timeouts: SmtpTimeouts
  readonly #deadline: Deadline
  readonly #connection: SmtpConnection
  #step: SmtpStep
  /** Number of pipelined commands whose replies have not been read yet. QUIT has to read them first. */
  #unanswered = 0
  /** Whether the server is reading a message. QUIT must not be sent then: it would become a line of the message. */
  #isInMessage = false
  /** The extensions that the server supports, from its reply to EHLO: upper-case keywords with their parameters. */
  #extensions = new Map<string, string>()
  /** The pending read of an idle session, which notices that the server closes the connection. */
  #idleRead: Promise<SmtpReply> | undefined

  constructor(server: SmtpServer, timeouts: SmtpTimeouts) {
    this.#server = server
    this.#timeouts = timeouts
    this.#deadline = new Deadline(timeouts.all)
    this.#step = server.encryption === 'ssl' ? 'connect over TLS' : 'connect'
    this.#deadline.begin(timeouts.connect)
    this.#connection = new SmtpConnection(server)
  }

  /** Connects, over TLS if configured, and introduces the client with EHLO and this name. */
  async open(name: string): Promise<void> {
    await this.#wait(this.#connection.opened)
    this.#begin('greeting', this.#timeouts.greeting)
    this.#expect(await this.#read(), 2)
    await this.#hello(name)
    if (this.#server.encryption !== 'tls') return
    // STARTTLS is sent even if the server does not offer it: an attacker between client and server could have removed the
    // offer, so that the mail is sent unencrypted.
    this.#begin('starttls')
    this.#expect(await this.#ask('STARTTLS'), 2)
    await this.#wait(this.#connection.secure())
    await this.#hello(name)
  }

  /** Whether the server supports an extension, such as `SMTPUTF8`. */
  has(extension: string): boolean {
    return this.#extensions.has(extension)
  }

  /** Authenticates with PLAIN, LOGIN or XOAUTH2 if credentials are configured. Throws if the server offers none that fits. */
  async login(): Promise<void> {
    const { credentials } = this.#server
    if (!credentials) return
    this.#begin('login')
    const lines = loginLines(credentials, this.#extensions.get('AUTH')?.toUpperCase().split(' ') ?? [])
    if (!lines) throw this.#failure('unable')
    for (const [position, line] of lines.entries()) {
      const isLast = position === lines.length - 1
      const reply = await this.#ask(line)
      // A server rejects a token with 334 and details, and replies with the error to an empty line.
      this.#expect(isLast && reply.code === 334 ? await this.#ask('') : reply, isLast ? 2 : 3)
    }
  }

  /**
   * Sends a message. `begin` is called when the server has asked for the message: it stores that the mail may have been sent,
   * and returns the message. Throws if the server accepts it for no recipient.
   */
  async send(envelope: MailEnvelope, begin: () => Promise<MessageBytes>): Promise<Accepted> {
    const recipients = await this.#address(envelope)
    this.#isInMessage = true
    const message = await this.#inTime(begin())
    this.#begin('message', this.#timeouts.content)
    const answer = this.#read()
    // If the server rejects the message early or the connection breaks, the rest of the message is not sent.
    const isEnded = answer.then(({ code }) => code >= 400, yes)
    let isWhole = true
    for await (const bytes of message instanceof Uint8Array ? [message] : message) {
      this.#begin('message', this.#timeouts.content)
      const isLost = this.#write(bytes).then(no, yes)
      if ((await Promise.race([isLost, isEnded])) || (await isLost)) {
        isWhole = false
        break
      }
    }
    const reply = await answer
    this.#isInMessage = !isWhole
    this.#expect(reply, 2, recipients)
    return { reply: toServerReply(reply), recipients }
  }

  /**
   * Whether the session can send another message after its last one: the server has answered all commands, and waits for the
   * next one. After a rejected message it first has to confirm RSET (RFC 5321, section 4.1.1.5).
   */
  async reset(): Promise<boolean> {
    if (this.#isInMessage) return false
    try {
      while (this.#unanswered > 0) if ((await this.#next()).code === 354) return false
      this.#begin(this.#step, quitTimeoutMs)
      await this.#write(encoder.encode('RSET\r\n'))
      return (await this.#read()).code === 250
    } catch {
      return false
    }
  }

  /** Waits for the next message without a deadline. Calls `onLost` if the server closes the connection meanwhile. */
  idle(onLost: () => void): void {
    this.#deadline.clear()
    const read = this.#connection.read()
    this.#idleRead = read
    const lose = () => this.#idleRead === read && onLost()
    read.then(lose, lose)
  }

  /** Begins the next message on a kept connection, with a new deadline for all its steps. */
  resume(): void {
    this.#deadline.restart(this.#timeouts.all)
  }

  /** Ends a successful session: sends QUIT without waiting for the reply, and closes the connection. */
  leave() {
    this.#write(encoder.encode('QUIT\r\n')).catch(ignore)
    this.abort()
  }

  /**
   * Ends a session whose mail was rejected (RFC 5321, section 4.1.1.10): sends QUIT and reads the outstanding replies, as
   * closing the connection with unread replies would reset it. If the server is reading a message, only closes the connection.
   */
  async quit(): Promise<void> {
    if (!this.#isInMessage) await this.#sendQuit().catch(ignore)
    this.abort()
  }

  async #sendQuit(): Promise<void> {
    this.#begin(this.#step, quitTimeoutMs)
    await this.#write(encoder.encode('QUIT\r\n'))
    for (let n = this.#unanswered; n >= 0; n--) {
      this.#begin(this.#step, quitTimeoutMs)
      await this.#read()
    }
  }

  /** Closes the connection at once. A server discards a message that breaks off, so nothing is sent. */
  abort() {
    this.#deadline.clear()
    this.#connection.close()
  }

  async #hello(name: string) {
    this.#begin('hello')
    const { code, lines } = await this.#ask(`EHLO ${name}`)
    this.#extensions = new Map(code < 300 ? lines.slice(1).map(extensionIn) : [])
    // Servers without extensions know only HELO. They do not support STARTTLS either, so with `tls` there is no HELO.
    if (code >= 500 && this.#server.encryption !== 'tls') this.#expect(await this.#ask(`HELO ${name}`), 2)
    else this.#expect({ code, lines }, 2)
  }

  /**
   * Sends the sender, the recipients and DATA, pipelined if the server supports it (RFC 2920). Returns the reply about each
   * recipient. Throws if all recipients are rejected.
   */
  async #address(envelope: MailEnvelope): Promise<RecipientReply[]> {
    this.#begin('sender')
    const maxSize = Number(this.#extensions.get('SIZE') || 0)
    if (maxSize > 0 && envelope.size > maxSize) throw this.#failure('unable')
    const [sender, ...recipients] = this.#commands(envelope)
    const isPipelined = this.has('PIPELINING')
    if (isPipelined) {
      await this.#write(encoder.encode([sender, ...recipients, 'DATA', ''].join('\r\n')))
      this.#unanswered = recipients.length + 2
    }
    const ask = (command: string) => (isPipelined ? this.#next() : this.#ask(command))
    this.#expect(await ask(sender!), 2)
    this.#begin('recipients')
    const replies: RecipientReply[] = []
    for (const [position, recipient] of recipients.entries())
      replies.push({ address: envelope.to[position]!, ...toServerReply(await ask(recipient)) })
    // If all recipients are rejected but one of them temporarily, the failure is temporary, so that the caller may retry.
    if (replies.every(isRefusal))
      throw new SmtpFailure(this.#step, 'refused', withoutAddress(temporary(replies) ?? replies[0]!), replies)
    this.#begin('data')
    this.#expect(await ask('DATA'), 3, replies)
    return replies
  }

  #commands({ from, to, size }: MailEnvelope): string[] {
    const isUtf8 = [from, ...to].some((address) => /[^\p{ASCII}]/u.test(address))
    const params = [isUtf8 && 'SMTPUTF8', size > 0 && this.has('SIZE') && `SIZE=${size}`].filter(Boolean)
    return [['MAIL', `FROM:<${from}>`, ...params].join(' '), ...to.map((address) => `RCPT TO:<${address}>`)]
  }

  async #ask(command: string): Promise<SmtpReply> {
    this.#begin(this.#step)
    await this.#write(encoder.encode(`${command}\r\n`))
    return this.#read()
  }

  async #next(): Promise<SmtpReply> {
    this.#begin(this.#step)
    const reply = await this.#read()
    this.#unanswered--
    return reply
  }

  #read = () => {
    const reply = this.#idleRead ?? this.#connection.read()
    this.#idleRead = undefined
    return this.#wait(reply)
  }

  #write = (bytes: Uint8Array) => this.#wait(this.#connection.write(bytes))

  #begin(step: SmtpStep, timeoutMs = this.#timeouts.command) {
    this.#step = step
    this.#deadline.begin(timeoutMs)
  }

  #expect(reply: SmtpReply, replyClass: 2 | 3, recipients: RecipientReply[] = []) {
    if (Math.floor(reply.code / 100) === replyClass) return
    if (reply.code < 400) throw this.#failure('garbled')
    throw new SmtpFailure(this.#step, 'refused', toServerReply(reply), recipients)
  }

  /** Waits for an operation of the connection, with the deadline of the step. Converts an error to an `SmtpFailure`. */
  async #wait<T>(work: Promise<T>): Promise<T> {
    try {
      return await this.#inTime(work)
    } catch (error) {
      if (error instanceof SmtpFailure) throw error
      throw this.#failure(error instanceof SyntaxError ? 'garbled' : 'lost')
    }
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    try {
      return await Promise.race([work, this.#deadline.passed])
    } catch (error) {
      throw error instanceof DeadlinePassed ? this.#failure('late') : error
    }
  }

  #failure = (reason: SmtpFailureReason) => new SmtpFailure(this.#step, reason)
}

/** Whether a reply about a recipient rejects that recipient. */
export const isRefusal = ({ code }: ServerReply) => code >= 300

const temporary = (replies: RecipientReply[]) => replies.find(({ code }) => code < 500)

const withoutAddress = ({ code, enhanced, text }: RecipientReply): ServerReply => ({ code, enhanced, text })

const ignore = () => undefined
const yes = () => true
const no = () => false

const encoder = new TextEncoder()

/** Parses a line of the EHLO reply into keyword and parameters. Some servers write `AUTH=PLAIN` instead of `AUTH PLAIN`. */
function extensionIn(line: string): [string, string] {
  const [word = '', ...params] = line.trim().split(/[ =]+/)
  return [word.toUpperCase(), params.join(' ')]
}
