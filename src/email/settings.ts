// Reads the SMTP server and the allowed senders of the email component from the environment variables, and validates them.
import { invalid, notConfigured } from '#core/failure'
import { type Mailbox, parseMailbox, splitList } from '#core/messages/mailbox'
import type { Env } from './bindings.ts'
import { defaultPorts, type SmtpServer } from './smtp/server.ts'

/** Reads the configuration of the SMTP server. Throws 503 if it is missing or invalid. */
export function serverOf(env: Env): SmtpServer {
  const { SMTP_HOST: host, SMTP_ENCRYPTION: encryption = '' } = env
  if (!host) throw notConfigured('Set SMTP_HOST to the SMTP server that sends the mail.')
  if (!/^[\w.:[\]-]+$/.test(host)) throw notConfigured('SMTP_HOST must be a host name or an IP address.')
  if (!isEncryption(encryption)) throw notConfigured('SMTP_ENCRYPTION must be ssl, tls or empty.')
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: portOf(env, defaultPorts[encryption]),
    encryption,
    credentials: credentialsOf(env),
    connections: connectionsOf(env),
  }
}

const isEncryption = (text: string): text is SmtpServer['encryption'] => Object.hasOwn(defaultPorts, text)

function portOf({ SMTP_PORT }: Env, fallback: number): number {
  const port = SMTP_PORT ? Number(SMTP_PORT) : fallback
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port
  throw notConfigured('SMTP_PORT must be a number between 1 and 65535.')
}

const defaultConnections = 6
const maxConnections = 60

function connectionsOf({ SMTP_CONNECTIONS }: Env): number {
  const connections = SMTP_CONNECTIONS ? Number(SMTP_CONNECTIONS) : defaultConnections
  if (Number.isInteger(connections) && connections >= 0 && connections <= maxConnections) return connections
  throw notConfigured(`SMTP_CONNECTIONS must be a number between 0 and ${maxConnections}.`)
}

function credentialsOf({ SMTP_USERNAME: user = '', SMTP_PASSWORD: pass = '' }: Env) {
  if (!user && !pass) return undefined
  if (!user) throw notConfigured('Set SMTP_USERNAME, since SMTP_PASSWORD is set.')
  if (!pass) throw notConfigured('Set SMTP_PASSWORD, since SMTP_USERNAME is set.')
  if (/\0/.test(user + pass)) throw notConfigured('SMTP_USERNAME and SMTP_PASSWORD must not contain NUL.')
  return { user, pass }
}

const localSender = 'Quartermaster <noreply@localhost.localdomain>'

/** The default sender of all mails. Throws 503 if `EMAIL_FROM` is missing or invalid. */
export function senderOf({ EMAIL_FROM, LOCAL }: Env): Mailbox {
  const text = EMAIL_FROM || (LOCAL === 'true' ? localSender : '')
  if (!text) throw notConfigured('Set EMAIL_FROM to the sender address of the mail.')
  const sender = parseMailbox(text)
  if (!sender) throw notConfigured('EMAIL_FROM must be an address or a name with an address: Name <address>.')
  return sender
}

/**
 * The sender of a mail: the requested sender, or EMAIL_FROM. Throws 400 if the requested address is neither in EMAIL_FROM nor
 * in EMAIL_SENDERS, so that callers cannot send under any address. A display name in the request replaces the configured one.
 */
export function chooseSender(env: Env, requested: Mailbox | undefined): Mailbox {
  const fallback = senderOf(env)
  if (!requested) return fallback
  const sender = [fallback, ...sendersIn(env)].find((one) => isSameAddress(one, requested))
  if (!sender) throw invalid('from', 'Must be the address of EMAIL_FROM or one of EMAIL_SENDERS.')
  return { ...sender, name: requested.name || sender.name }
}

function sendersIn({ EMAIL_SENDERS = '' }: Env): Mailbox[] {
  const items = splitList(EMAIL_SENDERS).filter((item) => item.trim() !== '')
  return items.map((item) => {
    const sender = parseMailbox(item)
    if (!sender)
      throw notConfigured(
        'EMAIL_SENDERS must be a comma-separated list of addresses, each with or without a name: Name <address>.',
      )
    return sender
  })
}

const isSameAddress = (one: Mailbox, other: Mailbox) => one.address.toLowerCase() === other.address.toLowerCase()

/** The domain of a mailbox's address. */
export const domainOf = ({ address }: Mailbox) => address.slice(address.lastIndexOf('@') + 1)
