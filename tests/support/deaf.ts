// TCP servers for tests of timeouts: each accepts a connection up to some point, and never reads what is sent after
// that.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Port of a server that accepts connections, and reads nothing. */
    deafPort: number
    /** Port of a Postgres that accepts every login, and reads nothing after it. */
    deafPostgresPort: number
    /**
     * Port of a Postgres without TLS: refuses the request for TLS, and accepts every client that does not ask for TLS.
     */
    plainPostgresPort: number
    /** Port at which connections never complete, as on a host that is switched off. */
    deadPort: number
  }
}

export default async (project: TestProject) => {
  const deaf = await listen(() => undefined)
  const postgres = await listen(letIn)
  const plain = await listen(letInWithoutTls)
  const dead = await listenInVain()
  project.provide('deafPort', deaf.port)
  project.provide('deafPostgresPort', postgres.port)
  project.provide('plainPostgresPort', plain.port)
  project.provide('deadPort', dead.port)
  return () => {
    for (const { close } of [deaf, postgres, plain, dead]) close()
  }
}

async function listen(greet: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    sockets.add(socket.on('error', () => undefined))
    greet(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port: (server.address() as AddressInfo).port, close }
}

const authenticationOk = [0x52, 0, 0, 0, 8, 0, 0, 0, 0]
const readyForQuery = [0x5a, 0, 0, 0, 5, 0x49]

function letIn(socket: Socket) {
  socket.once('data', () => socket.pause().write(Buffer.from([...authenticationOk, ...readyForQuery])))
  socket.resume()
}

const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

function letInWithoutTls(socket: Socket) {
  socket.once('data', (first: Buffer) => {
    if (first.subarray(0, 8).equals(sslRequest)) socket.end('N')
    else socket.write(Buffer.from([...authenticationOk, ...readyForQuery]))
  })
  socket.resume()
}

/**
 * Listens in a thread that never accepts. Once its queue of connections is full, the system drops all further attempts
 * to connect.
 */
async function listenInVain() {
  const script = `const server = require('node:net').createServer()
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:worker_threads').parentPort.postMessage(server.address().port)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    })`
  const thread = new Worker(script, { eval: true })
  const [port] = (await once(thread, 'message')) as [number]
  const queue = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
  const close = () => {
    for (const socket of queue) socket.destroy()
    void thread.terminate()
  }
  return { port, close }
}
