// The egress proxy of a document: an HTTP proxy on localhost, through which the page of one document reaches the network.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connectTo, type NetworkTarget } from './connect.ts'
import { EgressError, reasons } from './egress-error.ts'
import { forward } from './http-forward.ts'
import type { EgressRule } from './rule.ts'

/** Maximum number of concurrent connections of a document. */
const maxConnections = 256

export class Egress {
  readonly #server: Server
  readonly #rule: EgressRule
  readonly #sockets = new Set<Duplex>()
  /** Why a target could not be reached, by its host and port. The document's error message shows it. */
  readonly #failures = new Map<string, keyof typeof reasons>()
  /** Number of bytes that the document may still load. */
  #remainingBytes: number

  /** Starts a proxy that passes at most `maxTraffic` bytes. */
  static async open(rule: EgressRule, maxTraffic: number): Promise<Egress> {
    const egress = new Egress(rule, maxTraffic)
    egress.#server.listen(0, '127.0.0.1')
    await once(egress.#server, 'listening')
    rule.ownPorts.add(egress.port)
    return egress
  }

  constructor(rule: EgressRule, maxTraffic: number) {
    this.#rule = rule
    this.#remainingBytes = maxTraffic
    const server = createServer({ maxHeaderSize: 65_536, insecureHTTPParser: false })
    server.maxConnections = maxConnections
    server.requestTimeout = 0
    server.on('connection', (socket) => this.#track(socket))
    server.on('request', (request, response) => void this.#forward(request, response))
    server.on('connect', (request, socket, head) => void this.#tunnel(request, socket, head))
    server.on('upgrade', (_request, socket) => socket.destroy())
    server.on('clientError', (_error, socket) => socket.destroy())
    this.#server = server
  }

  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0
  }

  /** Why the host of a URL could not be reached; undefined if it could. */
  failureOf(url: string): string | undefined {
    const target = targetOf(url)
    const reason = target && this.#failures.get(keyOf(target))
    return reason && reasons[reason]
  }

  /** Closes all connections, and accepts no more. */
  close() {
    this.#rule.ownPorts.delete(this.port)
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  async #forward(request: IncomingMessage, response: ServerResponse) {
    try {
      const url = URL.parse(request.url ?? '')
      if (url?.protocol !== 'http:') throw new EgressError('refused')
      const socket = await this.#connect(targetOf(url.href)!)
      forward(request, response, url, socket)
    } catch {
      // The reply has no reason, so that a page learns nothing about the network: a frame stays empty.
      response.writeHead(502, { 'content-length': 0 }).end()
    }
  }

  async #tunnel({ url }: IncomingMessage, client: Duplex, head: Buffer) {
    client.on('error', () => client.destroy())
    try {
      const target = targetOf(`https://${url}`)
      if (!target) throw new EgressError('refused')
      const socket = await this.#connect(target)
      client.once('close', () => socket.destroy())
      socket.once('close', () => client.destroy())
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.write(head)
      client.pipe(socket).pipe(client)
    } catch {
      client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    }
  }

  async #connect(target: NetworkTarget): Promise<Socket> {
    try {
      if (this.#remainingBytes <= 0) throw new EgressError('spent')
      const socket = await connectTo(target, this.#rule)
      if (!this.#server.listening) {
        socket.destroy()
        throw new EgressError('closed')
      }
      this.#track(socket)
      socket.on('data', ({ length }) => this.#spend(length))
      return socket
    } catch (error) {
      if (error instanceof EgressError) this.#failures.set(keyOf(target), error.reason)
      throw error
    }
  }

  #track(socket: Duplex) {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#sockets.delete(socket))
  }

  #spend(bytes: number) {
    this.#remainingBytes -= bytes
    if (this.#remainingBytes <= 0) for (const socket of this.#sockets) socket.destroy()
  }
}

function targetOf(text: string): NetworkTarget | undefined {
  const url = URL.parse(text)
  if (!url || url.username || url.password) return undefined
  return { host: url.hostname, port: Number(url.port) || (url.protocol === 'http:' ? 80 : 443) }
}

const keyOf = ({ host, port }: NetworkTarget) => `${host}:${port}`
