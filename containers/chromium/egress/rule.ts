// The egress rule: decides which hosts and addresses documents may load from. By default, only public ones.
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { isPublic, isPublicAddress } from '../../../src/core/outgoing/url.ts'
import { EgressError } from './egress-error.ts'

export interface EgressRule {
  allowPrivate: boolean
  /** Addresses of the DNS servers to ask. Empty: those of the system. */
  nameServers: string[]
  /** Ports that this server itself listens on. Pages never reach these, even if private addresses are allowed. */
  ownPorts: Set<number>
}

/** Checks a host name or address before DNS, such as `localhost` and `10.0.0.1`. Throws `EgressError`. */
export function checkHost(host: string, { allowPrivate }: EgressRule) {
  if (!allowPrivate && !isPublic(host)) throw new EgressError('refused')
}

/** Checks a resolved address: it must be public, and not one of this machine. Throws `EgressError`. */
export function checkAddress(address: string, port: number, { allowPrivate, ownPorts }: EgressRule) {
  const isOwn = isThisMachine(address)
  if (isOwn && ownPorts.has(port)) throw new EgressError('refused')
  if (!allowPrivate && (isOwn || !isPublicAddress(address))) throw new EgressError('refused')
}

function isThisMachine(address: string): boolean {
  const parsed = ipaddr.process(address)
  if (['loopback', 'unspecified'].includes(parsed.range())) return true
  const text = parsed.toNormalizedString()
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some(({ address }) => ipaddr.process(address.replace(/%.*$/, '')).toNormalizedString() === text)
}
