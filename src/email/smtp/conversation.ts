import type { SmtpServer } from '../settings.ts'
import { contentOf } from './content.ts'
import { Deadline, DeadlinePassed } from './deadline.ts'
import { type RecipientReply, SmtpFailure, type SmtpFailureReason, type SmtpStep } from './failure.ts'
import { type ServerReply, type SmtpReply, toServerReply } from './reply.ts'
import { Wire } from './wire.ts'

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

interface Envelope {
  from: string
  to: string[]
  /** Bytes that the message has at the least. */
  size: number
}

/** The server has taken the message for at least one recipient. */
interface Accepted {
  /** The reply to the end of the message. */
  reply: ServerReply
  /** The reply about each recipient, in the order of the envelope. */
  recipients: RecipientReply[]
}

const byeTimeoutMs = 2_000

/** A conversation with an SMTP server (RFC 5321), step by step. A step that fails throws an `SmtpFailure`. */
export class Conversation {
  readonly #server: SmtpServer
  readonly #patience: Patience
  readonly #deadline: Deadline
  readonly #wire: Wire
  #step: SmtpStep
  /** Commands whose replies were not read yet. */
  #unanswered = 0
  /** The server waits for the rest of a message: a command now would be a part of it. */
  #isInMessage = false
  /** What the server can do (EHLO): words in capitals, with what stands after them. */
  #extensions = new Map<string, string>()

  constructor(server: SmtpServer, patience: Patience) {
    this.#server = server
    this.#patience = patience
    this.#deadline = new Deadline(patience.all)
    this.#step = server.encryption === 'ssl' ? 'connect over TLS' : 'connect'
    this.#deadline.begin(patience.connect)
    this.#wire = new Wire(server)
  }

