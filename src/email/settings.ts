// Reads the allowed senders of the email component from the environment variables, and validates them.
import { invalid, notConfigured } from '#core/failure'
import { type Mailbox, parseMailbox, splitList } from '#core/messages/mailbox'
import type { Env } from './bindings.ts'

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
