// A proxy in front of the tests' SMTP server: records the clients' commands, and causes a fault at a given command.
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface Fault {
  /**
   * Where the fault occurs: at a command's verb; `greeting`; `content`, within a message; `end`, after the server has
   * accepted a message.
   */
  at: string
  /**
   * The fault: `cut` closes the connection, `hang` sends nothing more, `endless` sends a reply without an end,
   * `garbage` sends bytes that are no reply; any other text is sent as the reply, such as `451 later`.
   */
  how: string
  /** The fault occurs from this message of the connection on, counted from 1. Default: the first. */
  from?: number
}

/** What the proxy recorded of all clients. */
export interface SmtpLog {
  connections: number
  /** The commands in order, without the content of messages. */
  commands: string[]
  /** Number of faults that have occurred. */
  faults: number
}

interface Behaviour {
  /** The fault of every connection, or those of the first, second … connection. */
  fault?: Fault | Fault[]
  /** With TLS from the first byte, so that the proxy hears no commands. */
  isSecure?: boolean
}

export function faultyServer(
  port: number,
  heard: SmtpLog,
  { fault, isSecure }: Behaviour,
  clients: Set<Socket>,
): Server {
  return createServer((client) => {
    clients.add(client)
    client.on('close', () => clients.delete(client))
    const server = connect(port, '127.0.0.1')
    const nth = heard.connections++
    if (isSecure) join(client, server)
    else new Relay(client, server, heard, Array.isArray(fault) ? fault[nth] : fault)
  })
}

/** Passes all bytes between client and server in both directions. */
function join(client: Socket, server: Socket) {
  client.on('error', () => undefined).pipe(server)
  server.on('error', () => undefined).pipe(client)
}

/**
 * One client's connection. Commands are passed one by one, each after the reply to the previous one, also if the client
 * pipelines them.
 */
class Relay {
  readonly #client: Socket
  readonly #server: Socket
  readonly #heard: SmtpLog
  readonly #fault: Fault | undefined
  #phase: 'command' | 'answer' | 'content' | 'end' | 'broken' = 'answer'
  #received = Buffer.alloc(0)
  #answered = ''
  /** Number of MAIL commands. */
  #messages = 0

  constructor(client: Socket, server: Socket, heard: SmtpLog, fault: Fault | undefined) {
    this.#client = client
    this.#server = server
    this.#heard = heard
    this.#fault = fault
    client.on('data', this.#hear)
    server.on('data', this.#answer)
    client.on('error', () => undefined).on('close', () => server.destroy())
    server.on('error', () => undefined).on('close', () => this.#phase !== 'broken' && client.end())
    if (fault?.at === 'greeting') this.#fail()
  }

  #hear = (bytes: Buffer) => {
    this.#received = Buffer.concat([this.#received, bytes])
    this.#listen()
  }

  #listen() {
    while (this.#received.length > 0) {
      if (this.#phase === 'content') return this.#pass()
      const end = this.#received.indexOf(10) + 1
      if (end === 0 || this.#phase === 'answer' || this.#phase === 'end') return
      const line = this.#received.subarray(0, end)
      this.#received = this.#received.subarray(end)
      this.#take(line)
    }
  }

  #take(line: Buffer) {
    const command = line.toString('latin1').trim()
    if (this.#phase === 'broken' && command === 'QUIT') this.#heard.commands.push(command)
    if (this.#phase === 'broken') return this.#isAnswering && this.#client.write('503 Not now\r\n')
    this.#heard.commands.push(command)
    const verb = command.split(' ')[0]!.toUpperCase()
    if (verb === 'MAIL') this.#messages++
    if (this.#isFaulty(verb)) return this.#fail()
    this.#phase = 'answer'
    this.#server.write(line)
  }

  /** Passes the content of a message to the server, up to its end. */
  #pass() {
    if (this.#isFaulty('content')) return this.#fail()
    const mark = this.#received.indexOf('\r\n.\r\n')
    // Keeps the last bytes if they may be the beginning of the end mark.
    const end = mark === -1 ? Math.max(0, this.#received.length - 4) : mark + 5
    this.#server.write(this.#received.subarray(0, end))
    this.#received = this.#received.subarray(end)
    if (mark !== -1) this.#phase = 'end'
  }

  #answer = (bytes: Buffer) => {
    if (this.#phase === 'broken') return
    if (this.#phase === 'end' && this.#isFaulty('end')) return this.#fail()
    this.#client.write(bytes)
    this.#answered += bytes.toString('latin1')
    const code = /(?:^|\r\n)(\d{3})(?: [^\r\n]*)?\r\n$/.exec(this.#answered)?.[1]
    if (!code) return
    this.#answered = ''
    if (this.#heard.commands.at(-1) === 'STARTTLS' && code === '220') return this.#step()
    this.#phase = code === '354' ? 'content' : 'command'
    this.#listen()
  }

  /** Stops listening after STARTTLS, since all further bytes are encrypted. */
  #step() {
    this.#client.off('data', this.#hear)
    this.#server.off('data', this.#answer)
    join(this.#client, this.#server)
  }

  #isFaulty(at: string) {
    return this.#fault?.at === at && this.#messages >= (this.#fault.from ?? 0)
  }

  get #isAnswering() {
    return /^\d|garbage/.test(this.#fault!.how)
  }

  #fail() {
    const { how } = this.#fault!
    this.#phase = 'broken'
    this.#heard.faults++
    if (how === 'cut') this.#client.destroy()
    else if (how === 'endless') babble(this.#client)
    else if (how === 'garbage') this.#client.write(Buffer.from([0, 255, 254, 13, 10, 33, 10, 10]))
    else if (how !== 'hang') this.#client.write(`${how}\r\n`)
    this.#listen()
  }
}

/** Sends a reply without an end, for as long as the client reads. */
function babble(client: Socket) {
  const more = () => {
    while (client.writable && client.write(`250-${'more '.repeat(100)}\r\n`));
  }
  client.on('drain', more)
  more()
}
