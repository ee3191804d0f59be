// The SMTP server of the mail trap, which accepts every email of a local start.
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { MailStore } from './mail-store.ts'

/** Maximum size of an email in bytes, larger than any that the email component sends. */
const maxMailBytes = 50_000_000

/** Creates an SMTP server that accepts every email. It does not listen: the caller passes connections to it. */
export function smtpOf(mailStore: MailStore): SMTPServer {
  const server = new SMTPServer({
    banner: 'Quartermaster takes this mail, and sends it nowhere',
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    disableReverseLookup: true,
    size: maxMailBytes,
    rejectOversized: true,
    onData: (stream, { envelope: { mailFrom, rcptTo } }, done) => {
      const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) }
      mailStore.add(stream, envelope, subjectOf).then(
        () => done(),
        () => done(new Error('The mail could not be kept')),
      )
    },
  })
  // A client that disconnects early is no error.
  return server.on('error', () => undefined)
}

async function subjectOf(mail: Buffer): Promise<string> {
  const end = mail.indexOf('\r\n\r\n')
  const { subject = '' } = await PostalMime.parse(mail.subarray(0, end === -1 ? undefined : end + 4))
  return subject
}
