import ipaddr from 'ipaddr.js'
import * as z from 'zod'

/** `ALLOW_PRIVATE_TARGETS=true` lifts the rule about addresses; the local default. */
export interface TargetEnv {
  ALLOW_PRIVATE_TARGETS?: string
}

// Names that lead nowhere public: RFC 6761, RFC 6762, RFC 7686, RFC 8375, ICANN's .internal.
const reserved = [
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

const longest = 2_000

/**
 * Why a Worker must not call this URL for a caller; nothing where it may. An address that a variable configures is no caller's
 * choice: components reach each other, and the operator's webhooks, under private addresses too.
 */
export function objectionTo(text: string, env: TargetEnv): string | undefined {
  const url = text.length <= longest ? URL.parse(text) : null
  if (!url) return `Must be a URL of at most ${longest} characters`
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'Must be an http or https URL'
  if (url.username || url.password) return 'Must not have credentials in it'
  if (env.ALLOW_PRIVATE_TARGETS === 'true' || isPublic(url.hostname) || isConfigured(url, env)) return undefined
  return 'Must lead to a public address'
}

/** Variables with the address of a component or of the operator; a container's is nobody's but its component's. */
const addressName = /(?<!_CONTAINER)_URL$/

/** Whether the URL is one that a variable such as `SELF_URL` or `SMS_URL` has, or lies under it. */
const isConfigured = (url: URL, env: TargetEnv) =>
  Object.entries(env).some(([name, value]: [string, unknown]) => {
    const configured = addressName.test(name) && typeof value === 'string' ? URL.parse(value) : null
    if (configured?.origin !== url.origin) return false
    const folder = configured.pathname.replace(/\/*$/, '/')
    return `${url.pathname}/`.startsWith(folder)
  })

/** A URL that a caller names, as `objectionTo` allows it. */
export const targetUrl = (env: TargetEnv) =>
  z.string().superRefine((text, { addIssue }) => {
    const message = objectionTo(text, env)
    if (message) addIssue({ code: 'custom', message })
  })

/** Whether a URL's host is a public address, or a name that may have one. `URL` has unified the spellings of IPv4. */
export function isPublic(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  if (ipaddr.isValid(host)) return isPublicAddress(host)
  const labels = host.split('.')
  return labels.length > 1 && !labels.includes('') && !reserved.includes(labels.at(-1)!)
}

// What IANA gives out of IPv6; the rest is reserved, or has IPv4 in it in ways long given up.
const globalUnicast = ipaddr.parseCIDR('2000::/3')

// Where Azure answers its own virtual machines, in the middle of what is public.
const platform = '168.63.129.16'

/** An address of the open internet: not private, loopback, link-local, shared, multicast, reserved (RFC 6890) or a cloud's own. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address)
  if (parsed.toString() === platform) return false
  if (parsed.range() !== 'unicast') return isPublicWithin(parsed)
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
}

/** An IPv6 address that carries an IPv4 one is as public as that: NAT64 (RFC 6052), 6to4 (RFC 3056). */
function isPublicWithin(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.kind() === 'ipv4') return false
  const bytes = address.toByteArray()
  const inner = { rfc6052: bytes.slice(12, 16), '6to4': bytes.slice(2, 6) }[address.range() as string]
  return inner !== undefined && isPublicAddress(ipaddr.fromByteArray(inner).toString())
}
