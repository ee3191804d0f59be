// A document's only way out: a proxy of its own on this machine, which ends with it.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { reasons, Unreachable } from './failure.ts'
import { forward } from './forward.ts'
import { type NetworkAddress, reach } from './reach.ts'
import type { EgressRule } from './rule.ts'

/** Connections of a document at a time. */
const mostConnections = 256

export class Egress {
  readonly #server: Server
  readonly #rule: EgressRule
  readonly #sockets = new Set<Duplex>()
  /** Why a place was not reached, by its host and port. */
  readonly #failed = new Map<string, keyof typeof reasons>()
  /** Bytes that are left. */
  #left: number

  /** Bytes that it lets through at most. */
  static async open(rule: EgressRule, traffic: number): Promise<Egress> {
    const egress = new Egress(rule, traffic)
    egress.#server.listen(0, '127.0.0.1')
    await once(egress.#server, 'listening')
    rule.ownPorts.add(egress.port)
    return egress
  }

  constructor(rule: EgressRule, traffic: number) {
    this.#rule = rule
    this.#left = traffic
    const server = createServer({ maxHeaderSize: 65_536, insecureHTTPParser: false })
    server.maxConnections = mostConnections
    server.requestTimeout = 0
    server.on('connection', (socket) => this.#keep(socket))
    server.on('request', (request, response) => void this.#answer(request, response))
    server.on('connect', (request, socket, head) => void this.#tunnel(request, socket, head))
    server.on('upgrade', (_request, socket) => socket.destroy())
    server.on('clientError', (_error, socket) => socket.destroy())
    this.#server = server
  }

  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0
  }

  /** Why the URL's host was not reached, if that was so. */
  failureOf(url: string): string | undefined {
    const place = placeOf(url)
    const reason = place && this.#failed.get(keyOf(place))
    return reason && reasons[reason]
  }

  /** Breaks every connection, and takes no more. */
  close() {
    this.#rule.ownPorts.delete(this.port)
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    try {
      const url = URL.parse(request.url ?? '')
      if (url?.protocol !== 'http:') throw new Unreachable('refused')
      const socket = await this.#reach(placeOf(url.href)!)
      forward(request, response, url, socket)
    } catch {
      // Nothing is said of it to the page: a frame stays empty.
      response.writeHead(502, { 'content-length': 0 }).end()
    }
  }

  async #tunnel({ url }: IncomingMessage, client: Duplex, head: Buffer) {
    client.on('error', () => client.destroy())
    try {
      const place = placeOf(`https://${url}`)
      if (!place) throw new Unreachable('refused')
      const socket = await this.#reach(place)
      client.once('close', () => socket.destroy())
      socket.once('close', () => client.destroy())
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.write(head)
      client.pipe(socket).pipe(client)
    } catch {
      client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    }
  }

  async #reach(place: NetworkAddress): Promise<Socket> {
    try {
      if (this.#left <= 0) throw new Unreachable('spent')
      const socket = await reach(place, this.#rule)
      if (!this.#server.listening) {
        socket.destroy()
        throw new Unreachable('closed')
      }
      this.#keep(socket)
      socket.on('data', ({ length }) => this.#spend(length))
      return socket
    } catch (error) {
      if (error instanceof Unreachable) this.#failed.set(keyOf(place), error.reason)
      throw error
    }
  }

  #keep(socket: Duplex) {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#sockets.delete(socket))
  }

  #spend(bytes: number) {
    this.#left -= bytes
    if (this.#left <= 0) for (const socket of this.#sockets) socket.destroy()
  }
}

function placeOf(text: string): NetworkAddress | undefined {
  const url = URL.parse(text)
  if (!url || url.username || url.password) return undefined
  return { host: url.hostname, port: Number(url.port) || (url.protocol === 'http:' ? 80 : 443) }
}

const keyOf = ({ host, port }: NetworkAddress) => `${host}:${port}`
