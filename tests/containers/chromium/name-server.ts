// A name server of the test's own, over UDP and on one port for both kinds of address.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Answer, decode, encode } from 'dns-packet'
import { afterAll, beforeAll } from 'vitest'

export interface NameServer {
  /** As `NAME_SERVERS` has it. */
  address: string
  /** The received questions, as `A name`. */
  questions: string[]
}

/** Addresses of a name, by the number of the question. An empty list: no such name. Null: no reply. */
export type Zone = Record<string, (count: number) => (string | { alias: string })[] | null>

/** A name that is not in the zone does not exist. */
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
    const said = found ? found(count) : []
    if (said === null) return
    const answers = said.flatMap((one): Answer[] => {
      if (typeof one !== 'string') return [{ type: 'CNAME', name, data: one.alias, ttl: 0 }]
      const owner = said.flatMap((other) => (typeof other === 'string' ? [] : [other.alias])).at(-1) ?? name
      return isOf(one) === type ? [{ type: isOf(one) as 'A', name: owner, data: one, ttl: 0 }] : []
    })
    // 3: there is no such name.
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
