// The channels by which one-time passwords are sent, and the normalized form of their targets: phones, email addresses and
// chats.
import { parseMailbox } from '#core/messages/mailbox'
import { digitsOf } from '#core/messages/phone'

/** The channels by which a password can be sent. `chatapp` is the messenger bot. */
export const channels = ['sms', 'call', 'email', 'chatapp'] as const

export type OtpChannel = (typeof channels)[number]

/**
 * Normalizes a target, so that all spellings of it are stored, counted and compared as one. Returns undefined if the target is
 * invalid for the channel.
 */
export const normalizeTarget = (channel: OtpChannel, text: string): string | undefined => normalizers[channel](text)

const normalizers: Record<OtpChannel, (text: string) => string | undefined> = {
  sms: digitsOf,
  call: digitsOf,
  email: normalizeEmail,
  chatapp: normalizeChatId,
}

/**
 * Normalizes an email address: lower case, domain in ASCII with at least two labels. Returns undefined for any other text, also
 * for an address with a display name.
 */
export function normalizeEmail(text: string): string | undefined {
  const lowerCase = text.trim().toLowerCase()
  const mailbox = parseMailbox(lowerCase)
  return mailbox?.written === lowerCase && /@.+\./.test(mailbox.address) ? mailbox.address : undefined
}

/**
 * Normalizes the id of a chat, which has 1 to 64 characters. Ids of groups begin with a minus. Returns undefined for an invalid
 * id.
 */
export function normalizeChatId(text: string): string | undefined {
  const id = text.trim()
  return id.length >= 1 && id.length <= 64 && !/\p{C}/u.test(id) ? id : undefined
}

/**
 * The channels on which a text is a valid target, each with the normalized target. A text with a leading minus is no phone, but
 * may be the id of a group.
 */
export function possibleTargets(text: string): { channel: OtpChannel; target: string }[] {
  return channels.flatMap((channel) => {
    const isPhone = channel === 'sms' || channel === 'call'
    const target = isPhone && /^\s*-/.test(text) ? undefined : normalizeTarget(channel, text)
    return target === undefined ? [] : { channel, target }
  })
}
