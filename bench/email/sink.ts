// The SMTP server of the email benchmark, in a separate process: accepts and discards all mail.
import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { serve } from '../queue/remote.ts'

let taken = 0

const server = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  authOptional: true,
  disableReverseLookup: true,
  onData: (stream, _, done) => {
    stream.on('end', () => {
      taken++
      done()
    })
    stream.resume()
  },
})
server.on('error', () => undefined)

const verbs = {
  listen: async (port: number) => {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  },
  /** Number of mails since the last call of this function. */
  taken: () => {
    const count = taken
    taken = 0
    return count
  },
}

export type EmailSink = typeof verbs
serve(verbs)
