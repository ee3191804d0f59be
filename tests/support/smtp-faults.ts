// Stands before an SMTP server, notes what clients say, and fails where it is told to.
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface Fault {
  /** A command's verb; `greeting`; `content`, within the message; `end`, after it, when the server has answered. */
  at: string
  /** `cut`: the connection; `hang`: nothing more comes; `endless`: an answer without an end; `garbage`; else an answer such as `451 later`. */
  how: string
}

/** Noted of all clients. */
export interface SmtpLog {
  connections: number
  /** In the order in which they were said, without what belongs to messages. */
  commands: string[]
  /** How often a fault has happened. */
  faults: number
}

interface Behaviour {
  /** What happens to every connection, or to the first, the second and so on. */
  fault?: Fault | Fault[]
  /** Nothing is heard of it. */
  isSecure?: boolean
}

export function faultyServer(port: number, heard: SmtpLog, { fault, isSecure }: Behaviour): Server {
  return createServer((client) => {
    const server = connect(port, '127.0.0.1')
    const nth = heard.connections++
    if (isSecure) join(client, server)
    else new Relay(client, server, heard, Array.isArray(fault) ? fault[nth] : fault)
  })
}

/** All that either says, to the other. */
function join(client: Socket, server: Socket) {
  client.on('error', () => undefined).pipe(server)
  server.on('error', () => undefined).pipe(client)
}

/** One client: command by command, each after the answer to the one before, as if there were no pipelining. */
class Relay {
  readonly #client: Socket
  readonly #server: Socket
  readonly #heard: SmtpLog
  readonly #fault: Fault | undefined
  #phase: 'command' | 'answer' | 'content' | 'end' | 'broken' = 'answer'
  #received = Buffer.alloc(0)
  #answered = ''

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
    if (this.#fault?.at === command.split(' ')[0]!.toUpperCase()) return this.#fail()
    this.#phase = 'answer'
    this.#server.write(line)
  }

  /** What belongs to a message, up to its end. */
  #pass() {
    if (this.#fault?.at === 'content') return this.#fail()
    const mark = this.#received.indexOf('\r\n.\r\n')
    // What may be the beginning of the mark stays for the next time.
    const end = mark === -1 ? Math.max(0, this.#received.length - 4) : mark + 5
    this.#server.write(this.#received.subarray(0, end))
    this.#received = this.#received.subarray(end)
    if (mark !== -1) this.#phase = 'end'
  }

  #answer = (bytes: Buffer) => {
    if (this.#phase === 'broken') return
    if (this.#phase === 'end' && this.#fault?.at === 'end') return this.#fail()
    this.#client.write(bytes)
    this.#answered += bytes.toString('latin1')
    const code = /(?:^|\r\n)(\d{3})(?: [^\r\n]*)?\r\n$/.exec(this.#answered)?.[1]
    if (!code) return
    this.#answered = ''
    if (this.#heard.commands.at(-1) === 'STARTTLS' && code === '220') return this.#step()
    this.#phase = code === '354' ? 'content' : 'command'
    this.#listen()
  }

  /** Aside: what comes now nobody understands. */
  #step() {
    this.#client.off('data', this.#hear)
    this.#server.off('data', this.#answer)
    join(this.#client, this.#server)
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

/** Answers on and on, for as long as anybody listens. */
function babble(client: Socket) {
  const more = () => {
    while (client.writable && client.write(`250-${'more '.repeat(100)}\r\n`));
  }
  client.on('drain', more)
  more()
}
