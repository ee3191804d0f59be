// Where documents may lead.
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { isPublic, isPublicAddress } from '../../../src/core/outgoing/url.ts'
import { Unreachable } from './failure.ts'

export interface EgressRule {
  allowPrivate: boolean
  /** Empty: those of the system. */
  nameServers: string[]
  /** That this server listens on: never for a page, whatever else is allowed. */
  ownPorts: Set<number>
}

/** Refuses a host, a name or an address as `URL` writes it, by what it says of itself. */
export function checkHost(host: string, { allowPrivate }: EgressRule) {
  if (!allowPrivate && !isPublic(host)) throw new Unreachable('refused')
}

/** Refuses an address that is not public, or is this machine's. */
export function checkAddress(address: string, port: number, { allowPrivate, ownPorts }: EgressRule) {
  const isOwn = isThisMachine(address)
  if (isOwn && ownPorts.has(port)) throw new Unreachable('refused')
  if (!allowPrivate && (isOwn || !isPublicAddress(address))) throw new Unreachable('refused')
}

function isThisMachine(address: string): boolean {
  const parsed = ipaddr.process(address)
  if (['loopback', 'unspecified'].includes(parsed.range())) return true
  const text = parsed.toNormalizedString()
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some(({ address }) => ipaddr.process(address.replace(/%.*$/, '')).toNormalizedString() === text)
}
