import ipaddr from 'ipaddr.js'

/**
 * An IP address as it is counted; nothing where the text is none. IPv4 in IPv6 is that IPv4 address (RFC 4291, section
 * 2.5.5.2). Any other IPv6 address is the network of 64 bits that it lies in, all of which one subscriber has.
 */
export function addressOf(text: string): string | undefined {
  const given = text.trim()
  if (!ipaddr.IPv4.isValidFourPartDecimal(given) && !isIPv6(given)) return undefined
  const address = ipaddr.process(given)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}

// A zone names an interface of a machine.
const isIPv6 = (text: string) => !text.includes('%') && ipaddr.IPv6.isValid(text)
