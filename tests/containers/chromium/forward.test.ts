// Tests replies of servers that Node refuses to write: the proxy closes the connection, and keeps running.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { Egress } from '../../../containers/chromium/egress/egress.ts'

const head = 'Content-Length: 1\r\n\r\nx'

it.each([
  ['a status below 100', `HTTP/1.1 099 Odd\r\n${head}`],
  ['no status', `HTTP/1.1 000 Odd\r\n${head}`],
  ['control characters in its reason', `HTTP/1.1 200 O\x01K\r\n${head}`],
  ['control characters in a header', `HTTP/1.1 200 OK\r\nX: a\x01b\r\n${head}`],
  ['another protocol', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nx'],
  ['two lengths', `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n${head}`],
])('still works after %s', async (_what, answer) => {
  const ask = await proxied([answer, `HTTP/1.1 200 OK\r\n${head}`])
  expect(await ask()).toBe('')
  expect(await ask()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nx$/)
})

it('forwards an unknown status', async () => {
  const ask = await proxied([`HTTP/1.1 999 Odd\r\n${head}`])
  expect(await ask()).toMatch(/^HTTP\/1\.1 999 Odd\r\n/)
})

/**
 * Starts a server that gives these replies in turn. Returns a function that requests it through the proxy, and returns
 * the raw reply.
 */
async function proxied(answers: string[]): Promise<() => Promise<string>> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.from(answers.shift() ?? '', 'latin1')))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const egress = await Egress.open({ allowPrivate: true, nameServers: [], ownPorts: new Set() }, 1e9)
  onTestFinished(() => {
    egress.close()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return async () => {
    const socket = connect(egress.port, '127.0.0.1')
    socket.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    let reply = ''
    for await (const chunk of socket) reply += chunk
    return reply
  }
}
