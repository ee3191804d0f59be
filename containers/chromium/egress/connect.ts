// Opens the TCP connections of untrusted documents, after checking the host and all its addresses against the egress
// rule.
import { connect, isIPv6, type LookupFunction, type Socket } from 'node:net'
import { EgressError } from './egress-error.ts'
import { resolveHost } from './host-addresses.ts'
import { checkAddress, checkHost, type EgressRule } from './rule.ts'

/** Target of a connection. The host is written as in `URL`: IPv6 addresses are in brackets. */
export interface NetworkTarget {
  host: string
  port: number
}

const connectTimeoutMs = 10_000

/**
 * Connects to a host. Resolves its name once, requires that all its addresses are allowed, and connects to one of these, so that
 * DNS rebinding cannot change the address after the check. Throws `EgressError`.
 */
export async function connectTo({ host, port }: NetworkTarget, rule: EgressRule): Promise<Socket> {
  const bare = host.replace(/^\[|\]$/g, '')
  checkHost(bare, rule)
  const addresses = await resolveHost(bare, rule)
  for (const address of addresses) checkAddress(address, port, rule)
  return open(bare, port, addresses)
}

/** Connects to one of the checked addresses, without another DNS lookup. */
function open(host: string, port: number, addresses: string[]): Promise<Socket> {
  const checked = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  const lookup: LookupFunction = (_name, { all }, callback) =>
    all ? callback(null, checked) : callback(null, checked[0]!.address, checked[0]!.family)
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup, autoSelectFamily: true, noDelay: true })
    const fail = (error: EgressError) => {
      socket.destroy()
      reject(error)
    }
    const timer = setTimeout(fail, connectTimeoutMs, new EgressError('slow'))
    socket.once('error', () => fail(new EgressError('closed')))
    socket.once('connect', () => resolve(socket))
    socket.once('connect', () => clearTimeout(timer))
    socket.once('close', () => clearTimeout(timer))
  })
}
