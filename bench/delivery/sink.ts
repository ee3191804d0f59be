// The SMTP server of the delivery benchmark, in a separate process: accepts and discards all mail. Supports only the
// part of RFC 5321 that our client uses, so that it takes little CPU time.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { serve } from '../queue/remote.ts'

/** The reply to each command of our client. */
const answers: Record<string, string> = {
  EHLO: '250 sink',
  MAIL: '250 OK',
  RCPT: '250 OK',
  DATA: '354 Go on',
  QUIT: '221 Bye',
}

function talk(socket: Socket) {
  let text = ''
  let isContent = false
  socket
    .setNoDelay()
    .setEncoding('latin1')
    .on('error', () => undefined)
  socket.write('220 sink\r\n')
  socket.on('data', (data: string) => {
    text += data
    for (;;) {
      const end = isContent ? '\r\n.\r\n' : '\r\n'
      const at = text.indexOf(end)
      if (at < 0) return
      const command = text.slice(0, 4).toUpperCase()
      text = text.slice(at + end.length)
      socket.write(`${isContent ? '250 Taken' : (answers[command] ?? '502 What?')}\r\n`)
      if (!isContent && command === 'QUIT') socket.end()
      isContent = !isContent && command === 'DATA'
    }
  })
}

const server = createServer(talk)

const verbs = {
  listen: async (port: number) => {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  },
}

export type DeliverySink = typeof verbs
serve(verbs)
