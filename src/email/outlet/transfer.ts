// Transfers one message in a session with an SMTP server: connects and logs in, and sends the message. Used with a kept
// connection in the durable object, and with an own connection in the Worker.

import { SmtpFailure } from '../smtp/failure.ts'
import type { SmtpServer } from '../smtp/server.ts'
import { type Accepted, type MailEnvelope, type MessageBytes, SmtpSession } from '../smtp/session.ts'
import type { SmtpTimeouts } from '../smtp/timeouts.ts'

/** A message without its content. */
export interface Transfer {
  server: SmtpServer
  /** Name of the client in EHLO. */
  clientName: string
  envelope: MailEnvelope
  /** Whether an address has non-ASCII letters before the @, which need a server with SMTPUTF8 (RFC 6531). */
  needsUtf8: boolean
}

/** Called when the server has asked for the message. Stores that the mail may have been sent, and returns the message. */
export type Begin = () => Promise<MessageBytes>

/** Opens a session and logs in. After a rejection, ends the session with QUIT. */
export async function dial(
  { server, clientName }: Pick<Transfer, 'server' | 'clientName'>,
  timeouts: SmtpTimeouts,
): Promise<SmtpSession> {
  const session = new SmtpSession(server, timeouts)
  try {
    await session.open(clientName)
    await session.login()
    return session
  } catch (error) {
    await endAfter(error, session)
    throw error
  }
}

/** Sends the message in an open session. Fails if the message needs SMTPUTF8 and the server lacks it. */
export async function transfer(
  session: SmtpSession,
  { envelope, needsUtf8 }: Transfer,
  begin: Begin,
): Promise<Accepted> {
  if (needsUtf8 && !session.has('SMTPUTF8')) throw new SmtpFailure('sender', 'no_utf8')
  return session.send(envelope, begin)
}

/** Sends the message by a connection that is opened for it alone. */
export async function transferAlone(job: Transfer, begin: Begin, timeouts: SmtpTimeouts): Promise<Accepted> {
  const session = await dial(job, timeouts)
  try {
    const accepted = await transfer(session, job, begin)
    session.leave()
    return accepted
  } catch (error) {
    await endAfter(error, session)
    throw error
  }
}

/** Ends a session after an error: with QUIT if the server only rejected the mail, or lacks an extension. */
const endAfter = async (error: unknown, session: SmtpSession): Promise<void> =>
  isRejection(error) ? session.quit() : session.abort()

const isRejection = (error: unknown) =>
  error instanceof SmtpFailure &&
  (error.reason === 'refused' || error.reason === 'unable' || error.reason === 'no_utf8')
