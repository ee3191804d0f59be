import { lookup, Resolver } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { Unreachable } from './failure.ts'
import type { EgressRule } from './rule.ts'

/** Milliseconds for a question, and how often it is asked. */
const patience = { timeout: 2_000, tries: 2 }

/** All addresses of a host, a name or an address; at least one. */
export async function addressesOf(host: string, rule: EgressRule): Promise<string[]> {
  if (ipaddr.isValid(host)) return [host]
  const addresses = await resolve(host.replace(/\.$/, ''), rule)
  if (addresses.length === 0) throw new Unreachable('unknown')
  return addresses
}

async function resolve(name: string, { allowPrivate, nameServers }: EgressRule): Promise<string[]> {
  // RFC 6761; name servers need not know it.
  if (/(^|\.)localhost$/i.test(name)) return ['127.0.0.1', '::1']
  // What only this machine knows, in its hosts file, is private.
  if (allowPrivate && nameServers.length === 0) return lookUp(name)
  const resolver = new Resolver(patience)
  if (nameServers.length > 0) resolver.setServers(nameServers)
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length === 0 && answers.some(isTimeout)) throw new Unreachable('slow')
  return addresses
}

const lookUp = (name: string): Promise<string[]> =>
  lookup(name, { all: true, order: 'ipv4first' }).then(
    (found) => found.map(({ address }) => address),
    () => [],
  )

const isTimeout = (answer: PromiseSettledResult<unknown>) =>
  answer.status === 'rejected' && ['ETIMEOUT', 'ECONNREFUSED', 'ESERVFAIL'].includes(answer.reason?.code)
