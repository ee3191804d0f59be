// The SMTP server of tests: stores the mails that it accepts, and refuses and fails as a test says.
import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerError, type SMTPServerOptions } from 'smtp-server'
import { type Fault, faultyServer, type SmtpLog } from './smtp-faults.ts'

export interface SmtpBehaviour {
  /** Whether it uses TLS from the first byte. */
  isSecure?: boolean
  /** Whether it offers STARTTLS. */
  hasStartTls?: boolean
  /** Private key and certificate in PEM. */
  certificate?: { key: string; cert: string }
  /** The user and password that clients must send. */
  login?: { user: string; pass: string; methods?: string[] }
  /** Reply codes with which senders, recipients and whole messages are refused, by address or subject. */
  refuse?: Record<string, number>
  /** Extensions that the server does not offer. */
  without?: ('SMTPUTF8' | 'PIPELINING' | '8BITMIME')[]
  /** Whether the server is so old that it does not know EHLO. */
  isOld?: boolean
  /** Maximum message size in bytes that the server announces. */
  size?: number
  /** Whether the server replies to a message only after a call of `release`. */
  holds?: boolean
  /** The fault of every connection, or those of the first, second … connection. */
  fault?: Fault | Fault[]
}

export interface TakenMail {
  from: string
  to: string[]
  /** Whether the mail came over TLS. */
  isSecure: boolean
  user: string | undefined
  name: string
  isUtf8: boolean
  /** The mail as received, in base64. */
  raw: string
}

export interface TestSmtp {
  port: number
  heard: SmtpLog
  mails: TakenMail[]
  /** Number of messages that wait for a reply. */
  held(): number
  release(): void
  /** Closes the connections of all clients. */
  disconnect(): void
  close(): void
}

/** Starts an SMTP server on a free port. */
export async function startSmtp(behaviour: SmtpBehaviour = {}): Promise<TestSmtp> {
  const log: SmtpLog = { connections: 0, commands: [], faults: 0 }
  const mails: TakenMail[] = []
  const waiting: (() => void)[] = []
  let isReleased = !behaviour.holds
  const smtp = new SMTPServer({
    ...optionsOf(behaviour),
    onMailFrom: ({ address }, _, done) => done(refusal(behaviour, address)),
    onRcptTo: ({ address }, _, done) => done(refusal(behaviour, address)),
    onData: async (stream, session, done) => {
      // A message that broke off is not stored.
      const raw = await buffer(stream).catch(() => undefined)
      if (!raw) return
      const subject = /^Subject: (.*)\r$/im.exec(raw.toString('latin1'))?.[1] ?? ''
      const refused = refusal(behaviour, subject)
      if (refused) return done(refused)
      const { mailFrom, rcptTo, smtpUtf8 } = session.envelope
      mails.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        ...{ isSecure: session.secure, user: session.user, name: session.hostNameAppearsAs },
        ...{ isUtf8: smtpUtf8 === true, raw: raw.toString('base64') },
      })
      if (!isReleased) await new Promise<void>((release) => waiting.push(release))
      done()
    },
    onAuth: ({ method, username, password, accessToken }, _, done) => {
      const { login } = behaviour
      if (method === 'XOAUTH2') {
        if (username === login?.user && accessToken === login?.pass) done(null, { user: username })
        else done(null, { data: { status: '401' } })
        return
      }
      if (username === login?.user && password === login?.pass) done(null, { user: username })
      else done(new Error('No such user'))
    },
  })
  smtp.on('error', () => undefined)
  const inner = smtp.listen(0, '127.0.0.1')
  await once(inner, 'listening')
  const clients = new Set<Socket>()
  const outer = faultyServer(portOf(inner), log, behaviour, clients).listen(0, '127.0.0.1')
  await once(outer, 'listening')
  const release = () => {
    isReleased = true
    for (const go of waiting.splice(0)) go()
  }
  return {
    ...{ port: portOf(outer), heard: log, mails, release },
    held: () => waiting.length,
    disconnect: () => {
      for (const client of clients) client.end()
    },
    close: () => {
      outer.close()
      smtp.close()
      release()
    },
  }
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

const optionsOf = ({
  isSecure = false,
  hasStartTls = false,
  certificate,
  login,
  without = [],
  size,
  isOld,
}: SmtpBehaviour) =>
  ({
    secure: isSecure,
    ...certificate,
    disabledCommands: [...(hasStartTls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH']), ...(isOld ? ['EHLO'] : [])],
    authOptional: !login,
    allowInsecureAuth: true,
    ...(login?.methods && { authMethods: login.methods }),
    hideSMTPUTF8: without.includes('SMTPUTF8'),
    hidePIPELINING: without.includes('PIPELINING'),
    hide8BITMIME: without.includes('8BITMIME'),
    ...(size && { size }),
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 0,
  }) satisfies SMTPServerOptions

function refusal({ refuse = {} }: SmtpBehaviour, what: string): SMTPServerError | null {
  const code = Object.hasOwn(refuse, what) ? refuse[what] : undefined
  return code === undefined ? null : Object.assign(new Error(`${what} is refused`), { responseCode: code })
}
