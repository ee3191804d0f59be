import { parseMailbox } from '#core/messages/mailbox'
import { digitsOf } from '#core/messages/phone'

/** How a password reaches its target. */
export const channels = ['sms', 'call', 'email', 'chatapp'] as const

export type OtpChannel = (typeof channels)[number]

/** A target as it is counted, kept and compared; nothing where the text is no target of the channel. */
export const targetOf = (channel: OtpChannel, text: string): string | undefined => reductions[channel](text)

const reductions: Record<OtpChannel, (text: string) => string | undefined> = {
  sms: digitsOf,
  call: digitsOf,
  email: emailOf,
  chatapp: chatOf,
}

/** An email address in lower case, its domain in ASCII and of two labels at the least; no name beside it. */
export function emailOf(text: string): string | undefined {
  const given = text.trim().toLowerCase()
  const mailbox = parseMailbox(given)
  return mailbox?.written === given && /@.+\./.test(mailbox.address) ? mailbox.address : undefined
}

/** The id of a chat, which may begin with a minus. */
export function chatOf(text: string): string | undefined {
  const id = text.trim()
  return id.length >= 1 && id.length <= 64 && !/\p{C}/u.test(id) ? id : undefined
}

/** What a target may have been called on each channel; a minus before digits is a chat's, never a phone's. */
export function readingsOf(text: string): { channel: OtpChannel; target: string }[] {
  return channels.flatMap((channel) => {
    const isPhone = channel === 'sms' || channel === 'call'
    const target = isPhone && /^\s*-/.test(text) ? undefined : targetOf(channel, text)
    return target === undefined ? [] : { channel, target }
  })
}
