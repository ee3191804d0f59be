import ipaddr from 'ipaddr.js'

/**
 * Normalizes an IP address to the key by which sends are counted. Returns undefined if the text is no IP address. An
 * IPv4-mapped IPv6 address becomes the IPv4 address (RFC 4291, section 2.5.5.2). Any other IPv6 address becomes its /64
 * network, since one subscriber controls all addresses of a /64.
 */
export function ipKeyOf(text: string): string | undefined {
  const trimmed = text.trim()
  if (!ipaddr.IPv4.isValidFourPartDecimal(trimmed) && !isIPv6(trimmed)) return undefined
  const address = ipaddr.process(trimmed)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}

// Rejects an address with a zone id such as `%eth0`: it names a network interface of one machine and means nothing elsewhere.
const isIPv6 = (text: string) => !text.includes('%') && ipaddr.IPv6.isValid(text)
