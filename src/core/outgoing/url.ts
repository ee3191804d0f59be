import ipaddr from 'ipaddr.js'
import * as z from 'zod'

// Checks URLs from callers against server-side request forgery (SSRF): a caller must not reach private addresses
// through a component.

/** The variable that allows private addresses. */
export interface TargetEnv {
  ALLOW_PRIVATE_TARGETS?: string
}

// Top-level domains that are never public: RFC 6761, RFC 6762, RFC 7686, RFC 8375, ICANN's .internal.
const reservedDomains = [
  'localhost',
  'local',
  'internal',
  'test',
  'example',
  'invalid',
  'onion',
  'arpa',
  'lan',
  'home',
  'corp',
  'localdomain',
  'intranet',
  'private',
]

const maxUrlLength = 2_000

/**
 * Returns why a component must not call a URL from a caller, or `undefined` if it may. URLs under an address that an
 * environment variable configures are allowed even if they are private, since components call each other and the
 * operator's webhooks there.
 */
export function objectionTo(text: string, env: TargetEnv): string | undefined {
  const url = text.length <= maxUrlLength ? URL.parse(text) : null
  if (!url) return `Must be a URL of at most ${maxUrlLength} characters`
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'Must be an http or https URL'
  if (url.username || url.password) return 'Must not contain credentials'
  if (env.ALLOW_PRIVATE_TARGETS === 'true' || isPublic(url.hostname) || isConfigured(url, env)) return undefined
  return 'Must have a public address'
}

/**
 * Names of variables with the URL of a component or of the operator, which callers may use as a target. The URLs of
 * containers are excluded: only their component may call them.
 */
const addressName = /(?<!_CONTAINER)_URL$/

/** Whether the URL equals or lies under the URL in a variable such as `SELF_URL` or `SMS_URL`. */
const isConfigured = (url: URL, env: TargetEnv) =>
  Object.entries(env).some(([name, value]: [string, unknown]) => {
    const configured = addressName.test(name) && typeof value === 'string' ? URL.parse(value) : null
    if (configured?.origin !== url.origin) return false
    const folder = configured.pathname.replace(/\/*$/, '/')
    return `${url.pathname}/`.startsWith(folder)
  })

/** Schema of a URL from a caller that `objectionTo` allows. */
export const targetUrl = (env: TargetEnv) =>
  z.string().superRefine((text, { addIssue }) => {
    const message = objectionTo(text, env)
    if (message) addIssue({ code: 'custom', message })
  })

/**
 * Whether a URL's host is a public IP address, or a name that may resolve to one. `hostname` must come from a `URL`,
 * which normalizes IPv4 addresses.
 */
export function isPublic(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  if (ipaddr.isValid(host)) return isPublicAddress(host)
  const labels = host.split('.')
  return labels.length > 1 && !labels.includes('') && !reservedDomains.includes(labels.at(-1)!)
}

// The range of IPv6 addresses that IANA assigns for public use. All other addresses are reserved, or embed IPv4
// addresses in obsolete ways.
const globalUnicast = ipaddr.parseCIDR('2000::/3')

// Address of Azure's platform services for its virtual machines. It lies in a public range, but must not be reachable
// for callers.
const azurePlatform = '168.63.129.16'

/** Whether an IP address is public: not private, loopback, link-local, shared, multicast, reserved (RFC 6890) or a cloud platform's. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address)
  if (parsed.toString() === azurePlatform) return false
  if (parsed.range() !== 'unicast') return isPublicWithin(parsed)
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
}

/**
 * Whether an IPv6 address that embeds an IPv4 address may be called: it is as public as the embedded one. NAT64 (RFC
 * 6052), 6to4 (RFC 3056).
 */
function isPublicWithin(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.kind() === 'ipv4') return false
  const bytes = address.toByteArray()
  const inner = { rfc6052: bytes.slice(12, 16), '6to4': bytes.slice(2, 6) }[address.range() as string]
  return inner !== undefined && isPublicAddress(ipaddr.fromByteArray(inner).toString())
}
