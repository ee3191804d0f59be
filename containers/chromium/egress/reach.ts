import { connect, isIPv6, type LookupFunction, type Socket } from 'node:net'
import { Unreachable } from './failure.ts'
import { addressesOf } from './names.ts'
import { checkAddress, checkHost, type EgressRule } from './rule.ts'

/** A place on the network, the host as `URL` writes it. */
export interface NetworkAddress {
  host: string
  port: number
}

/** Milliseconds for a connection. */
const patience = 10_000

/** A connection to one of the addresses that were just looked up and allowed, every one of them; refuses otherwise. */
export async function reach({ host, port }: NetworkAddress, rule: EgressRule): Promise<Socket> {
  const bare = host.replace(/^\[|\]$/g, '')
  checkHost(bare, rule)
  const addresses = await addressesOf(bare, rule)
  for (const address of addresses) checkAddress(address, port, rule)
  return open(bare, port, addresses)
}

/** No name is looked up here: what was checked is what is connected to. */
function open(host: string, port: number, addresses: string[]): Promise<Socket> {
  const known = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  const lookup: LookupFunction = (_name, { all }, found) =>
    all ? found(null, known) : found(null, known[0]!.address, known[0]!.family)
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup, autoSelectFamily: true, noDelay: true })
    const give = (error: Unreachable) => {
      socket.destroy()
      reject(error)
    }
    const timer = setTimeout(give, patience, new Unreachable('slow'))
    socket.once('error', () => give(new Unreachable('closed')))
    socket.once('connect', () => resolve(socket))
    socket.once('connect', () => clearTimeout(timer))
    socket.once('close', () => clearTimeout(timer))
  })
}
