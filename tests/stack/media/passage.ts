// A proxy between the Worker and its container in media tests. A test can close it, or stop a request at a certain
// byte.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that the proxy stops on its way. */
interface Stop {
  /** Resolves when the request has reached the byte at which it stops. */
  reached: Promise<void>
  /** Lets the stopped request continue. */
  release(): void
}

interface Trap extends Stop {
  is(request: IncomingMessage): boolean
  /** Number of bytes of the request's or the reply's body that pass before the stop. */
  after: number
  reach(): void
  released: Promise<void>
}

export class Passage {
  /** Address to which requests are passed. Without it, connections are broken. */
  to: string | undefined
  #traps: Trap[] = []
  readonly #server = createServer(
    { keepAliveTimeout: 0 },
    (incoming, answer) => void this.#pass(incoming, answer).catch(() => answer.destroy()),
  )

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get url() {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /**
   * Stops the next request with this method whose path and range match, after `after` bytes of its body or of the
   * reply.
   */
  stop(method: string, what: RegExp, after = 0): Stop {
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const is = ({ method: its, url, headers }: IncomingMessage) =>
      its === method && what.test(`${url} ${headers.range ?? ''}`)
    this.#traps.push({ is, after, reached, reach, released, release })
    return { reached, release }
  }

  close() {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #pass(incoming: IncomingMessage, answer: ServerResponse) {
    if (!this.to) return answer.destroy()
    const trap = this.#traps.find(({ is }) => is(incoming))
    this.#traps = this.#traps.filter((other) => other !== trap)
    let passed = 0
    const count = async (bytes: number) => {
      passed += bytes
      if (!trap || passed < trap.after) return
      trap.reach()
      await trap.released
    }
    const { method, headers, url } = incoming
    const onward = request(this.to + url, { method, headers })
    const answered = once(onward, 'response')
    // If one side closes, the other side is closed too.
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    answered.catch(() => undefined)
    await count(0)
    for await (const chunk of incoming) {
      onward.write(chunk)
      await count(chunk.length)
    }
    onward.end()
    const [reply] = (await answered) as [IncomingMessage]
    answer.writeHead(reply.statusCode!, reply.headers)
    for await (const chunk of reply) {
      answer.write(chunk)
      await count(chunk.length)
    }
    answer.end()
  }
}
