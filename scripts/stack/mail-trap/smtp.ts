import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { Mailbag } from './mailbag.ts'

/** Above what the sender makes of the largest mail that it takes. */
const largest = 50_000_000

/** An SMTP server that takes whatever comes, to be given its connections. */
export function smtpOf(mailbag: Mailbag): SMTPServer {
  const server = new SMTPServer({
    banner: 'Quartermaster takes this mail, and sends it nowhere',
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    disableReverseLookup: true,
    size: largest,
    rejectOversized: true,
    onData: (stream, { envelope: { mailFrom, rcptTo } }, done) => {
      const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) }
      mailbag.add(stream, envelope, subjectOf).then(
        () => done(),
        () => done(new Error('The mail could not be kept')),
      )
    },
  })
  // A client that goes away is none of ours.
  return server.on('error', () => undefined)
}

async function subjectOf(mail: Buffer): Promise<string> {
  const end = mail.indexOf('\r\n\r\n')
  const { subject = '' } = await PostalMime.parse(mail.subarray(0, end === -1 ? undefined : end + 4))
  return subject
}
