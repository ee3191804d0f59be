// Resolves host names for the egress proxy, so that it can check all addresses before it connects.
import { lookup, Resolver } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { EgressError } from './egress-error.ts'
import type { EgressRule } from './rule.ts'

/** Timeout of a DNS query in milliseconds, and number of tries. */
const queryOptions = { timeout: 2_000, tries: 2 }

/**
 * Returns all addresses of a host name, at least one. An IP address is returned unchanged. Throws `EgressError` if the
 * name cannot be resolved.
 */
export async function resolveHost(host: string, rule: EgressRule): Promise<string[]> {
  if (ipaddr.isValid(host)) return [host]
  const addresses = await resolve(host.replace(/\.$/, ''), rule)
  if (addresses.length === 0) throw new EgressError('unknown')
  return addresses
}

async function resolve(name: string, { allowPrivate, nameServers }: EgressRule): Promise<string[]> {
  // RFC 6761: localhost is always this machine, and is resolved without DNS.
  if (/(^|\.)localhost$/i.test(name)) return ['127.0.0.1', '::1']
  // The system's lookup, which reads the hosts file, is used only if private addresses are allowed: the hosts file
  // names private addresses.
  if (allowPrivate && nameServers.length === 0) return lookUp(name)
  const resolver = new Resolver(queryOptions)
  if (nameServers.length > 0) resolver.setServers(nameServers)
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length === 0 && answers.some(isTimeout)) throw new EgressError('slow')
  return addresses
}

const lookUp = (name: string): Promise<string[]> =>
  lookup(name, { all: true, order: 'ipv4first' }).then(
    (records) => records.map(({ address }) => address),
    () => [],
  )

const isTimeout = (answer: PromiseSettledResult<unknown>) =>
  answer.status === 'rejected' && ['ETIMEOUT', 'ECONNREFUSED', 'ESERVFAIL'].includes(answer.reason?.code)
