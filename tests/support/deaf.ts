// Servers that a connection gets no further with than to a point: what is sent to them is never taken.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connects, and reads nothing. */
    deafPort: number
    /** A Postgres that lets in whoever comes, and reads nothing more. */
    deafPostgresPort: number
    /** A Postgres without TLS: it says so to a client that asks for TLS, and lets in every other one. */
    plainPostgresPort: number
    /** Does not even connect, as a host that is switched off. */
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

/** A thread that waits for ever accepts nobody: once its queue is full, the system drops who else would connect. */
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