  /** Waits for the connection, and says hello under that name; over TLS where that is configured. */
  async open(name: string): Promise<void> {
    await this.#wait(this.#wire.opened)
    this.#begin('greeting', this.#patience.greeting)
    this.#expect(await this.#read(), 2)
    await this.#hello(name)
    if (this.#server.encryption !== 'tls') return
    // Without a look at whether it is offered: who stands between could have taken that out.
    this.#begin('starttls')
    this.#expect(await this.#ask('STARTTLS'), 2)
    await this.#wait(this.#wire.secure())
    await this.#hello(name)
  }

  /** Whether the server can do something beyond the least, such as `SMTPUTF8`. */
  has(extension: string): boolean {
    return this.#extensions.has(extension)
  }

  /** Says who one is, where that is configured. */
  async login(): Promise<void> {
    const { credentials } = this.#server
    if (!credentials) return
    const { user, pass } = credentials
    this.#begin('login')
    const methods = this.#extensions.get('AUTH')?.toUpperCase().split(' ') ?? []
    if (methods.includes('PLAIN')) {
      this.#expect(await this.#ask(`AUTH PLAIN ${base64(`\0${user}\0${pass}`)}`), 2)
    } else if (methods.includes('LOGIN')) {
      this.#expect(await this.#ask('AUTH LOGIN'), 3)
      this.#expect(await this.#ask(base64(user)), 3)
      this.#expect(await this.#ask(base64(pass)), 2)
    } else throw this.#failure('unable')
  }

  /**
   * Sends a message, which is not read before the server has asked for it and `markPointOfNoReturn` has resolved. Throws if the server
   * takes it for no recipient.
   */
  async send(
    envelope: Envelope,
    message: AsyncIterable<string>,
    markPointOfNoReturn: () => Promise<void>,
  ): Promise<Accepted> {
    const recipients = await this.#address(envelope)
    this.#isInMessage = true
    await this.#inTime(markPointOfNoReturn())
    this.#begin('message', this.#patience.content)
    const answer = this.#read()
    // It may be refused, or lost, before its end, which then nobody waits for.
    const isOver = answer.then(({ code }) => code >= 400, yes)
    let isWhole = true
    for await (const bytes of contentOf(message)) {
      this.#begin('message', this.#patience.content)
      const isLost = this.#write(bytes).then(no, yes)
      if ((await Promise.race([isLost, isOver])) || (await isLost)) {
        isWhole = false
        break
      }
    }
    const reply = await answer
    this.#isInMessage = !isWhole
    this.#expect(reply, 2, recipients)
    return { reply: toServerReply(reply), recipients }
  }

  /** Says goodbye without waiting for the server's reply. */
  leave() {
    this.#write(encoder.encode('QUIT\r\n')).catch(ignore)
    this.abort()
  }

  /**
   * Ends the session in an orderly way after a refusal (RFC 5321, section 4.1.1.10): sends QUIT and reads the replies
   * that are still to come, so that closing the connection does not reset it. Breaks off if the server waits for the
   * rest of a message.
   */
  async quit(): Promise<void> {
    if (!this.#isInMessage) await this.#bye().catch(ignore)
    this.abort()
  }

  async #bye(): Promise<void> {
    this.#begin(this.#step, byeTimeoutMs)
    await this.#write(encoder.encode('QUIT\r\n'))
    for (let n = this.#unanswered; n >= 0; n--) {
      this.#begin(this.#step, byeTimeoutMs)
      await this.#wait(this.#wire.read())
    }
  }

  /** Breaks off, in the middle of a message too, which no server takes for complete then. */
  abort() {
    this.#deadline.clear()
    this.#wire.close()
  }

  async #hello(name: string) {
    this.#begin('hello')
    const { code, lines } = await this.#ask(`EHLO ${name}`)
    this.#extensions = new Map(code < 300 ? lines.slice(1).map(extensionIn) : [])
    // Servers from before there were extensions; they have no TLS either.
    if (code >= 500 && this.#server.encryption !== 'tls') this.#expect(await this.#ask(`HELO ${name}`), 2)
    else this.#expect({ code, lines }, 2)
  }

  /** Sends the envelope, and gives the reply about each recipient; then the server waits for the message. */
  async #address(envelope: Envelope): Promise<RecipientReply[]> {
    this.#begin('sender')
    const most = Number(this.#extensions.get('SIZE') || 0)
    if (most > 0 && envelope.size > most) throw this.#failure('unable')
    const [sender, ...recipients] = this.#commands(envelope)
    const isAtOnce = this.has('PIPELINING')
    if (isAtOnce) {
      await this.#write(encoder.encode([sender, ...recipients, 'DATA', ''].join('\r\n')))
      this.#unanswered = recipients.length + 2
    }
    const ask = (command: string) => (isAtOnce ? this.#next() : this.#ask(command))
    this.#expect(await ask(sender!), 2)
    this.#begin('recipients')
    const replies: RecipientReply[] = []
    for (const [position, recipient] of recipients.entries())
      replies.push({ address: envelope.to[position]!, ...toServerReply(await ask(recipient)) })
    // One that says "not now" of anybody may take it another time.
    if (replies.every(isRefusal))
      throw new SmtpFailure(this.#step, 'refused', withoutAddress(temporary(replies) ?? replies[0]!), replies)
    this.#begin('data')
    this.#expect(await ask('DATA'), 3, replies)
    return replies
  }

  #commands({ from, to, size }: Envelope): string[] {
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

  #read = () => this.#wait(this.#wire.read())

  #write = (bytes: Uint8Array) => this.#wait(this.#wire.write(bytes))

  #begin(step: SmtpStep, most = this.#patience.command) {
    this.#step = step
    this.#deadline.begin(most)
  }

  #expect(reply: SmtpReply, wanted: 2 | 3, recipients: RecipientReply[] = []) {
    if (Math.floor(reply.code / 100) === wanted) return
    if (reply.code < 400) throw this.#failure('garbled')
    throw new SmtpFailure(this.#step, 'refused', toServerReply(reply), recipients)
  }

  /** What comes of the connection. */
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

/** Whether a recipient is refused. */
export const isRefusal = ({ code }: ServerReply) => code >= 300

const temporary = (replies: RecipientReply[]) => replies.find(({ code }) => code < 500)

const withoutAddress = ({ code, enhanced, text }: RecipientReply): ServerReply => ({ code, enhanced, text })

const ignore = () => undefined
const yes = () => true
const no = () => false

const encoder = new TextEncoder()

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Some write `AUTH=PLAIN`. */
function extensionIn(line: string): [string, string] {
  const [word = '', ...params] = line.trim().split(/[ =]+/)
  return [word.toUpperCase(), params.join(' ')]
}

/** Resolves when the server has said hello, under TLS where that is configured. */
export async function greet(server: SmtpServer, name: string): Promise<void> {
  const conversation = new Conversation(server, usualPatience)
  try {
    await conversation.open(name)
  } finally {
    conversation.leave()
  }
}
