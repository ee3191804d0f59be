import { domainToASCII } from 'node:url'

/** Somebody's mailbox, as a message names it (RFC 5322, section 3.4). */
export interface Mailbox {
  /** Empty where there is none. */
  name: string
  /** As it goes to the server: its domain in ASCII. */
  address: string
  /** The address as it was written. */
  written: string
}

const longestName = 255

/** More than a name and an address can take with all that marks them; what is longer is not looked through. */
const longestMailbox = 1_000

/** A mailbox written as `address`, `<address>` or `Name <address>`, its name quoted or not; nothing where it is none. */
export function parseMailbox(text: string): Mailbox | undefined {
  if (text.length > longestMailbox || /\p{Cc}/u.test(text)) return undefined
  const [, quoted, plain, inBrackets] = forms.exec(text.trim()) ?? []
  const written = inBrackets ?? text.trim()
  const name = (quoted?.replace(/\\(.)/gu, '$1') ?? plain ?? '').trim()
  const address = normalizeAddress(written)
  return address === undefined || name.length > longestName ? undefined : { name, address, written }
}

/** `Name <address>`: the name quoted, with `\` before what is meant literally, or without any of the characters that mark it. */
const forms = /^(?:"((?:[^"\\]|\\.)*)"\s*|([^"<>]*))<([^<>]*)>$/u

// RFC 5321, section 4.5.3.1, in bytes.
const longest = { local: 64, domain: 253, address: 254 }

// A dot-atom (RFC 5322, section 3.2.3), which RFC 6531 lets have any letter. A quoted one is taken by few servers.
const atom = "(?:[\\w!#$%&'*+/=?^`{|}~-]|[^\\p{ASCII}\\p{C}\\p{Z}])+"
const dotAtom = new RegExp(`^${atom}(?:\\.${atom})*$`, 'u')

/** An address with its domain in lower-case ASCII (RFC 5890); nothing where it is none. */
function normalizeAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const domain = toAscii(text.slice(at + 1))
  if (!domain || !dotAtom.test(local) || bytesIn(local) > longest.local) return undefined
  const address = `${local}@${domain}`
  return bytesIn(address) <= longest.address ? address : undefined
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
// The last label is no number: an address of a network is no domain.
const asciiDomain = new RegExp(`^(?:${label}\\.)*(?!\\d+$)${label}$`)

function toAscii(domain: string): string | undefined {
  // The mapping would cut off what is no part of a domain, rather than refuse it.
  if (domain.length > longest.domain || !/^[a-z0-9.-]+$/i.test(domain.replace(/[^\p{ASCII}\p{C}\p{Z}]/gu, 'x')))
    return undefined
  const ascii = domainToASCII(domain)
  return ascii.length <= longest.domain && asciiDomain.test(ascii) ? ascii : undefined
}

const bytesIn = (text: string) => Buffer.byteLength(text)

/** Whether an address can only go to a server that has the extension SMTPUTF8 (RFC 6531). */
export const needsUtf8 = ({ address }: Mailbox) => /[^\p{ASCII}]/u.test(address)

/** The items of a list, between commas that are in no quotes and no angle brackets. */
export function splitList(text: string): string[] {
  const items = ['']
  let inside = ''
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (inside === '"' && char === '\\') items[items.length - 1] += char + (text[++at] ?? '')
    else if (inside === '' && char === ',') items.push('')
    else {
      if (inside === '' && (char === '"' || char === '<')) inside = char
      else if ((inside === '"' && char === '"') || (inside === '<' && char === '>')) inside = ''
      items[items.length - 1] += char
    }
  }
  return items
}
