import { domainToASCII } from 'node:url'

// Parses email addresses with optional names, which callers give to the `email` component and to deliveries.

/** A mailbox of RFC 5322, section 3.4: an address with an optional name. */
export interface Mailbox {
  /** Empty if there is no name. */
  name: string
  /** The address with its domain in lower-case ASCII, as SMTP servers expect it. */
  address: string
  /** The address as the caller wrote it. */
  written: string
}

const maxNameLength = 255

/** Maximum length of a text that is parsed. A longer text cannot be a valid mailbox. */
const maxMailboxLength = 1_000

/** Parses `address`, `<address>` or `Name <address>`, the name quoted or not. `undefined` if the text is none of these. */
export function parseMailbox(text: string): Mailbox | undefined {
  if (text.length > maxMailboxLength || /\p{Cc}/u.test(text)) return undefined
  const [, quoted, plain, inBrackets] = forms.exec(text.trim()) ?? []
  const written = inBrackets ?? text.trim()
  const name = (quoted?.replace(/\\(.)/gu, '$1') ?? plain ?? '').trim()
  const address = normalizeAddress(written)
  return address === undefined || name.length > maxNameLength ? undefined : { name, address, written }
}

/** Matches `Name <address>`. The name is quoted, with `\` as the escape character, or has no `"`, `<` and `>`. */
const forms = /^(?:"((?:[^"\\]|\\.)*)"\s*|([^"<>]*))<([^<>]*)>$/u

// Maximum lengths of the parts of an address (RFC 5321, section 4.5.3.1).
const maxBytes = { local: 64, domain: 253, address: 254 }

// One part of a local part between dots (dot-atom of RFC 5322, section 3.2.3), with the letters of RFC 6531. Quoted
// local parts are not supported, since few servers accept them.
const atom = "(?:[\\w!#$%&'*+/=?^`{|}~-]|[^\\p{ASCII}\\p{C}\\p{Z}])+"
const dotAtom = new RegExp(`^${atom}(?:\\.${atom})*$`, 'u')

/** The address with its domain in lower-case ASCII (RFC 5890). `undefined` if it is invalid. */
function normalizeAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const domain = toAscii(text.slice(at + 1))
  if (!domain || !dotAtom.test(local) || bytesIn(local) > maxBytes.local) return undefined
  const address = `${local}@${domain}`
  return bytesIn(address) <= maxBytes.address ? address : undefined
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
// A domain of letters, digits and hyphens whose last label is not a number: an IP address is not a domain.
const asciiDomain = new RegExp(`^(?:${label}\\.)*(?!\\d+$)${label}$`)

function toAscii(domain: string): string | undefined {
  // Invalid characters are refused before `domainToASCII` is called, which would drop them and return another domain.
  if (domain.length > maxBytes.domain || !/^[a-z0-9.-]+$/i.test(domain.replace(/[^\p{ASCII}\p{C}\p{Z}]/gu, 'x')))
    return undefined
  const ascii = domainToASCII(domain)
  return ascii.length <= maxBytes.domain && asciiDomain.test(ascii) ? ascii : undefined
}

const bytesIn = (text: string) => Buffer.byteLength(text)

/** Whether the SMTP server must support the extension SMTPUTF8 (RFC 6531) to accept this address. */
export const needsUtf8 = ({ address }: Mailbox) => /[^\p{ASCII}]/u.test(address)

/** Splits a list of mailboxes at commas outside of quotes and angle brackets. */
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
