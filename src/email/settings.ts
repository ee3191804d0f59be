import { notConfigured } from '#core/failure'
import { type Mailbox, parseMailbox } from '#core/messages/mailbox'
import type { Env } from './env.ts'

/** The SMTP server that mail goes to. */
export interface SmtpServer {
  host: string
  port: number
  /** `ssl`: TLS from the first byte (RFC 8314); `tls`: STARTTLS, or no mail (RFC 3207). */
  encryption: keyof typeof usualPorts
  credentials: { user: string; pass: string } | undefined
}

const usualPorts = { ssl: 465, tls: 587, '': 25 }

/** The configured server; 503 where it is missing or cannot be meant. */
export function serverOf(env: Env): SmtpServer {
  const { SMTP_HOST: host, SMTP_ENCRYPTION: encryption = '' } = env
  if (!host) throw notConfigured('Set SMTP_HOST, the server that mail is sent through')
  if (!/^[\w.:[\]-]+$/.test(host)) throw notConfigured('SMTP_HOST must be the name or the address of a server')
  if (!isEncryption(encryption)) throw notConfigured('SMTP_ENCRYPTION must be ssl, tls or empty')
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: portOf(env, usualPorts[encryption]),
    encryption,
    credentials: credentialsOf(env),
  }
}

const isEncryption = (text: string): text is SmtpServer['encryption'] => Object.hasOwn(usualPorts, text)

function portOf({ SMTP_PORT }: Env, usual: number): number {
  const port = SMTP_PORT ? Number(SMTP_PORT) : usual
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port
  throw notConfigured('SMTP_PORT must be a number from 1 to 65535')
}

function credentialsOf({ SMTP_USERNAME: user = '', SMTP_PASSWORD: pass = '' }: Env) {
  if (!user && !pass) return undefined
  if (!user) throw notConfigured('Set SMTP_USERNAME, since SMTP_PASSWORD is set')
  if (!pass) throw notConfigured('Set SMTP_PASSWORD, since SMTP_USERNAME is set')
  if (/\0/.test(user + pass)) throw notConfigured('SMTP_USERNAME and SMTP_PASSWORD must not contain NUL')
  return { user, pass }
}

const localSender = 'Quartermaster <noreply@localhost.localdomain>'

/** Who mail comes from; 503 where that is missing or no address. */
export function senderOf({ EMAIL_FROM, LOCAL }: Env): Mailbox {
  const text = EMAIL_FROM || (LOCAL === 'true' ? localSender : '')
  if (!text) throw notConfigured('Set EMAIL_FROM, the address that mail comes from')
  const sender = parseMailbox(text)
  if (!sender) throw notConfigured('EMAIL_FROM must be an address, or a name and an address: Name <address>')
  return sender
}

/** The domain of an address. */
export const domainOf = ({ address }: Mailbox) => address.slice(address.lastIndexOf('@') + 1)
