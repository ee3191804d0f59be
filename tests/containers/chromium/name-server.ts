// A DNS server for tests, over UDP, which answers questions for IPv4 and IPv6 addresses from a table.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Answer, decode, encode } from 'dns-packet'
import { afterAll, beforeAll } from 'vitest'

export interface NameServer {
  /** Address of the server, as the variable `NAME_SERVERS` has it. */
  address: string
  /** The received questions, such as `A site.example.com`. */
  questions: string[]
}

/**
 * The addresses of a name, by the number of the question. An empty list means that the name does not exist, null that
 * there is no reply.
 */
export type Zone = Record<string, (count: number) => (string | { alias: string })[] | null>

/** Starts the server for the tests of a file. A name that is not in the zone does not exist. */
export function useNameServer(zone: Zone): NameServer {
  const server: NameServer = { address: '', questions: [] }
  const socket = createSocket('udp4')
  socket.on('message', (message, { address, port }) => {
    const { id, questions } = decode(message)
    const { name, type } = questions![0]!
    const isOf = (family: string) => (/:/.test(family) ? 'AAAA' : 'A')
    const question = `${type} ${name.toLowerCase()}`
    const count = server.questions.filter((one) => one === question).length
    server.questions.push(question)
    const found = zone[name.toLowerCase()]
    const addresses = found ? found(count) : []
    if (addresses === null) return
    const answers = addresses.flatMap((one): Answer[] => {
      if (typeof one !== 'string') return [{ type: 'CNAME', name, data: one.alias, ttl: 0 }]
      const owner = addresses.flatMap((other) => (typeof other === 'string' ? [] : [other.alias])).at(-1) ?? name
      return isOf(one) === type ? [{ type: isOf(one) as 'A', name: owner, data: one, ttl: 0 }] : []
    })
    // Response code 3 means that the name does not exist.
    const flags = 0x8180 | (found ? 0 : 3)
    socket.send(encode({ type: 'response', id: id!, flags, questions: questions!, answers }), port, address)
  })
  beforeAll(async () => {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    server.address = `127.0.0.1:${socket.address().port}`
  })
  afterAll(() => void socket.close())
  return server
}
