// Stands before an SMTP server, notes what clients say, and fails where it is told to.
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface Fault {
  /** A command's verb; `greeting`; `content`, within the message; `end`, after it, when the server has answered. */
  at: string
  /** `cut`: the connection; `hang`: nothing more comes; `endless`: an answer without an end; `garbage`; else an answer such as `451 later`. */
  how: string
  /** How many connections it happens to; all unless given. */
  times?: number
}

/** Noted of all clients. */
export interface Heard {
  connections: number
  /** In the order in which they were said, without what belongs to messages. */
  commands: string[]
  /** Those that were there when a fault happened, or that are there. */
  faults: number
}

export function faultyServer(port: number, heard: Heard, fault?: Fault): Server {
  return createServer((client) => {
    const isFaulty = fault !== undefined && heard.connections < (fault.times ?? Number.POSITIVE_INFINITY)
    heard.connections++
    relay(client, port, heard, isFaulty ? fault : undefined)
  })
}

function relay(client: Socket, port: number, heard: Heard, fault: Fault | undefined) {
  let isBroken = false
  let isContent = false
  let isAtEnd = false
  let line = ''
  const server = connect(port, '127.0.0.1')
  const fail = () => {
    isBroken = true
    heard.faults++
    if (fault!.how === 'cut') client.destroy()
    else if (fault!.how === 'endless') babble(client)
    else if (fault!.how === 'garbage') client.write(Buffer.from([0, 255, 254, 13, 10, 33, 10, 10]))
    else if (fault!.how !== 'hang') client.write(`${fault!.how}\r\n`)
  }
  const take = (bytes: Buffer) => {
    if (isContent) return takeContent(bytes)
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(10, at)
      const piece = bytes.subarray(at, end === -1 ? undefined : end + 1)
      line += piece.toString('latin1')
      at += piece.length
      if (end === -1) return
      if (takeLine(line)) server.write(line, 'latin1')
      line = ''
    }
  }
  /** Whether it goes on to the server. */
  const takeLine = (said: string) => {
    const [verb = ''] = said.trim().split(' ')
    heard.commands.push(said.trim())
    if (!isBroken && fault?.at === verb.toUpperCase()) fail()
    return !isBroken
  }
  const takeContent = (bytes: Buffer) => {
    if (fault?.at === 'content' && !isBroken) fail()
    if (isBroken) return
    line = (line + bytes.toString('latin1')).slice(-5)
    if (line === '\r\n.\r\n') {
      isContent = false
      isAtEnd = true
      line = ''
    }
    server.write(bytes)
  }
  server.on('data', (bytes) => {
    if (isBroken) return
    if (isAtEnd && fault?.at === 'end') return fail()
    isAtEnd = false
    if (/^354/m.test(bytes.toString('latin1'))) isContent = true
    client.write(bytes)
  })
  client.on('data', take)
  client.on('error', () => server.destroy()).on('close', () => server.destroy())
  server.on('error', () => client.destroy()).on('close', () => !isBroken && client.end())
  if (fault?.at === 'greeting') fail()
}

/** Answers on and on, for as long as anybody listens. */
function babble(client: Socket) {
  const more = () => {
    while (client.writable && client.write(`250-${'more '.repeat(100)}\r\n`));
  }
  client.on('drain', more)
  more()
}
