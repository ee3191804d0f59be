/** How a password reaches its target. */
export const channels = ['sms', 'call', 'email', 'chatapp'] as const

export type Channel = (typeof channels)[number]

/** A target as it is counted, kept and compared; nothing where the text is no target of the channel. */
export const targetOf = (channel: Channel, text: string): string | undefined => reductions[channel](text)

const reductions: Record<Channel, (text: string) => string | undefined> = {
  sms: phoneOf,
  call: phoneOf,
  email: emailOf,
  chatapp: chatOf,
}

/** The digits of a phone, 7 to 15 of them (ITU-T E.164). */
export function phoneOf(text: string): string | undefined {
  const digits = text.replace(/[+(). -]/g, '')
  return /^\d{7,15}$/.test(digits) ? digits : undefined
}

// As far as characters can tell (RFC 5321, RFC 6531), without quoted local parts and addresses in place of domains.
const local = /^(?!\.)(?!.*\.\.)[^\s@<>()[\]\\,;:"\p{C}]{1,64}(?<!\.)$/u
const domain = /^((?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)\.)+(?!-)[\p{L}\p{M}\p{N}-]{2,63}(?<!-)$/u

/** An email address in lower case. */
export function emailOf(text: string): string | undefined {
  const address = text.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const isOne = address.length <= 254 && local.test(address.slice(0, at)) && domain.test(address.slice(at + 1))
  return isOne ? address : undefined
}

/** The id of a chat, which may begin with a minus. */
export function chatOf(text: string): string | undefined {
  const id = text.trim()
  return id.length >= 1 && id.length <= 64 && !/\p{C}/u.test(id) ? id : undefined
}

/** What a target may have been called on each channel; a minus before digits is a chat's, never a phone's. */
export function readingsOf(text: string): { channel: Channel; target: string }[] {
  return channels.flatMap((channel) => {
    const isPhone = channel === 'sms' || channel === 'call'
    const target = isPhone && /^\s*-/.test(text) ? undefined : targetOf(channel, text)
    return target === undefined ? [] : { channel, target }
  })
}
