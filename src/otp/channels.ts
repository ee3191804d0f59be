import { domainToASCII } from 'node:url'

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

// What RFC 5321 and RFC 6531 allow, without quoted local parts and addresses of machines in place of domains.
const local = /^(?!\.)(?!.*\.\.)[^\s@<>()[\]\\,;:"\p{C}]+(?<!\.)$/u
const domain = /^[\p{L}\p{M}\p{N}.-]+$/u
const asciiDomain = /^((?!-)[a-z0-9-]{1,63}(?<!-)\.)+(?!\d+$)(?!-)[a-z0-9-]{2,63}(?<!-)$/

/** An email address in lower case, its domain in ASCII (RFC 5890). */
export function emailOf(text: string): string | undefined {
  const [name, host, ...more] = text.trim().toLowerCase().split('@')
  if (!name || !host || more.length > 0 || !local.test(name) || !domain.test(host)) return undefined
  const ascii = domainToASCII(host)
  const address = `${name}@${ascii}`
  return asciiDomain.test(ascii) && bytesIn(name) <= 64 && bytesIn(address) <= 254 ? address : undefined
}

const bytesIn = (text: string) => new TextEncoder().encode(text).length

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
